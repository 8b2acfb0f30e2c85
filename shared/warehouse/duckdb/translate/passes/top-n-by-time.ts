import { countCteUses } from '../../../../sql/resolved/cte-uses.ts';
import type { ResolvedColumn, ResolvedExpression } from '../../../../sql/resolved/expression.ts';
import { callOf, columnReference, integer } from '../../../../sql/resolved/make-expression.ts';
import { mapPlan, type NeededColumns } from '../../../../sql/resolved/map-plan.ts';
import type { CteScan, LimitScan, OrderScan, ResolvedScan } from '../../../../sql/resolved/scan.ts';
import { BOOL, TIMESTAMP } from '../../../../sql/types/sql-type.ts';
import { TIME_COLUMN } from '../../../stored-dataset.ts';
import { isTextColumn } from '../../store/layout.ts';
import { isCheap } from '../shared-ctes.ts';
import type { KnownTables } from './known-data.ts';
import type { Pass } from './pass.ts';
import { copyRows, innerColumn, isPlain, sameColumn, tableColumn } from './plain-rows.ts';
import { rowsSought } from './rows-sought.ts';

/** Above it, sorting the rows with all that they hold costs more than finding them twice. */
const MOST_ROWS = 10_000n;

/** From so many columns on, reading those of a few row groups is worth finding the rows first. */
const MANY_COLUMNS = 16;

/** Most bounds in one query: each copies conditions, in which others may lie. */
const MOST_BOUNDS = 16;

/**
 * For "the newest n rows" of a table: adds the bound in time that they lie within, found by reading narrow columns
 * only. Tables are sorted by time, so DuckDB then reads the nested columns of a few row groups, whatever the table's
 * size; without the bound it reads those of many, and sorts the rows with all their nested values. Where arrays are
 * unnested by left joins, the entries are bounded: each is one row or more, so n of them are enough.
 */
export const TOP_N_BY_TIME: Pass = {
  name: 'top-n by time',
  stage: 'page',
  isCandidate: (scan) => soughtIn(scan) !== null,
  run(plan, { outputs, newColumnId, known }) {
    const uses = countCteUses(plan);
    const isUsedOnce = ({ cte }: CteScan) => uses.get(cte.id) === 1;
    let bounds = 0;
    return mapPlan(plan, outputs, (scan, needed) => {
      if (bounds === MOST_BOUNDS) return scan;
      const bounded = boundByTime(scan, needed, { newColumnId, isUsedOnce, parts: known.parts });
      if (bounded !== scan) bounds++;
      return bounded;
    });
  },
};

interface Context {
  readonly newColumnId: () => number;
  readonly isUsedOnce: (scan: CteScan) => boolean;
  readonly parts: KnownTables['parts'];
}

/** Rows with the column that has their time. */
interface FoundRows {
  readonly scan: ResolvedScan;
  readonly time: ResolvedColumn;
}

/** The first rows of a table's time order. */
interface Sought {
  readonly rows: bigint;
  readonly isNewestFirst: boolean;
}

function boundByTime(scan: ResolvedScan, needed: NeededColumns, context: Context): ResolvedScan {
  const sought = soughtIn(scan);
  if (sought === null) return scan;
  const { limit, ordered, timeId } = sought;
  const input = boundRows(ordered.input, timeId, needed, sought, context);
  return input === null ? scan : { ...limit, input: { ...ordered, input } };
}

/** What a LIMIT looks for in an order of rows of one table; null for any other scan. */
function soughtIn(
  limit: ResolvedScan,
): (Sought & { readonly limit: LimitScan; readonly ordered: OrderScan; readonly timeId: number }) | null {
  if (limit.kind !== 'limit' || limit.input.kind !== 'order') return null;
  const ordered = limit.input;
  const [key] = ordered.keys;
  const rows = rowsSought(limit);
  if (rows === null || rows > MOST_ROWS) return null;
  if (key?.expression.kind !== 'column' || !readsTable(ordered.input)) return null;
  return { limit, ordered, rows, timeId: key.expression.column.id, isNewestFirst: key.descending };
}

/** Whether each row of a table is one row or more of the scan, or none. */
function readsTable(scan: ResolvedScan): boolean {
  if (scan.kind === 'cte') return readsTable(scan.cte.scan);
  if (scan.kind === 'unnest') return scan.outer && readsTable(scan.input);
  return isPlain(scan) && (scan.kind === 'table' || readsTable(scan.input));
}

/** The rows with a bound where that saves reading; null where there is none, or nothing is saved. */
function boundRows(
  scan: ResolvedScan,
  timeId: number,
  needed: NeededColumns,
  sought: Sought,
  context: Context,
): ResolvedScan | null {
  const isInPlace = isInPlaceFor(context);
  if (tableColumn(scan, timeId, isInPlace) === null) return boundUnnested(scan, timeId, sought, context);
  const columns = [...needed()].flatMap((id) => tableColumn(scan, id, isInPlace) ?? []);
  // DuckDB finds the newest rows of one table by its order, but not those of a union.
  const isUnion = partsOf(scan, context) !== null;
  return isUnion || isWide(columns) ? boundPlainRows(scan, timeId, sought, context) : null;
}

/** Whether columns take long to read, and to sort: nested ones, the text of a whole record, or many. */
function isWide(columns: readonly ResolvedColumn[]): boolean {
  if (columns.length >= MANY_COLUMNS) return true;
  return columns.some(
    ({ name, type }) => type.kind === 'ARRAY' || type.kind === 'STRUCT' || isTextColumn(name),
  );
}

