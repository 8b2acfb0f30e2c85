import {
  allOf,
  binary,
  call,
  column,
  parameter,
  path,
  query,
  select,
  star,
  tableSubquery,
} from '../../sql/ast/build.ts';
import type { Cte, FromItem, Query, QueryBody, Select, TablePath } from '../../sql/ast/query.ts';
import { parseText } from '../../sql/parser/parsed-query.ts';
import { printQuery } from '../../sql/print/print-query.ts';
import { COMPOSED_LIMITS } from '../../sql/text/sql-limits.ts';
import type { TimeSpan } from '../../time/units.ts';
import { STORED_DATASET, TIME_COLUMN } from '../../warehouse/stored-dataset.ts';
import { notSealable } from './not-sealable.ts';

/** The column that a grained query has besides its own: the TIMESTAMP at which the grain of a row begins. */
export const GRAIN_COLUMN = 'lqe_grain';
/** The parameters that a grained query has besides its own: the first and the last instant that it reads. */
export const FIRST_PARAMETER = 'lqe_first';
export const LAST_PARAMETER = 'lqe_last';

/**
 * The text of a stored query that groups by grains of time as well, and reads its table from one instant up to another:
 * the table gets these bounds and the column, and every SELECT on the way to the answer hands the column on. Throws a
 * ServiceError (invalid_argument) for a query that has another shape.
 */
export function grainedText(sql: string, grain: TimeSpan): string {
  const { tokens, tree } = parseText(sql, COMPOSED_LIMITS);
  const taken = new Set(tokens.map(({ value }) => value.toLowerCase()));
  for (const name of [GRAIN_COLUMN, FIRST_PARAMETER, LAST_PARAMETER])
    if (taken.has(name)) throw notSealable(`the name ${name} is the service's own; use another`);
  return printQuery(grainedQuery(tree, grain));
}

function grainedQuery(whole: Query, grain: TimeSpan): Query {
  const ctes = new Map(whole.ctes.map((cte) => [cte.name.toLowerCase(), cte]));
  const grained = new Map<Cte, Cte>();

  const inQuery = (one: Query): Query => {
    if (one !== whole && one.ctes.length > 0) throw notSealable('WITH may stand at its beginning only');
    return { ...one, body: inBody(one.body) };
  };
  const inBody = (body: QueryBody): QueryBody => {
    if (body.kind === 'query') return inQuery(body);
    if (body.kind !== 'select') throw notSealable('write it as SELECT … FROM …, without UNION and pipes');
    if (body.from === null) throw notSealable('each SELECT needs a FROM');
    return { ...withGrain(body, firstItem(body.from)), from: inFrom(body.from) };
  };
  const inFrom = (item: FromItem): FromItem => {
    if (item.kind === 'join') return { ...item, left: inFrom(item.left) };
    if (item.kind === 'table-subquery') return { ...item, query: inQuery(item.query) };
    if (item.kind !== 'table' || item.path.length !== 1) return boundedTable(item, grain);
    const cte = ctes.get(item.path[0]?.toLowerCase() ?? '');
    if (cte !== undefined) grained.set(cte, { ...cte, query: inQuery(cte.query) });
    return item;
  };

  const result = inQuery(whole);
  return { ...result, ctes: whole.ctes.map((cte) => grained.get(cte) ?? cte) };
}

/** The one that all others are arrays of. */
function firstItem(item: FromItem): Exclude<FromItem, { kind: 'join' }> {
  return item.kind === 'join' ? firstItem(item.left) : item;
}

/** Adds the column to a SELECT list, unless a star brings it, and to GROUP BY. */
function withGrain(body: Select, source: FromItem): Select {
  const grain = column(path(GRAIN_COLUMN));
  const { groupBy } = body;
  return {
    ...body,
    items: body.items.some((item) => isStarOf(item, source)) ? body.items : [...body.items, grain],
    groupBy:
      groupBy?.kind === 'items'
        ? {
            ...groupBy,
            items: [{ kind: 'expression', expression: path(GRAIN_COLUMN), at: 0 }, ...groupBy.items],
          }
        : groupBy,
  };
}

function isStarOf(item: Select['items'][number], source: FromItem): boolean {
  if (item.kind === 'star') return true;
  return item.kind === 'dot-star' && item.base.kind === 'name' && isCalled(source, item.base.name);
}

function isCalled(source: FromItem, name: string): boolean {
  if (source.kind === 'join') return false;
  const called = source.alias ?? (source.kind === 'table' ? source.path.at(-1) : undefined);
  return called?.toLowerCase() === name.toLowerCase();
}

/** A table of the logs between the two instants, with the column. */
function boundedTable(source: FromItem, grain: TimeSpan): FromItem {
  if (!isStoredTable(source)) throw notSealable(`it must read a table ${STORED_DATASET}.<source>`);
  const time = path(TIME_COLUMN);
  const truncated = call('TIMESTAMP_TRUNC', time, path(grain.toUpperCase()));
  const where = allOf([
    binary(time, '>=', parameter(FIRST_PARAMETER)),
    binary(time, '<=', parameter(LAST_PARAMETER)),
  ]);
  const { alias, ...table } = source;
  const rows = select([star(), column(truncated, GRAIN_COLUMN)], { from: { ...table, alias: null }, where });
  return tableSubquery(query(rows), alias ?? source.path[1]);
}

function isStoredTable(source: FromItem): source is TablePath {
  return source.kind === 'table' && source.path[0] === STORED_DATASET && source.path.length === 2;
}
