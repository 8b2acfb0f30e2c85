import type { ResolvedAggregate, ResolvedExpression } from '../../../sql/resolved/expression.ts';
import type { AggregateScan } from '../../../sql/resolved/scan.ts';
import type { SqlType } from '../../../sql/types/sql-type.ts';
import { duck, EMPTY, joined, type Sql, word } from './duck/sql.ts';
import { raiseText } from './functions/fragments.ts';
import { sumOver } from './functions/translate-call.ts';
import { notSupported } from './not-supported.ts';
import { derivedTable, type Relation, selectText } from './relation.ts';
import { inside, type Scope } from './scope.ts';

/** What the rows of a group hold for an aggregate that looks at other rows of it. */
export interface PreparedRows {
  /** Whether the aggregate takes the row. */
  readonly only: Sql;
  /** Of APPROX_TOP_SUM, the sum of all rows with the same value. */
  readonly total: Sql | null;
}

interface Host {
  readonly newId: () => number;
  alias(): Sql;
  expression(expression: ResolvedExpression, scope: Scope): Sql;
}

/** How the columns of the rows beneath are named, and the window over the rows of one group that are alike in some of them. */
interface Rows {
  sql(id: number): Sql;
  window(...alike: readonly number[]): Sql;
}

/** The columns that an aggregate needs of each row, and what is made of them over the rows of its group. */
interface Preparation {
  readonly aggregate: ResolvedAggregate;
  readonly needs: readonly ResolvedExpression[];
  only(rows: Rows, ids: readonly number[]): Sql;
  total(rows: Rows, ids: readonly number[]): Sql | null;
}

/**
 * The rows with columns for those aggregates that look at other rows of their group first: HAVING MAX and MIN leave the rows with the
 * greatest or least value, APPROX_TOP_SUM takes one row for each value.
 */
export function prepareRows(
  generator: Host,
  scan: AggregateScan,
  aggregates: readonly ResolvedAggregate[],
  rows: Relation,
  used: ReadonlySet<number>,
  scope: Scope,
): { readonly relation: Relation; readonly prepared: ReadonlyMap<ResolvedAggregate, PreparedRows> } {
  const preparations = aggregates.flatMap((aggregate) => preparationOf(aggregate) ?? []);
  const [first] = preparations;
  if (first === undefined) return { relation: rows, prepared: new Map() };
  if (scan.sets !== null) {
    const { name, having } = first.aggregate;
    const what = having === null ? name : `HAVING ${having.bound}`;
    throw notSupported(`${what} with ROLLUP, CUBE or GROUPING SETS`);
  }
  const within = inside(rows, scope);
  const columns = new Map(rows.columns);
  const add = (sql: Sql): number => {
    const id = generator.newId();
    columns.set(id, { sql, isSimple: false });
    return id;
  };
  const keys = scan.keys.map(({ expression }) => add(generator.expression(expression, within)));
  const needs = preparations.map((one) => one.needs.map((need) => add(generator.expression(need, within))));
  const ids = [...[...used].filter((id) => columns.has(id)), ...keys, ...needs.flat()];
  const inner = derivedTable(selectText({ ...rows, columns }, ids), generator.alias(), ids);
  const sql = (id: number): Sql => inner.columns.get(id)?.sql ?? EMPTY;
  const groups: Rows = {
    sql,
    window: (...alike) => {
      const all = [...keys, ...alike].map(sql);
      return all.length === 0 ? word('OVER ()') : duck`OVER (PARTITION BY ${joined(all, ', ')})`;
    },
  };
  const outer = new Map(inner.columns);
  const made = preparations.map((one, index) => {
    const [only, total] = [generator.newId(), generator.newId()];
    const sum = one.total(groups, needs[index] ?? []);
    outer.set(only, { sql: one.only(groups, needs[index] ?? []), isSimple: false });
    if (sum !== null) outer.set(total, { sql: sum, isSimple: false });
    return { aggregate: one.aggregate, only, total };
  });
  const all = [...outer.keys()];
  const relation = derivedTable(selectText({ ...inner, columns: outer }, all), generator.alias(), all);
  const prepared = made.map(({ aggregate, only, total }) => {
    const column = (id: number) => relation.columns.get(id)?.sql ?? null;
    return [aggregate, { only: column(only) ?? EMPTY, total: column(total) }] as const;
  });
  return { relation, prepared: new Map(prepared) };
}

function preparationOf(aggregate: ResolvedAggregate): Preparation | null {
  const { name, having, arguments: values } = aggregate;
  const [value, weight] = values;
  if (name === 'APPROX_TOP_SUM' && value !== undefined && weight !== undefined)
    return {
      aggregate,
      needs: [value, weight],
      only: (rows, [id = 0]) => duck`row_number() ${rows.window(id)} = 1`,
      total: (rows, [id = 0, weightId = 0]) => total(rows, id, weightId, weight),
    };
  // ANY_VALUE finds its row by itself.
  if (having === null || name === 'ANY_VALUE') return null;
  const { bound, expression } = having;
  return {
    aggregate,
    needs: [expression],
    only: (rows, [id = 0]) => isExtreme(rows, id, bound, expression.type),
    total: () => null,
  };
}

function isExtreme(rows: Rows, id: number, bound: 'MAX' | 'MIN', type: SqlType): Sql {
  const name = word(bound === 'MAX' ? 'max' : 'min');
  const isEqual = duck`coalesce(${rows.sql(id)} = ${name}(${rows.sql(id)}) ${rows.window()}, FALSE)`;
  if (type.kind !== 'FLOAT64') return isEqual;
  // NaN is the greatest and the least value of all, and equal to none.
  return duck`(${isEqual} AND NOT coalesce(bool_or(isnan(${rows.sql(id)})) ${rows.window()}, FALSE))`;
}

function total(rows: Rows, id: number, weightId: number, weight: ResolvedExpression): Sql {
  const sql = rows.sql(weightId);
  const isWrong = weight.type.kind === 'FLOAT64' ? duck`${sql} < 0 OR isnan(${sql})` : duck`${sql} < 0`;
  const refusal = raiseText('APPROX_TOP_SUM takes no weights that are negative or NaN', weight.type);
  return duck`CASE WHEN bool_or(${isWrong}) ${rows.window(id)} THEN ${refusal} ELSE ${sumOver(weight, sql, rows.window(id))} END`;
}
