import type { ResolvedPath } from './resolve-path.ts';

/** Outer joins of a row with its repeated records: one a record, shared by all the fields that lie in it. */
export class RecordJoins {
  readonly #aliases = new Map<string, string>();
  readonly #row: string;
  #sql = '';

  constructor(row: string) {
    this.#row = row;
  }

  /** The joins so far, behind the source; empty where there are none. */
  get sql(): string {
    return this.#sql;
  }

  /** The field at a path as SQL; joins the records on the way that are not joined yet. */
  field({ levels, leaf }: ResolvedPath): string {
    let alias = this.#row;
    let key = '';
    for (const way of levels) {
      key += `\n${way}`;
      const known = this.#aliases.get(key);
      const next = known ?? `r${this.#aliases.size + 1}`;
      if (known === undefined) {
        this.#aliases.set(key, next);
        this.#sql += ` LEFT JOIN UNNEST(${alias}${way}) AS ${next} ON TRUE`;
      }
      alias = next;
    }
    return `${alias}${leaf}`;
  }
}