/** Rows that left joins with arrays make of entries, with the entries bounded; null for other rows. */
function boundUnnested(
  scan: ResolvedScan,
  timeId: number,
  sought: Sought,
  context: Context,
): ResolvedScan | null {
  switch (scan.kind) {
    case 'unnest': {
      if (!scan.outer || scan.element.id === timeId || scan.offset?.id === timeId) return null;
      const input =
        boundUnnested(scan.input, timeId, sought, context) ??
        boundPlainRows(scan.input, timeId, sought, context);
      return input === null ? null : { ...scan, input };
    }
    case 'project': {
      const id = sameColumn(scan, timeId);
      const input = id === null ? null : boundUnnested(scan.input, id, sought, context);
      return input === null ? null : { ...scan, input };
    }
    case 'order': {
      const input = boundUnnested(scan.input, timeId, sought, context);
      return input === null ? null : { ...scan, input };
    }
    case 'cte': {
      const inner = innerColumn(scan, timeId);
      if (inner === null || !context.isUsedOnce(scan)) return null;
      const bounded = boundUnnested(scan.cte.scan, inner.id, sought, context);
      return bounded === null ? null : { ...scan, cte: { ...scan.cte, scan: bounded } };
    }
    default:
      return null;
  }
}

function isInPlaceFor({ isUsedOnce }: Context): (scan: CteScan) => boolean {
  return (scan) => isUsedOnce(scan) || isCheap(scan.cte.scan);
}

/** Rows of a table, one by one, with a bound; null for others, or where the column is not the table's time. */
function boundPlainRows(
  scan: ResolvedScan,
  timeId: number,
  sought: Sought,
  context: Context,
): ResolvedScan | null {
  const { rows, isNewestFirst } = sought;
  const { newColumnId } = context;
  const time = tableColumn(scan, timeId, isInPlaceFor(context));
  if (time?.name !== TIME_COLUMN || time.type.kind !== 'TIMESTAMP') return null;
  const newest = (table: string | null): FoundRows | null => {
    const copy = copyRows(scan, newColumnId);
    const copied = copy?.columns.get(timeId);
    if (copy === null || copied === undefined) return null;
    const ordered: OrderScan = {
      kind: 'order',
      input: table === null ? copy.scan : overTable(copy.scan, table),
      keys: [{ expression: columnReference(copied), descending: isNewestFirst, nullsFirst: !isNewestFirst }],
    };
    return { scan: { kind: 'limit', input: ordered, limit: integer(rows), offset: null }, time: copied };
  };
  const parts = partsOf(scan, context);
  const first = parts === null ? newest(null) : newestOfAll(parts.map(newest), sought, newColumnId);
  if (first === null) return null;
  const outermost: ResolvedColumn = { id: newColumnId(), name: '', type: TIMESTAMP };
  const found: ResolvedScan = {
    kind: 'aggregate',
    input: first.scan,
    keys: [],
    sets: null,
    aggregates: [
      {
        column: outermost,
        name: isNewestFirst ? 'MIN' : 'MAX',
        arguments: [columnReference(first.time)],
        distinct: false,
        nulls: null,
        having: null,
        orderBy: [],
        limit: null,
      },
    ],
  };
  const bound: ResolvedExpression = {
    kind: 'subquery',
    type: TIMESTAMP,
    mode: 'scalar',
    scan: found,
    column: outermost,
    operand: null,
  };
  const compare = isNewestFirst ? '$GREATER_OR_EQUAL' : '$LESS_OR_EQUAL';
  const condition = callOf(compare, BOOL, columnReference({ ...time, id: timeId }), bound);
  return { kind: 'filter', input: scan, condition };
}

/** The parts of the one table that plain rows are of; null where it has none. */
function partsOf(scan: ResolvedScan, { parts }: Pick<Context, 'parts'>): readonly string[] | null {
  if (parts === undefined || !isPlain(scan)) return null;
  switch (scan.kind) {
    case 'table':
      return parts.get(scan.table)?.map(({ name }) => name) ?? null;
    case 'cte':
      return partsOf(scan.cte.scan, { parts });
    default:
      return partsOf(scan.input, { parts });
  }
}

/** Copied rows over a part of their table. */
function overTable(scan: ResolvedScan, table: string): ResolvedScan {
  if (scan.kind === 'table') return { ...scan, table };
  return 'input' in scan ? { ...scan, input: overTable(scan.input, table) } : scan;
}

/** The first rows of all parts, of which each gives as many as are sought in all. */
function newestOfAll(
  found: readonly (FoundRows | null)[],
  { rows, isNewestFirst }: Sought,
  newColumnId: () => number,
): FoundRows | null {
  const inputs = found.flatMap((one) => (one === null ? [] : [{ scan: one.scan, columns: [one.time] }]));
  if (inputs.length < found.length) return null;
  const time: ResolvedColumn = { id: newColumnId(), name: TIME_COLUMN, type: TIMESTAMP };
  const all: ResolvedScan = {
    kind: 'set-operation',
    operator: 'UNION',
    distinct: false,
    inputs,
    columns: [time],
  };
  const ordered: OrderScan = {
    kind: 'order',
    input: all,
    keys: [{ expression: columnReference(time), descending: isNewestFirst, nullsFirst: !isNewestFirst }],
  };
  return { scan: { kind: 'limit', input: ordered, limit: integer(rows), offset: null }, time };
}
