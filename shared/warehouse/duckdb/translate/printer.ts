import { type CheckedRe2, checkRe2 } from '../../../re2/check-re2.ts';
import { countCteUses } from '../../../sql/resolved/cte-uses.ts';
import type { ParameterName, ResolvedExpression } from '../../../sql/resolved/expression.ts';
import type { ResolvedScan } from '../../../sql/resolved/scan.ts';
import { duck, type Sql, word } from './duck/sql.ts';
import { printExpression } from './print-expression.ts';
import { printScan } from './print-scan.ts';
import { derivedTable, type Relation, selectText, withoutOrder } from './relation.ts';

/** The SQL of columns that an expression may refer to; null for one that is not there. */
export type ColumnLookup = (id: number) => Sql | null;

/** Where an expression or scan is printed: the columns of the queries around it. */
export interface Surroundings {
  readonly lookup: ColumnLookup;
  /** Inside a lambda DuckDB runs no subqueries. */
  readonly isLambda: boolean;
  /** In the condition of a join DuckDB runs few subqueries. */
  readonly isJoinCondition?: boolean;
}

export const TOP_LEVEL: Surroundings = { lookup: () => null, isLambda: false };

/** Turns one resolved query into DuckDB SQL. It numbers aliases and parameters, so each query needs its own. */
export class Printer {
  /** Names of the query parameters, in the order of their `$1`, `$2`, … */
  readonly parameters: ParameterName[] = [];
  /** CTEs that are used more than once, as `name AS (…)`, each after those that it uses. */
  readonly ctes: Sql[] = [];
  /** An id for a column that the resolved query does not have. */
  readonly newId: () => number;
  readonly #plan: ResolvedScan;
  #cteUses: ReadonlyMap<number, number> | null = null;
  readonly #printedCtes = new Map<number, Sql>();
  readonly #regexps = new Map<string, CheckedRe2>();
  #aliases = 0;

  /** `newId` gives ids of columns that the scan does not have. */
  constructor(plan: ResolvedScan, newId: () => number) {
    this.newId = newId;
    this.#plan = plan;
  }

  alias(): Sql {
    this.#aliases++;
    return word(`q${this.#aliases}`);
  }

  parameter(name: ParameterName): Sql {
    const known = this.parameters.indexOf(name);
    if (known >= 0) return word(`$${known + 1}`);
    this.parameters.push(name);
    return word(`$${this.parameters.length}`);
  }

  /** An expression under an alias is printed wherever the alias stands; its regular expressions are checked once. */
  checkRe2(pattern: string): CheckedRe2 {
    const checked = this.#regexps.get(pattern) ?? checkRe2(pattern);
    this.#regexps.set(pattern, checked);
    return checked;
  }

  cteUses(id: number): number {
    this.#cteUses ??= countCteUses(this.#plan);
    return this.#cteUses.get(id) ?? 0;
  }

  /** The name of a CTE that is written once in WITH; `print` writes it on its first use. */
  sharedCte(id: number, print: () => Sql): Sql {
    const known = this.#printedCtes.get(id);
    if (known !== undefined) return known;
    const text = print();
    const name = word(`w${id}`);
    this.ctes.push(duck`${name} AS MATERIALIZED (${text})`);
    this.#printedCtes.set(id, name);
    return name;
  }

  expression(expression: ResolvedExpression, surroundings: Surroundings): Sql {
    return printExpression(this, expression, surroundings);
  }

  /** The scan as a relation that has at least the columns of `needed`. */
  scan(scan: ResolvedScan, needed: ReadonlySet<number>, surroundings: Surroundings): Relation {
    return printScan(this, scan, needed, surroundings);
  }

  /** The relation as a derived table of a new one. */
  wrap(relation: Relation, needed: ReadonlySet<number>): Relation {
    const ids = [...relation.columns.keys()].filter((id) => needed.has(id));
    return derivedTable(selectText(withoutOrder(relation), ids), this.alias(), ids);
  }
}

/** What expressions over a relation's columns may refer to. */
export function inside(relation: Relation, around: Surroundings): Surroundings {
  return { ...around, lookup: (id) => relation.columns.get(id)?.sql ?? around.lookup(id) };
}
