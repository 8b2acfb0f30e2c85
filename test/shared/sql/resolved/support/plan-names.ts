import type { ResolvedColumn } from '../../../../../shared/sql/resolved/expression.ts';
import type { ResolvedCte } from '../../../../../shared/sql/resolved/scan.ts';

/** A name that needs no quotes in a printed plan. */
const PLAIN_NAME = /^[\w$]+$/;

/**
 * The names of columns and CTEs in printed plans. Columns are numbered in the order in which they are asked for, so that
 * a plan's text does not depend on the ids that the analyzer gives; plans that share the names of one object show a
 * column under the same number.
 */
export class PlanNames {
  readonly #numbers = new Map<number, number>();
  readonly #ctes = new Map<number, string>();
  readonly #cteNames = new Set<string>();

  /** `path#3`; `#3` for a column without a name. */
  column({ id, name }: ResolvedColumn): string {
    return `${name === '' ? '' : printName(name)}#${this.number(id)}`;
  }

  /** A column's number. */
  number(id: number): number {
    const number = this.#numbers.get(id) ?? this.#numbers.size + 1;
    this.#numbers.set(id, number);
    return number;
  }

  /** A CTE's name, with a number after it where another CTE has the same name. */
  cte({ id, name }: Pick<ResolvedCte, 'id' | 'name'>): string {
    const known = this.#ctes.get(id);
    if (known !== undefined) return known;
    const printed = printName(name);
    let unique = printed;
    for (let count = 2; this.#cteNames.has(unique); count++) unique = `${printed} (${count})`;
    this.#cteNames.add(unique);
    this.#ctes.set(id, unique);
    return unique;
  }
}

/** A name as it is, or in backticks with escapes, where it has other characters than letters, digits, `_` and `$`. */
export function printName(name: string): string {
  if (PLAIN_NAME.test(name)) return name;
  return `\`${JSON.stringify(name).slice(1, -1).replaceAll('`', '\\`')}\``;
}
