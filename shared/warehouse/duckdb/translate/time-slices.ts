import { countTableReads } from '../../../sql/resolved/cte-uses.ts';
import type { ResolvedColumn, ResolvedExpression } from '../../../sql/resolved/expression.ts';
import type { LimitScan, OrderScan, ResolvedScan } from '../../../sql/resolved/scan.ts';
import { BOOL, INT64 } from '../../../sql/types/sql-type.ts';
import { TIME_COLUMN } from '../../stored-dataset.ts';
import { SLICE_END, SLICE_START } from './internal-parameters.ts';

/** A query whose rows can be read a stretch of time at a time, one after the other. */
export interface TimeSlices {
  /** Whether later slices lie further back. */
  readonly isNewestFirst: boolean;
  /** The most rows that the query asks for itself; null for all. */
  readonly limit: bigint | null;
  /** Finds how far a slice has to reach: one row with the instant in `column`, or none where all that is left is needed. */
  readonly search: ResolvedScan;
  readonly column: ResolvedColumn;
  /** The rows of a slice in the query's order, no more than some. */
  readonly rows: ResolvedScan;
}

/**
 * Takes a query apart that answers the rows of one log table in the order of time, filtered and unnested at will; null
 * for any other. Slices do not overlap and are read in order, so that each row comes once, also where many have the
 * same time.
 */
export function sliceByTime(
  scan: ResolvedScan,
  { soughtRows, mostRows }: { readonly soughtRows: number; readonly mostRows: number },
): TimeSlices | null {
  const limit = scan.kind === 'limit' ? ownLimit(scan) : null;
  const ordered = scan.kind === 'limit' ? scan.input : scan;
  if (ordered.kind !== 'order' || (scan.kind === 'limit' && limit === null)) return null;
  const key = ordered.keys[0];
  if (key?.expression.kind !== 'column') return null;
  const input = boundTime(ordered.input, key.expression.column.id, withinSlice);
  if (input === null || countTableReads(scan) !== 1) return null;
  const search: OrderScan = { kind: 'order', input, keys: [key] };
  return {
    isNewestFirst: key.descending,
    limit,
    search: { kind: 'limit', input: search, limit: count(1), offset: count(soughtRows - 1) },
    column: key.expression.column,
    rows: { kind: 'limit', input: { ...ordered, input }, limit: count(mostRows), offset: null },
  };
}

function ownLimit({ limit, offset }: LimitScan): bigint | null {
  return limit.kind === 'literal' && typeof limit.value === 'bigint' && offset === null ? limit.value : null;
}

function count(rows: number): ResolvedExpression {
  return { kind: 'literal', type: INT64, value: BigInt(rows) };
}

/** What the column with a table's time has to meet. */
type TimeCondition = (column: ResolvedColumn) => ResolvedExpression;

/** A chain of scans with the table's time bounded at its end; null where the column is not that time. */
export function boundTime(scan: ResolvedScan, id: number, condition: TimeCondition): ResolvedScan | null {
  switch (scan.kind) {
    case 'table': {
      const column = scan.columns.find((one) => one.id === id);
      const isTime = column?.name === TIME_COLUMN && column.type.kind === 'TIMESTAMP';
      return isTime ? { kind: 'filter', input: scan, condition: condition(column) } : null;
    }
    case 'cte': {
      const position = scan.columns.findIndex((column) => column.id === id);
      const [outer, inner] = [scan.columns[position], scan.cte.columns[position]];
      if (
        outer === undefined ||
        inner === undefined ||
        boundTime(scan.cte.scan, inner.id, condition) === null
      )
        return null;
      return { kind: 'filter', input: scan, condition: condition(outer) };
    }
    case 'unnest':
      return scan.element.id === id || scan.offset?.id === id ? null : boundInput(scan, id, condition);
    case 'project': {
      const expression = scan.computed.find(({ column }) => column.id === id)?.expression;
      if (expression === undefined) return boundInput(scan, id, condition);
      return expression.kind === 'column' ? boundInput(scan, expression.column.id, condition) : null;
    }
    case 'filter':
    case 'order':
      return boundInput(scan, id, condition);
    default:
      return null;
  }
}

function boundInput(
  scan: Extract<ResolvedScan, { readonly kind: 'unnest' | 'project' | 'filter' | 'order' }>,
  id: number,
  condition: TimeCondition,
): ResolvedScan | null {
  const input = boundTime(scan.input, id, condition);
  return input === null ? null : { ...scan, input };
}

function withinSlice(column: ResolvedColumn): ResolvedExpression {
  const { type } = column;
  const compare = (name: string, parameter: symbol): ResolvedExpression => ({
    ...CALL,
    name,
    arguments: [
      { kind: 'column', type, column },
      { kind: 'parameter', type, name: parameter },
    ],
  });
  const bounds = [compare('$GREATER_OR_EQUAL', SLICE_START), compare('$LESS_OR_EQUAL', SLICE_END)];
  return { ...CALL, name: '$AND', arguments: bounds };
}

const CALL = { kind: 'call', type: BOOL, part: null, safe: false } as const;
