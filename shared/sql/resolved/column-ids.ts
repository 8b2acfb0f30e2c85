/** Gives out the ids of a query's columns and CTEs, each once: those of analysis first, then those of rewritten plans. */
export class ColumnIds {
  #last: number;

  /** The first id is the one after `last`. */
  constructor(last = 0) {
    this.#last = last;
  }

  get last(): number {
    return this.#last;
  }

  next(): number {
    this.#last++;
    return this.#last;
  }
}
