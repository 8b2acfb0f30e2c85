import { countNodes } from '../../sql/resolved/count-nodes.ts';
import { countTableReads } from '../../sql/resolved/cte-uses.ts';
import type { ResolvedExpression } from '../../sql/resolved/expression.ts';
import type { ResolvedQuery, ResolvedScan } from '../../sql/resolved/scan.ts';
import { inheritOrder } from '../source-order.ts';

/** A query whose rows come newest first from one source. */
export interface NewestRows {
  /** The most rows that it asks for; null for all. */
  readonly limit: bigint | null;
}

/**
 * Whether a query answers the newest rows of one table that a parameter bounds in time from below, row by row: then
 * its first rows lie in any window that reaches back far enough to hold as many. That holds for a SELECT over one
 * source, filtered and unnested at will, that sorts by the bounded column first, descending; not where rows are
 * grouped, made distinct, numbered, joined or put together, and not where the parameter is used for anything else.
 */
export function findNewestRows(query: ResolvedQuery, startParameter: string): NewestRows | null {
  const scan = inheritOrder(query.scan);
  const limit = scan.kind === 'limit' ? scan.limit : null;
  const count = limit?.kind === 'literal' && typeof limit.value === 'bigint' ? limit.value : null;
  if (limit !== null && count === null) return null;
  const sorted = scan.kind === 'limit' ? scan.input : scan;
  const key = sorted.kind === 'order' ? sorted.keys[0] : undefined;
  if (sorted.kind !== 'order' || !key?.descending || key.expression.kind !== 'column') return null;
  const bounded = boundedColumn(sorted.input, startParameter);
  if (bounded === null || tableColumn(sorted.input, key.expression.column.id) !== bounded) return null;
  const uses = countNodes(scan, (node) => node.kind === 'parameter' && isNamed(node.name, startParameter));
  return countTableReads(scan) === 1 && uses === 1 ? { limit: count } : null;
}

/** The id of the table's column that a column of a chain of scans is; null where it is another value. */
export function tableColumn(scan: ResolvedScan, id: number): number | null {
  switch (scan.kind) {
    case 'table':
      return scan.columns.some((column) => column.id === id) ? id : null;
    case 'filter':
    case 'order':
      return tableColumn(scan.input, id);
    case 'unnest':
      return scan.element.id === id || scan.offset?.id === id ? null : tableColumn(scan.input, id);
    case 'project': {
      const computed = scan.computed.find(({ column }) => column.id === id);
      if (computed === undefined) return tableColumn(scan.input, id);
      const { expression } = computed;
      return expression.kind === 'column' ? tableColumn(scan.input, expression.column.id) : null;
    }
    case 'cte': {
      const inner = scan.cte.columns[scan.columns.findIndex((column) => column.id === id)];
      return inner === undefined ? null : tableColumn(scan.cte.scan, inner.id);
    }
    case 'single-row':
    case 'working-table':
    case 'join':
    case 'aggregate':
    case 'window':
    case 'limit':
    case 'set-operation':
      return null;
    default: {
      const unreachable: never = scan;
      throw new TypeError(`scan ${JSON.stringify(unreachable)}`);
    }
  }
}

/** The id of the table's column that a chain of scans filters by `column > IFNULL(@start, <constant>)`. */
function boundedColumn(scan: ResolvedScan, startParameter: string): number | null {
  switch (scan.kind) {
    case 'filter': {
      const column = conditionColumn(scan.condition, startParameter);
      return column === null ? boundedColumn(scan.input, startParameter) : tableColumn(scan.input, column);
    }
    case 'project':
    case 'unnest':
    case 'order':
      return boundedColumn(scan.input, startParameter);
    case 'cte':
      return boundedColumn(scan.cte.scan, startParameter);
    default:
      return null;
  }
}

/** The id of the column that one of the conditions which AND joins bounds. */
function conditionColumn(condition: ResolvedExpression, startParameter: string): number | null {
  if (condition.kind !== 'call') return null;
  if (condition.name === '$AND') {
    for (const part of condition.arguments) {
      const column = conditionColumn(part, startParameter);
      if (column !== null) return column;
    }
    return null;
  }
  const [column, bound] = condition.arguments;
  if (condition.name !== '$GREATER' || column?.kind !== 'column' || bound?.kind !== 'call') return null;
  const [parameter, otherwise] = bound.arguments;
  const isBound =
    bound.name === 'IFNULL' &&
    parameter?.kind === 'parameter' &&
    isNamed(parameter.name, startParameter) &&
    otherwise?.kind === 'literal';
  return isBound ? column.column.id : null;
}

function isNamed(name: unknown, parameter: string): boolean {
  return typeof name === 'string' && name.toLowerCase() === parameter.toLowerCase();
}
