import { lazyLru } from '../lru/lazy-lru.ts';

const WINDOW_SECONDS = 60;

/** Accounts whose spending is remembered; a balance takes some 200 bytes. */
const MAX_ACCOUNTS = 10_000;

/** Whether there is something left, and when there is. */
export interface BudgetState {
  readonly isSpent: boolean;
  /** Whole CPU seconds that are left. */
  readonly remaining: number;
  /** Whole seconds until something is left again; 0 where something is. */
  readonly resetSeconds: number;
}

/**
 * CPU seconds by account: a minute's worth at once, refilled evenly. What was begun is counted to its end, so that a
 * balance may fall below nothing; it has to be made up for before anything begins.
 */
export interface CpuBudget {
  /** `perMinute`: the CPU seconds a minute of the account, from now on. */
  state(account: string, perMinute: number): BudgetState;
  /** Counts CPU time, in ms, of an account whose state was asked for before. */
  charge(account: string, cpuMs: number): void;
}

interface Balance {
  perMinute: number;
  seconds: number;
  atMs: number;
}

/** `nowMs` is of a clock that never runs backwards. */
export function makeCpuBudget(nowMs: () => number): CpuBudget {
  const balances = lazyLru<Balance>(MAX_ACCOUNTS);

  const refill = (balance: Balance): void => {
    const now = nowMs();
    const earned = ((now - balance.atMs) / 1000) * (balance.perMinute / WINDOW_SECONDS);
    balance.seconds = Math.min(balance.perMinute, balance.seconds + earned);
    balance.atMs = now;
  };

  return {
    state(account, perMinute) {
      const balance = balances.get(account) ?? { perMinute, seconds: perMinute, atMs: nowMs() };
      balances.set(account, balance);
      balance.perMinute = perMinute;
      refill(balance);
      const { seconds } = balance;
      const isSpent = seconds <= 0;
      const missing = Math.ceil(-seconds / (perMinute / WINDOW_SECONDS));
      return {
        isSpent,
        remaining: Math.max(0, Math.floor(seconds)),
        resetSeconds: isSpent ? Math.max(1, missing) : 0,
      };
    },
    charge(account, cpuMs) {
      const balance = balances.get(account);
      if (balance === undefined) return;
      refill(balance);
      balance.seconds -= cpuMs / 1000;
    },
  };
}
