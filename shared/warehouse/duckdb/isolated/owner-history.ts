import { lazyLru } from '../../../lru/lazy-lru.ts';

/** The history of each owner's queries, from those that have ended. */
export interface OwnerHistory {
  /** Whether its queries take long as a rule. */
  isLong(owner: string): boolean;
  /** Whether a process ended lately for what a query of its did. */
  isPenalized(owner: string): boolean;
  /** Notes that a query of its begins. */
  begin(owner: string): void;
  /** The owners' queries in turns: those whose owner's last began longest ago come first. */
  inTurns<T extends { readonly owner: string }>(queries: readonly T[]): readonly T[];
  /** Takes in a query that took so much CPU time; `wasKilled` where its process ended with it. */
  learn(owner: string, cpuMs: number, wasKilled: boolean): void;
}

/** Most owners that have a history. */
const MAX_OWNERS = 10_000;

/** How much the last query counts in the mean of its owner's. */
const LAST_PART = 0.3;

/** How long a killed query is held against its owner, in ms. */
const PENALTY_MS = 10_000;

interface History {
  /** A moving mean of what its queries took. */
  readonly meanCpuMs: number;
  readonly penaltyUntilMs: number;
  /** The position of its last query among all. */
  readonly lastTurn: number;
}

const NOTHING_KNOWN: History = { meanCpuMs: 0, penaltyUntilMs: 0, lastTurn: 0 };

/** `longCpuMs`: a mean of more CPU time than this is long. */
export function makeOwnerHistory(longCpuMs: number, nowMs: () => number): OwnerHistory {
  const known = lazyLru<History>(MAX_OWNERS);
  const historyOf = (owner: string) => known.get(owner) ?? NOTHING_KNOWN;
  let turns = 0;
  return {
    isLong: (owner) => historyOf(owner).meanCpuMs > longCpuMs,
    isPenalized: (owner) => historyOf(owner).penaltyUntilMs > nowMs(),
    begin(owner) {
      turns += 1;
      known.set(owner, { ...historyOf(owner), lastTurn: turns });
    },
    inTurns: (queries) =>
      queries.toSorted((a, b) => historyOf(a.owner).lastTurn - historyOf(b.owner).lastTurn),
    learn(owner, cpuMs, wasKilled) {
      const history = historyOf(owner);
      known.set(owner, {
        ...history,
        meanCpuMs: history.meanCpuMs * (1 - LAST_PART) + cpuMs * LAST_PART,
        penaltyUntilMs: wasKilled ? nowMs() + PENALTY_MS : history.penaltyUntilMs,
      });
    },
  };
}
