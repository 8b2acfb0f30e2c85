/** Calls that wait in the order in which they came, each for so many seconds at most. */
export class WaitingLine {
  readonly #patienceSeconds: number;
  #waiting: { readonly since: number; count: number }[] = [];

  constructor(patienceSeconds: number) {
    this.#patienceSeconds = patienceSeconds;
  }

  get length(): number {
    return this.#waiting.reduce((sum, { count }) => sum + count, 0);
  }

  add(second: number, count: number): void {
    if (count > 0) this.#waiting.push({ since: second, count });
  }

  /** Takes as many as there is room for; the number of them. */
  take(room: number): number {
    let taken = 0;
    for (const one of this.#waiting) {
      const count = Math.min(one.count, room - taken);
      one.count -= count;
      taken += count;
    }
    this.#waiting = this.#waiting.filter(({ count }) => count > 0);
    return taken;
  }

  /** Lets go of those who have waited too long; the number of them. */
  expire(second: number): number {
    const before = this.length;
    this.#waiting = this.#waiting.filter(({ since }) => second - since < this.#patienceSeconds);
    return before - this.length;
  }
}
