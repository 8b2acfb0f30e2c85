import type { ResolvedColumn, ResolvedExpression } from '../../../../sql/resolved/expression.ts';
import { callOf, columnReference, either, integer } from '../../../../sql/resolved/make-expression.ts';
import { addedColumns } from '../../../../sql/resolved/outer-columns.ts';
import { isExpression, type PlanNode, walkParts } from '../../../../sql/resolved/parts.ts';
import type { CteScan, ResolvedScan, TableScan } from '../../../../sql/resolved/scan.ts';
import { BOOL, INT64, TIMESTAMP } from '../../../../sql/types/sql-type.ts';
import { MAX_TIMESTAMP_MICROS, MIN_TIMESTAMP_MICROS } from '../../../../time/units.ts';
import { TIME_COLUMN } from '../../../stored-dataset.ts';
import { sameColumn } from './plain-rows.ts';
import { rowsSought } from './rows-sought.ts';

/** Above it, keeping the rows that give the bound costs more than it saves. */
const MOST_ROWS = 10_000n;

/** Rows with the columns of them that count. */
export interface RowsOfUnion {
  readonly scan: ResolvedScan;
  readonly columns: readonly ResolvedColumn[];
}

/** Rows that are read once and used twice: as they are, and for the bound in time of others. */
interface BoundingRows {
  readonly rows: RowsOfUnion;
  /** The entries of another table that may be among the first rows of both. */
  within(table: TableScan): ResolvedScan;
}

/**
 * Where the first n rows of two tables in the order of time are sought, those of the second are not beyond the n-th row of
 * the first. Null for rows that are not the first ones by time, or that depend on the query around them.
 */
export function boundByOthers(
  { scan, columns }: RowsOfUnion,
  newColumnId: () => number,
): BoundingRows | null {
  if (scan.kind !== 'limit' || scan.input.kind !== 'order') return null;
  const [key] = scan.input.keys;
  const count = rowsSought(scan);
  if (key?.expression.kind !== 'column' || count === null || count > MOST_ROWS) return null;
  const time = key.expression.column;
  if (!isTableTime(scan.input.input, time.id) || !standsAlone(scan)) return null;
  const own = columns.some(({ id }) => id === time.id) ? columns : [...columns, time];
  const cte = { id: newColumnId(), name: '', scan, columns: own };
  const use = (): CteScan => {
    return { kind: 'cte', cte, columns: own.map((column) => ({ ...column, id: newColumnId() })) };
  };
  const first = use();
  return {
    rows: { scan: first, columns: first.columns.slice(0, columns.length) },
    within: (table) => {
      const asked = table.columns.find(({ name }) => name === TIME_COLUMN);
      const again = use();
      const known = again.columns[own.findIndex(({ id }) => id === time.id)];
      if (asked === undefined || known === undefined) return table;
      const bound = timeOfLast(again, { time: known, count, isNewestFirst: key.descending }, newColumnId);
      const compare = key.descending ? '$GREATER_OR_EQUAL' : '$LESS_OR_EQUAL';
      return {
        kind: 'filter',
        input: table,
        condition: callOf(compare, BOOL, columnReference(asked), bound),
      };
    },
  };
}

/** A number of rows in the order of time. */
interface TimedRows {
  readonly time: ResolvedColumn;
  readonly count: bigint;
  readonly isNewestFirst: boolean;
}

/** The time of the last of so many rows; where there are fewer, the end of time. */
function timeOfLast(
  input: ResolvedScan,
  { time, count, isNewestFirst }: TimedRows,
  newColumnId: () => number,
): ResolvedExpression {
  const rows: ResolvedColumn = { id: newColumnId(), name: '', type: INT64 };
  const last: ResolvedColumn = { id: newColumnId(), name: '', type: TIMESTAMP };
  const bound: ResolvedColumn = { id: newColumnId(), name: '', type: TIMESTAMP };
  const plain = { distinct: false, nulls: null, having: null, orderBy: [], limit: null } as const;
  const found: ResolvedScan = {
    kind: 'aggregate',
    input,
    keys: [],
    sets: null,
    aggregates: [
      { ...plain, column: rows, name: '$COUNT_STAR', arguments: [] },
      { ...plain, column: last, name: isNewestFirst ? 'MIN' : 'MAX', arguments: [columnReference(time)] },
    ],
  };
  const isFull = callOf('$EQUAL', BOOL, columnReference(rows), integer(count));
  const end = isNewestFirst ? MIN_TIMESTAMP_MICROS : MAX_TIMESTAMP_MICROS;
  const endOfTime: ResolvedExpression = { kind: 'literal', type: TIMESTAMP, value: end };
  const expression = either(isFull, columnReference(last), endOfTime);
  const scan: ResolvedScan = { kind: 'project', input: found, computed: [{ column: bound, expression }] };
  return { kind: 'subquery', type: TIMESTAMP, mode: 'scalar', scan, column: bound, operand: null };
}

/** Whether a column of rows that are made of a table's entries one by one is the entries' time. */
function isTableTime(scan: ResolvedScan, id: number): boolean {
  switch (scan.kind) {
    case 'table': {
      const column = scan.columns.find((one) => one.id === id);
      return column?.name === TIME_COLUMN && column.type.kind === 'TIMESTAMP';
    }
    case 'filter':
      return isTableTime(scan.input, id);
    case 'unnest':
      return scan.element.id !== id && scan.offset?.id !== id && isTableTime(scan.input, id);
    case 'project': {
      const same = sameColumn(scan, id);
      return same !== null && isTableTime(scan.input, same);
    }
    case 'join':
      return isTableTime(scan.left, id);
    default:
      return false;
  }
}

/** Whether rows can be computed apart from the query around them: they use no column of it, and are no step of a recursion. */
function standsAlone(scan: ResolvedScan): boolean {
  const used = new Set<number>();
  const own = new Set<number>();
  let isStep = false;
  const visit = (part: PlanNode): void => {
    if (part.kind === 'column') used.add(part.column.id);
    if (part.kind === 'let') for (const { column } of part.variables) own.add(column.id);
    if (part.kind === 'working-table') isStep = true;
    if (!isExpression(part)) for (const { id } of addedColumns(part)) own.add(id);
    walkParts(part, visit);
  };
  visit(scan);
  return !isStep && [...used].every((id) => own.has(id));
}
