/** What a fair queue lets through. */
export interface FairQueueLimits {
  /** Queries of one account that run at the same time. */
  readonly running: number;
  /** Queries of one account that wait beside those. */
  readonly waiting: number;
  /** Queries of all accounts that run at the same time; Infinity where the warehouse keeps them apart itself. */
  readonly lanes: number;
}

/** A caller's part in a query; several callers of several accounts may wait for one. */
export interface Place {
  /**
   * Asks for the query's turn, as whoever computes it does; `begin` is called with the account whose turn it is, now or
   * later.
   */
  ready(begin: () => void): void;
  /** Whose turn it was: the one that started it, or one that still waits where that one has left. */
  readonly account: string;
  /** The query has ended, or will not begin. Any number of times. */
  end(): void;
  /** The caller waits no more; the query may go on for others. Any number of times. */
  leave(): void;
}

/** Hands out turns to run; see `makeFairQueue`. */
export interface FairQueue {
  /** Counts a query of an account; null when it has as many as it may have. Who waits for the same key shares a query. */
  enter(account: string, key: string): Place | null;
  /** How many queries of an account run and wait. */
  counts(account: string): { readonly running: number; readonly waiting: number };
}

interface Job {
  readonly key: string;
  /** How many callers of each account wait for it. */
  readonly callers: Map<string, number>;
  /** Starts it; null before it was asked for, and after. */
  begin: (() => void) | null;
  isReady: boolean;
  /** Whom it counts for while it runs. */
  runner: string | null;
}

interface Account {
  readonly waiting: Set<Job>;
  readonly running: Set<Job>;
  /** The position of its last turn among all. */
  lastTurn: number;
}

/**
 * Makes a queue in which accounts take turns, those with the fewest queries running first, whatever number they bring. An account runs as many as its
 * limit allows, and begins another one only while more lanes are free than it has taken (dynamic thresholds: Choudhury
 * and Hahne, 1998): some lanes stay free for accounts that have none, as long as there are fewer accounts than lanes.
 */
export function makeFairQueue(limits: FairQueueLimits): FairQueue {
  const jobs = new Map<string, Job>();
  /** Those with queries. */
  const accounts = new Map<string, Account>();
  let busy = 0;
  let turns = 0;

  const accountOf = (name: string): Account => {
    const known = accounts.get(name);
    if (known !== undefined) return known;
    const account = { waiting: new Set<Job>(), running: new Set<Job>(), lastTurn: 0 };
    accounts.set(name, account);
    return account;
  };

  const forgetIfIdle = (name: string): void => {
    const account = accounts.get(name);
    if (account !== undefined && account.waiting.size + account.running.size === 0) accounts.delete(name);
  };

  const mayRun = ({ running }: Account): boolean =>
    running.size < limits.running && running.size < limits.lanes - busy;

  /** The next query whose account's turn it is. */
  const next = (): readonly [string, Account, Job] | null => {
    let first: readonly [string, Account, Job] | null = null;
    for (const [name, account] of accounts) {
      if (!mayRun(account) || (first !== null && !isBefore(account, first[1]))) continue;
      const job = account.waiting.values().find(({ begin }) => begin !== null);
      if (job !== undefined) first = [name, account, job];
    }
    return first;
  };

  const pump = (): void => {
    for (let turn = next(); turn !== null; turn = next()) {
      const [name, account, job] = turn;
      const { begin } = job;
      for (const owner of job.callers.keys()) accounts.get(owner)?.waiting.delete(job);
      job.begin = null;
      job.runner = name;
      account.running.add(job);
      busy += 1;
      turns += 1;
      account.lastTurn = turns;
      for (const owner of job.callers.keys()) forgetIfIdle(owner);
      begin?.();
    }
  };

  const finish = (job: Job): void => {
    job.begin = null;
    if (jobs.get(job.key) === job) jobs.delete(job.key);
    for (const owner of job.callers.keys()) {
      accounts.get(owner)?.waiting.delete(job);
      forgetIfIdle(owner);
    }
    const { runner } = job;
    if (runner !== null) {
      job.runner = null;
      busy -= 1;
      accounts.get(runner)?.running.delete(job);
      forgetIfIdle(runner);
    }
    pump();
  };

  const leave = (job: Job, name: string): void => {
    const left = (job.callers.get(name) ?? 0) - 1;
    if (left > 0) {
      job.callers.set(name, left);
      return;
    }
    job.callers.delete(name);
    accounts.get(name)?.waiting.delete(job);
    const [heir] = job.callers.keys();
    // What no caller waits for takes no new callers; while it still runs it counts for whoever began it.
    if (heir === undefined && jobs.get(job.key) === job) jobs.delete(job.key);
    if (heir !== undefined && job.runner === name) {
      accounts.get(name)?.running.delete(job);
      accountOf(heir).running.add(job);
      job.runner = heir;
    }
    forgetIfIdle(name);
    pump();
  };

  const isFull = (name: string): boolean => {
    const account = accounts.get(name);
    const count = account === undefined ? 0 : account.running.size + account.waiting.size;
    return count >= limits.running + limits.waiting;
  };

  const open = (key: string): Job => {
    const job: Job = { key, callers: new Map(), begin: null, isReady: false, runner: null };
    jobs.set(key, job);
    return job;
  };

  const join = (job: Job, name: string): void => {
    job.callers.set(name, (job.callers.get(name) ?? 0) + 1);
    if (job.runner === null) accountOf(name).waiting.add(job);
  };

  return {
    enter(name, key) {
      const known = jobs.get(key);
      if (!known?.callers.has(name) && known?.runner == null && isFull(name)) return null;
      let job = known ?? open(key);
      join(job, name);
      // Its turn may have come with this account.
      pump();
      let hasLeft = false;
      return {
        get account() {
          return job.runner ?? name;
        },
        ready(begin) {
          // The one that was there is being given up, and no caller will get its result.
          if (job.isReady) {
            leave(job, name);
            job = open(key);
            join(job, name);
          }
          job.isReady = true;
          job.begin = begin;
          pump();
        },
        end: () => finish(job),
        leave() {
          if (hasLeft) return;
          hasLeft = true;
          leave(job, name);
        },
      };
    },
    counts(name) {
      const account = accounts.get(name);
      return { running: account?.running.size ?? 0, waiting: account?.waiting.size ?? 0 };
    },
  };
}

function isBefore(one: Account, other: Account): boolean {
  const fewer = one.running.size - other.running.size;
  return fewer < 0 || (fewer === 0 && one.lastTurn < other.lastTurn);
}
