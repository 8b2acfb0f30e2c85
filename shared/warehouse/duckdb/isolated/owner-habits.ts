import { lazyLru } from '../../../lru/lazy-lru.ts';

/** What the queries of each owner are like, from those that have ended. */
export interface OwnerHabits {
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

/** Owners of whom something is remembered. */
const MAX_OWNERS = 10_000;

/** How much the last query counts in the mean of its owner's. */
const LAST_PART = 0.3;

/** How long a killed query is held against its owner, in ms. */
const PENALTY_MS = 10_000;

interface Habits {
  /** A moving mean of what its queries took. */
  readonly meanCpuMs: number;
  readonly penaltyUntilMs: number;
  /** The position of its last query among all. */
  readonly lastTurn: number;
}

const NOTHING_KNOWN: Habits = { meanCpuMs: 0, penaltyUntilMs: 0, lastTurn: 0 };

/** `longCpuMs`: a mean of more CPU time than this is long. */
export function makeOwnerHabits(longCpuMs: number, nowMs: () => number): OwnerHabits {
  const known = lazyLru<Habits>(MAX_OWNERS);
  const habitsOf = (owner: string) => known.get(owner) ?? NOTHING_KNOWN;
  let turns = 0;
  return {
    isLong: (owner) => habitsOf(owner).meanCpuMs > longCpuMs,
    isPenalized: (owner) => habitsOf(owner).penaltyUntilMs > nowMs(),
    begin(owner) {
      turns += 1;
      known.set(owner, { ...habitsOf(owner), lastTurn: turns });
    },
    inTurns: (queries) => queries.toSorted((a, b) => habitsOf(a.owner).lastTurn - habitsOf(b.owner).lastTurn),
    learn(owner, cpuMs, wasKilled) {
      const habits = habitsOf(owner);
      known.set(owner, {
        ...habits,
        meanCpuMs: habits.meanCpuMs * (1 - LAST_PART) + cpuMs * LAST_PART,
        penaltyUntilMs: wasKilled ? nowMs() + PENALTY_MS : habits.penaltyUntilMs,
      });
    },
  };
}
