/** Queries that are alike and come in the same second. */
export interface QueryBatch {
  /** The function that they are of. */
  readonly of: string;
  readonly count: number;
  /** How long one runs that has all slots that it wants. */
  readonly seconds: number;
  readonly bytes: number;
}

/** What queries are held to. */
export interface QueryBounds {
  /** Seconds after which one is given up. */
  readonly deadlineSeconds: number;
  readonly slots: number;
  /** Bytes that a slot reads in a second. */
  readonly slotBytes: number;
}

/** What became of a second's queries. */
export interface QueryStep {
  /** Queries that ran or would have run at the same time. */
  readonly wanted: number;
  readonly queued: number;
  /** Slots that the running ones would use. */
  readonly slots: number;
  /** Queries for which there was no place in the queue. */
  readonly refused: number;
  /** Queries that were given up, waiting or running. */
  readonly late: number;
}

interface Underway {
  readonly of: string;
  readonly since: number;
  readonly slots: number;
  count: number;
  /** Seconds of work that are left of each. */
  left: number;
}

/**
 * BigQuery's queue in seconds: so many queries run, the others wait in the order in which they came. When all together
 * want more slots than there are, each gets on more slowly.
 */
export class QueryQueue {
  readonly #mostRunning: number;
  readonly #mostQueued: number;
  #running: Underway[] = [];
  #queued: Underway[] = [];

  constructor(mostRunning: number, mostQueued: number) {
    this.#mostRunning = mostRunning;
    this.#mostQueued = mostQueued;
  }

  /** Queries of a function that run or wait. */
  inFlight(of: string): number {
    return countOf([...this.#running, ...this.#queued].filter((one) => one.of === of));
  }

  /** Queries that wait. */
  get queued(): number {
    return countOf(this.#queued);
  }

  step(second: number, batches: readonly QueryBatch[], bounds: QueryBounds): QueryStep {
    const late = this.#giveUp(second, bounds);
    let refused = 0;
    for (const { of, count, seconds, bytes } of batches) {
      const room =
        Math.max(0, this.#mostRunning - countOf(this.#running)) + this.#mostQueued - countOf(this.#queued);
      const taken = Math.min(count, room);
      refused += count - taken;
      const slots = Math.max(1, bytes / bounds.slotBytes / seconds);
      if (taken > 0) this.#queued.push({ of, since: second, slots, count: taken, left: seconds });
    }
    const wanted = countOf(this.#running) + countOf(this.#queued) + refused;
    this.#start();
    const slots = this.#running.reduce((sum, one) => sum + one.count * one.slots, 0);
    const speed = Math.min(1, bounds.slots / Math.max(1, slots));
    for (const one of this.#running) one.left -= speed;
    this.#running = this.#running.filter(({ left }) => left > 0);
    return { wanted, queued: countOf(this.#queued), slots, refused, late };
  }

  #start(): void {
    let free = this.#mostRunning - countOf(this.#running);
    while (free > 0) {
      const next = this.#queued[0];
      if (next === undefined) return;
      const count = Math.min(free, next.count);
      this.#running.push({ ...next, count });
      next.count -= count;
      free -= count;
      if (next.count === 0) this.#queued.shift();
    }
  }

  #giveUp(second: number, { deadlineSeconds }: QueryBounds): number {
    const isLate = ({ since }: Underway) => second - since >= deadlineSeconds;
    const late = countOf([...this.#running, ...this.#queued].filter(isLate));
    this.#running = this.#running.filter((one) => !isLate(one));
    this.#queued = this.#queued.filter((one) => !isLate(one));
    return late;
  }
}

function countOf(batches: readonly Underway[]): number {
  return batches.reduce((sum, { count }) => sum + count, 0);
}
