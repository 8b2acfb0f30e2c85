import type { Endpoint } from '../../../shared/endpoints/endpoint.ts';
import type { Host } from '../world/host.ts';

/** What is asked for: all that an answer depends on. */
export interface Wanted {
  readonly endpoint: Endpoint;
  readonly project: string;
  /** Whether the caller asks for redaction. */
  readonly isRedacted: boolean;
}

/** A query that ran in the warehouse. Times are true ones. */
export interface Run {
  readonly number: number;
  readonly host: Host;
  readonly sql: string;
  readonly project: string;
  readonly isWarming: boolean;
  /** Whom it was accounted to: `accountOf` the request, unless it was warming's. */
  readonly account: string;
  readonly startedMs: number;
  endedMs: number | null;
  hasSucceeded: boolean;
}

/** A request that an instance has begun to answer. */
export interface Asked extends Wanted {
  readonly number: number;
  readonly host: Host;
  readonly token: string;
  readonly bypassesCache: boolean;
  readonly arrivedMs: number;
  /** For how long the host had been paused before. */
  readonly pausedBeforeMs: number;
}

/** A round of warming. */
export interface Round {
  readonly host: Host;
  readonly endpoint: Endpoint;
  readonly startedMs: number;
  readonly pausedBeforeMs: number;
}

/** What happened, as somebody sees it who sees all of it. */
export class Ledger {
  readonly runs: Run[] = [];
  readonly openRequests = new Set<Asked>();
  readonly openRounds = new Set<Round>();
  /** When each set was asked for and answered, by `setOf`: the moments when the request came. */
  readonly askedAt = new Map<string, number[]>();
  /** By token name: when its revocation was in the store. */
  readonly revokedAt = new Map<string, number>();
  requests = 0;
}

/** Names what one answer is for; two that must not be mixed up have different names. */
export function answerOf({ endpoint, project, isRedacted }: Wanted): string {
  return `${endpoint.name}/${project}/${isRedacted || endpoint.redactPii ? 'redacted' : 'open'}`;
}

/** What the warehouse can tell requests apart by. */
export function accountOf(asked: Wanted & { readonly bypassesCache: boolean }): string {
  return `${answerOf(asked)} ${asked.bypassesCache ? 'anew' : 'kept'}`;
}

/** Names a set of parameters as warming knows it. */
export function setOf({ endpoint, project, isRedacted }: Wanted): string {
  return `${endpoint.name}/${project}/${isRedacted}`;
}
