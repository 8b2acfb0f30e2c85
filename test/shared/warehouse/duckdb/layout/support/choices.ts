/**
 * Decisions that a generator takes one after the other. They come from a list of numbers, so that fast-check shrinks what is
 * made by shrinking the list: where it ends, every decision is the first and simplest choice.
 */
export class Choices {
  readonly #numbers: readonly number[];
  #next = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  /** A whole number from 0 to `end - 1`. */
  below(end: number): number {
    const number = this.#numbers[this.#next] ?? 0;
    this.#next += 1;
    return number % end;
  }

  /** True in so many of a hundred cases; false is the simple choice. */
  chance(percent: number): boolean {
    return this.below(100) >= 100 - percent;
  }

  /** One of them; the first is the simplest. */
  pick<T>(options: readonly T[]): T {
    const index = this.below(options.length);
    if (index >= options.length) throw new RangeError('nothing to pick from');
    return options[index] as T;
  }

  /** `make` called `min` to `max` times. */
  several<T>(min: number, max: number, make: (index: number) => T): T[] {
    return Array.from({ length: min + this.below(max - min + 1) }, (_, index) => make(index));
  }
}
