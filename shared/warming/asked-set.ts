/** A set of an endpoint's parameters that somebody asked for, with all that its result hangs on. */
export interface AskedSet {
  /** The endpoint's UUID. */
  readonly endpointId: string;
  /** The declared parameters that were given, as text by name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Whether the caller asked for redaction. */
  readonly isRedacted: boolean;
}

/** A set with how much it is asked for. */
export interface CountedSet extends AskedSet {
  /** How often since it was first asked for and not forgotten in between. */
  readonly count: number;
  /** On the clock of whoever keeps the sets. */
  readonly lastAskedAtMs: number;
}

/** Remembers which sets are asked for. */
export interface AskedSets {
  /** Notes that a set was asked for. Takes no time of the caller's and never throws. */
  record(set: AskedSet): void;
  /**
   * The sets of an endpoint that were asked for in the last `windowSeconds`, the most asked for first, at most `max`.
   * Throws a ServiceError (unavailable).
   */
  recent(endpointId: string, windowSeconds: number, max: number): Promise<readonly CountedSet[]>;
}

/** The same text for the same set, whatever the order of its parameters. */
export function setKey({ endpointId, parameters, isRedacted }: AskedSet): string {
  const sorted = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([endpointId, sorted, isRedacted]);
}

/** Orders sets by how much they are asked for; of equal ones those asked for last come first. */
export function byDemand(one: CountedSet, other: CountedSet): number {
  return other.count - one.count || other.lastAskedAtMs - one.lastAskedAtMs;
}
