import { join, literal, path, unnest } from '../sql/ast/build.ts';
import type { Expression } from '../sql/ast/expression.ts';
import type { FromItem } from '../sql/ast/query.ts';
import type { ResolvedPath } from './resolve-path.ts';

/** Outer joins of a row with its repeated records: one a record, shared by all the fields that lie in it. */
export class RecordJoins {
  readonly #aliases = new Map<string, string>();
  readonly #row: string;
  readonly #joined: { readonly array: Expression; readonly alias: string }[] = [];

  constructor(row: string) {
    this.#row = row;
  }

  /** The source with the records that fields have asked for so far. */
  from(source: FromItem): FromItem {
    return this.#joined.reduce(
      (left, { array, alias }) => join(left, 'LEFT', unnest(array, alias), literal('BOOL', 'TRUE')),
      source,
    );
  }

  /** The field at a path; joins the records on the way that are not joined yet. */
  field({ levels, leaf }: ResolvedPath): Expression {
    let alias = this.#row;
    let key = '';
    for (const way of levels) {
      key += `\n${way.join('.')}`;
      const known = this.#aliases.get(key);
      const next = known ?? `r${this.#aliases.size + 1}`;
      if (known === undefined) {
        this.#aliases.set(key, next);
        this.#joined.push({ array: path(alias, ...way), alias: next });
      }
      alias = next;
    }
    return path(alias, ...leaf);
  }
}
