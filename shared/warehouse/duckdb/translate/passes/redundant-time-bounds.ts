import { conjunction, conjuncts } from '../../../../sql/resolved/conjuncts.ts';
import type { ResolvedExpression } from '../../../../sql/resolved/expression.ts';
import { mapPlan } from '../../../../sql/resolved/map-plan.ts';
import type { ResolvedScan, TableScan } from '../../../../sql/resolved/scan.ts';
import { TIME_COLUMN } from '../../../stored-dataset.ts';
import type { EntryTimes, KnownData } from './known-data.ts';
import type { Pass } from './pass.ts';

/** Bounds of time that all entries of a table lie within are left out. */
export const REDUNDANT_TIME_BOUNDS: Pass = {
  name: 'redundant time bounds',
  stage: 'page',
  isCandidate: (scan, { known }) => dropRedundantTimeBounds(scan, known) !== scan,
  run: (plan, { known, outputs }) => mapPlan(plan, outputs, (scan) => dropRedundantTimeBounds(scan, known)),
};

/**
 * A filter over a table without those bounds of time that all its entries lie within, such as `timestamp >
 * IFNULL(@start, TIMESTAMP '0001-01-01')` where @start is NULL. DuckDB finds from its statistics that such a bound
 * drops nothing, but reads the column for it all the same.
 */
function dropRedundantTimeBounds(
  scan: ResolvedScan,
  { timeRanges, nullParameters }: KnownData,
): ResolvedScan {
  if (scan.kind !== 'filter' || scan.input.kind !== 'table') return scan;
  const { input: table } = scan;
  const range = timeRanges.get(table.table);
  if (range === undefined) return scan;
  const all = conjuncts(scan.condition);
  const kept = all.filter((condition) => !holdsThroughout(condition, table, range, nullParameters));
  if (kept.length === all.length) return scan;
  const condition = conjunction(kept);
  return condition === null ? table : { kind: 'filter', input: table, condition };
}

/** Whether a condition is a bound of the table's time that both its first and its last entry meet. */
function holdsThroughout(
  condition: ResolvedExpression,
  table: TableScan,
  { firstMicros, lastMicros }: EntryTimes,
  nullParameters: ReadonlySet<string>,
): boolean {
  if (condition.kind !== 'call') return false;
  const [time, limit] = condition.arguments;
  if (time?.kind !== 'column' || limit === undefined || !isTimeOf(table, time.column.id)) return false;
  const micros = constantMicros(limit, nullParameters);
  if (micros === null) return false;
  switch (condition.name) {
    case '$GREATER':
      return firstMicros > micros;
    case '$GREATER_OR_EQUAL':
      return firstMicros >= micros;
    case '$LESS':
      return lastMicros < micros;
    case '$LESS_OR_EQUAL':
      return lastMicros <= micros;
    default:
      return false;
  }
}

function isTimeOf({ columns }: TableScan, id: number): boolean {
  const column = columns.find((one) => one.id === id);
  return column?.name === TIME_COLUMN && column.type.kind === 'TIMESTAMP';
}

/** The instant that an expression stands for: a literal, or what IFNULL has for a parameter that is NULL. */
function constantMicros(expression: ResolvedExpression, nullParameters: ReadonlySet<string>): bigint | null {
  if (expression.kind === 'literal') {
    return expression.type.kind === 'TIMESTAMP' && typeof expression.value === 'bigint'
      ? expression.value
      : null;
  }
  if (expression.kind !== 'call' || expression.name !== 'IFNULL') return null;
  const [parameter, otherwise] = expression.arguments;
  if (
    parameter?.kind !== 'parameter' ||
    typeof parameter.name === 'symbol' ||
    !nullParameters.has(parameter.name)
  )
    return null;
  return otherwise === undefined ? null : constantMicros(otherwise, nullParameters);
}
