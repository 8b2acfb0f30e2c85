import { type CheckedRe2, checkRe2 } from '../../../re2/check-re2.ts';
import { countCteUses } from '../../../sql/resolved/cte-uses.ts';
import type { ParameterName, ResolvedExpression } from '../../../sql/resolved/expression.ts';
import type { ResolvedScan } from '../../../sql/resolved/scan.ts';
import { storedTable, type TableLayouts } from '../store/layout.ts';
import { duck, parameter, type Sql, word } from './duck/sql.ts';
import { generateExpression } from './generate-expression.ts';
import { generateScan } from './generate-scan.ts';
import { neverRaisesByRow } from './never-raises.ts';
import type { KnownTables, TableSource } from './passes/known-data.ts';
import { mayRaise, raisingColumns } from './raising-columns.ts';
import { derivedTable, type Relation, selectText, withoutOrder } from './relation.ts';
import type { Scope } from './scope.ts';

/** Turns one resolved query into DuckDB SQL. It numbers aliases and parameters, so each query needs its own. */
export class Generator {
  /** Names of the query parameters, in the order of their `$1`, `$2`, … */
  readonly parameters: ParameterName[] = [];
  /** CTEs that are used more than once, as `name AS (…)`, each after those that it uses. */
  readonly ctes: Sql[] = [];
  /** Whether one of them is recursive. */
  isRecursive = false;
  /** Whether it has met a table that gets more entries. */
  readsGrowingTables = false;
  /** What has to be filled before the query runs (`TableSource`). */
  readonly units = new Set<string>();
  /** An id for a column that the resolved query does not have. */
  readonly newId: () => number;
  readonly #plan: ResolvedScan;
  readonly #mayNarrow: boolean;
  readonly #narrowed = new Set<string>();
  readonly #sources: ReadonlyMap<string, readonly TableSource[]>;
  readonly #layouts: TableLayouts;
  #cteUses: ReadonlyMap<number, number> | null = null;
  readonly #sharedCtes = new Map<number, Sql>();
  readonly #regexps = new Map<string, CheckedRe2>();
  #raisingColumns: ReadonlySet<number> | null = null;
  #aliases = 0;

  /**
   * `newId` gives ids of columns that the scan does not have; the narrow forms of tables that are in several places are read with
   * `mayNarrow` only.
   */
  constructor(
    plan: ResolvedScan,
    newId: () => number,
    { layouts, parts = new Map() }: Pick<KnownTables, 'layouts' | 'parts'>,
    mayNarrow = true,
  ) {
    this.newId = newId;
    this.#layouts = layouts;
    this.#plan = plan;
    this.#mayNarrow = mayNarrow;
    this.#sources = new Map(
      [...parts].flatMap(([table, all]): [string, readonly TableSource[]][] => [
        [table, all.flatMap(({ sources }) => sources)],
        ...all.map(({ name, sources }): [string, readonly TableSource[]] => [name, sources]),
      ]),
    );
  }

  /** Whether it reads some source both with all columns and with few, which may be filled up to different entries. */
  get readsBothForms(): boolean {
    return [...this.#narrowed].some((unit) => this.units.has(unit));
  }

  /** Where the entries of a table lie, or of a part of one; null where that is one table of the database. */
  sourcesOf(table: string): readonly TableSource[] | null {
    const sources = this.#sources.get(table) ?? null;
    // What has to be filled is; all else stays as it is.
    if (sources?.some(({ unit }) => unit !== undefined)) this.readsGrowingTables = true;
    return sources;
  }

  /** The table of the database that has a table's rows. */
  storedTable(table: string): string {
    return storedTable(this.#layouts, table);
  }

  /** Where to read columns of a source; what that takes to be filled is remembered. */
  readFrom({ from, unit, narrow }: TableSource, columns: readonly string[]): Sql {
    if (narrow !== undefined && this.#mayNarrow && columns.every((name) => narrow.columns.has(name))) {
      this.units.add(narrow.unit);
      if (unit !== undefined) this.#narrowed.add(unit);
      return word(narrow.from);
    }
    if (unit !== undefined) this.units.add(unit);
    return word(from);
  }

  alias(): Sql {
    this.#aliases++;
    return word(`q${this.#aliases}`);
  }

  parameter(name: ParameterName): Sql {
    const known = this.parameters.indexOf(name);
    if (known >= 0) return parameter(known + 1);
    this.parameters.push(name);
    return parameter(this.parameters.length);
  }

  /** An expression under an alias is generated wherever the alias stands; its regular expressions are checked once. */
  checkRe2(pattern: string): CheckedRe2 {
    const checked = this.#regexps.get(pattern) ?? checkRe2(pattern);
    this.#regexps.set(pattern, checked);
    return checked;
  }

  cteUses(id: number): number {
    this.#cteUses ??= countCteUses(this.#plan);
    return this.#cteUses.get(id) ?? 0;
  }

  /** Whether an expression may raise an error for some rows, or a column that it uses is computed by one that may. */
  mayRaise(expression: ResolvedExpression): boolean {
    this.#raisingColumns ??= raisingColumns(this.#plan);
    return mayRaise(expression, this.#raisingColumns);
  }

  /** The name of a CTE that is written once in WITH; `generate` writes it on its first use. */
  sharedCte(id: number, generate: () => Sql): Sql {
    const known = this.#sharedCtes.get(id);
    if (known !== undefined) return known;
    const text = generate();
    const name = word(`w${id}`);
    this.ctes.push(duck`${name} AS MATERIALIZED (${text})`);
    this.#sharedCtes.set(id, name);
    return name;
  }

  /** Adds a recursive CTE, `name(columns) … AS (query)`. */
  recursiveCte(definition: Sql): void {
    this.ctes.push(definition);
    this.isRecursive = true;
  }

  expression(expression: ResolvedExpression, scope: Scope): Sql {
    const copiesTexts = scope.copiesTexts === true || !neverRaisesByRow(expression);
    return generateExpression(this, expression, { ...scope, copiesTexts });
  }

  /** The scan as a relation that has at least the columns of `needed`. */
  scan(scan: ResolvedScan, needed: ReadonlySet<number>, scope: Scope): Relation {
    return generateScan(this, scan, needed, scope);
  }

  /** The relation as a derived table of a new one. */
  wrap(relation: Relation, needed: ReadonlySet<number>): Relation {
    const ids = [...relation.columns.keys()].filter((id) => needed.has(id));
    return derivedTable(selectText(withoutOrder(relation), ids), this.alias(), ids);
  }
}
