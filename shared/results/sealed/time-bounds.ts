import { conjuncts } from '../../sql/resolved/conjuncts.ts';
import { countNodes } from '../../sql/resolved/count-nodes.ts';
import type { ResolvedCall, ResolvedExpression } from '../../sql/resolved/expression.ts';
import type { PlanNode } from '../../sql/resolved/parts.ts';
import { referencedColumns } from '../../sql/resolved/references.ts';
import type { ResolvedQuery, ResolvedScan } from '../../sql/resolved/scan.ts';
import type { BoundedTimeRange } from '../../time/time-range.ts';
import { MAX_TIMESTAMP_MICROS } from '../../time/units.ts';
import { tableColumn } from '../../warehouse/newest-first/newest-rows.ts';
import { TIME_COLUMN } from '../../warehouse/stored-dataset.ts';
import type { Aggregation } from './aggregation.ts';
import { type EvaluationContext, instantOf } from './evaluate.ts';
import { notSealable } from './not-sealable.ts';

/** A condition `time <operator> limit` that every entry meets, where the limit depends on the present. */
interface Bound {
  readonly side: 'first' | 'last';
  /** Microseconds from the limit to the first or the last instant that meets it. */
  readonly step: bigint;
  readonly limit: ResolvedExpression;
}

/** The bounds of the time that a query reads. */
export type TimeBounds = readonly Bound[];

const OPERATORS: Readonly<Record<string, Pick<Bound, 'side' | 'step'>>> = {
  $GREATER: { side: 'first', step: 1n },
  $GREATER_OR_EQUAL: { side: 'first', step: 0n },
  $LESS: { side: 'last', step: -1n },
  $LESS_OR_EQUAL: { side: 'last', step: 0n },
};
const FLIPPED: Readonly<Record<string, string>> = {
  $GREATER: '$LESS',
  $GREATER_OR_EQUAL: '$LESS_OR_EQUAL',
  $LESS: '$GREATER',
  $LESS_OR_EQUAL: '$GREATER_OR_EQUAL',
};

/**
 * The bounds that a query sets its entries' time relative to the present. Throws a ServiceError (invalid_argument) where it
 * sets none from below, or asks for the present anywhere else: then what a past hour counts depends on when it is asked.
 */
export function readTimeBounds(query: ResolvedQuery, { aggregate }: Aggregation): TimeBounds {
  const bounds: Bound[] = [];
  for (let scan = aggregate.input; scan.kind !== 'table'; scan = inputOf(scan))
    if (scan.kind === 'filter') bounds.push(...boundsIn(scan.condition, scan.input));
  if (!bounds.some(({ side }) => side === 'first'))
    throw notSealable(
      `it must bound ${TIME_COLUMN} from below relative to the present, as in ${TIME_COLUMN} >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 7 DAY)`,
    );
  if (clocksIn(query.scan) !== bounds.reduce((sum, { limit }) => sum + clocksIn(limit), 0))
    throw notSealable(
      `it may ask for the present in bounds of ${TIME_COLUMN} only, each a condition of its own that AND joins to others`,
    );
  return bounds;
}

/** What the bounds come to; null where one of them is NULL or no instant, for which the query itself has the answer. */
export function timeRangeOf(bounds: TimeBounds, givens: EvaluationContext): BoundedTimeRange | null {
  const window = { first: null as bigint | null, last: MAX_TIMESTAMP_MICROS };
  for (const { side, step, limit } of bounds) {
    const instant = instantOf(limit, givens);
    if (instant === null) return null;
    const micros = instant + step;
    if (side === 'last') window.last = micros < window.last ? micros : window.last;
    else window.first = window.first === null || micros > window.first ? micros : window.first;
  }
  return window.first === null ? null : { after: window.first - 1n, upTo: window.last };
}

function inputOf(scan: ResolvedScan): ResolvedScan {
  if (scan.kind === 'cte') return scan.cte.scan;
  if ('input' in scan) return scan.input;
  throw new TypeError(`scan ${scan.kind} was looked at before`);
}

function boundsIn(condition: ResolvedExpression, input: ResolvedScan): Bound[] {
  return conjuncts(condition).flatMap((part) => {
    if (part.kind !== 'call') return [];
    const [one, other, third] = part.arguments;
    const comparisons =
      part.name === '$BETWEEN'
        ? [comparison('$GREATER_OR_EQUAL', one, other), comparison('$LESS_OR_EQUAL', one, third)]
        : [comparison(part.name, one, other), comparison(FLIPPED[part.name] ?? '', other, one)];
    return comparisons.flatMap((compared) => (compared === null ? [] : (boundOf(compared, input) ?? [])));
  });
}

type Comparison = Pick<ResolvedCall, 'name'> & Record<'time' | 'limit', ResolvedExpression>;

function comparison(name: string, time?: ResolvedExpression, limit?: ResolvedExpression): Comparison | null {
  return time === undefined || limit === undefined ? null : { name, time, limit };
}

function boundOf({ name, time, limit }: Comparison, input: ResolvedScan): Bound | null {
  const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (operator === undefined || time.kind !== 'column' || !isTime(input, time.column.id)) return null;
  if (referencedColumns(limit).size > 0 || clocksIn(limit) === 0) return null;
  return { ...operator, limit };
}

/** Whether a column of a chain of scans is the time of the table's entries. */
export function isTime(scan: ResolvedScan, id: number): boolean {
  const tableColumnId = tableColumn(scan, id);
  let table = scan;
  while (table.kind !== 'table') table = inputOf(table);
  return table.columns.some(
    (column) => column.id === tableColumnId && column.name.toLowerCase() === TIME_COLUMN,
  );
}

function clocksIn(part: PlanNode): number {
  return countNodes(part, (node) => node.kind === 'call' && node.name.startsWith('CURRENT_'));
}
