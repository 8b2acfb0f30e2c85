import { hash } from 'node:crypto';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { TableSchemas } from '../../schema/table-schema.ts';
import type { AnalyzedQuery } from '../../sql/analyzer/analyze.ts';
import type { ParameterType, QueryParameter } from '../../sql/types/query-parameter.ts';
import type { Column } from '../../sql/types/sql-type.ts';
import { SPAN_MICROS } from '../../time/units.ts';
import { analyzeQuery } from '../../warehouse/analyze-query.ts';
import { readAggregation } from './aggregation.ts';
import { FIRST_PARAMETER, GRAIN_COLUMN, grainedText, LAST_PARAMETER } from './grained-text.ts';
import { type MergePlan, planMerge } from './merge-plan.ts';
import { notSealable } from './not-sealable.ts';
import { isTime, readTimeBounds, type TimeBounds, timeRangeOf } from './time-bounds.ts';

/** How the answers of a stored query are put together from parts of its window. */
export interface SealedPlan {
  /** The query by grains, between two instants. */
  readonly sql: string;
  /** Of the answer, without the grain. */
  readonly columns: readonly Column[];
  readonly bounds: TimeBounds;
  readonly merge: MergePlan;
  readonly grainMicros: bigint;
  readonly graceMicros: bigint;
  /** Of the query, its parameters' types and the schemas that it was planned for: what one version keeps is for no other. */
  readonly version: string;
}

/**
 * Plans the parts of an endpoint's query; null where its settings do not ask for any. Throws a ServiceError
 * (invalid_argument) for a query, or settings, with which an answer of parts could differ from one of the whole.
 */
export function planSealed(endpoint: Endpoint, tables: TableSchemas): SealedPlan | null {
  const { sealedBuckets, sql, parameters } = endpoint;
  if (sealedBuckets === null) return null;
  const types = new Map(parameters.map(({ name, type }) => [name, type]));
  const { query, columns } = analyzeQuery({ sql, parameterTypes: types }, tables);
  if (query.isValueTable) throw notSealable('it answers values or structs; select columns');
  const aggregation = readAggregation(query);
  const bounds = readTimeBounds(query, aggregation);
  // Whatever the values are, the same can be evaluated or not.
  timeRangeOf(bounds, { nowMicros: 0n, parameters: sampleValues(types) });
  const merge = planMerge(aggregation, columns, sealedBuckets.merge);
  const grained = grainedText(sql, sealedBuckets.grain);
  const grainedTypes = new Map(types).set(FIRST_PARAMETER, 'TIMESTAMP').set(LAST_PARAMETER, 'TIMESTAMP');
  checkGrained(analyzeQuery({ sql: grained, parameterTypes: grainedTypes }, tables), columns);
  const { grain, graceSeconds } = sealedBuckets;
  const described = JSON.stringify([grained, [...types], columns, [...tables]]);
  return {
    sql: grained,
    columns,
    bounds,
    merge,
    grainMicros: SPAN_MICROS[grain],
    graceMicros: BigInt(graceSeconds) * 1_000_000n,
    version: hash('sha256', described, 'hex').slice(0, 32),
  };
}

/** The text was edited by its shape; what it means now decides. */
function checkGrained({ query, columns }: AnalyzedQuery, expected: readonly Column[]): void {
  const { aggregate, columns: outputs, expand } = readAggregation(query);
  const resultColumns = columns.filter(({ name }) => name !== GRAIN_COLUMN);
  const output = outputs.find(({ name }) => name === GRAIN_COLUMN)?.column;
  const value = output && expand({ kind: 'column', type: output.type, column: output });
  const key = aggregate.keys.find(({ column }) => value?.kind === 'column' && column.id === value.column.id);
  const isGrain = key?.expression.kind === 'column' && isTimeGrain(key.expression.column.id, aggregate.input);
  if (!isGrain || JSON.stringify(resultColumns) !== JSON.stringify(expected))
    throw notSealable(
      'the time of the entries cannot be handed on through its SELECTs; write it more plainly',
    );
}

function isTimeGrain(id: number, input: Parameters<typeof isTime>[0]): boolean {
  let scan = input;
  let columnId = id;
  while (scan.kind !== 'table') {
    if (scan.kind === 'cte') {
      const { cte, columns } = scan;
      columnId = cte.columns[columns.findIndex((column) => column.id === columnId)]?.id ?? -1;
      scan = cte.scan;
      continue;
    }
    if (!('input' in scan)) return false;
    const computed =
      scan.kind === 'project' ? scan.computed.find(({ column }) => column.id === columnId) : undefined;
    scan = scan.input;
    if (computed === undefined) continue;
    const { expression } = computed;
    if (expression.kind === 'column') columnId = expression.column.id;
    else {
      const [time] = expression.kind === 'call' ? expression.arguments : [];
      const isTruncated = expression.kind === 'call' && expression.name === 'TIMESTAMP_TRUNC';
      return isTruncated && time?.kind === 'column' && isTime(scan, time.column.id);
    }
  }
  return false;
}

const SAMPLES = { STRING: '', INT64: 0n, FLOAT64: 0, BOOL: false, TIMESTAMP: 0n } as const;

function sampleValues(types: ReadonlyMap<string, ParameterType>): ReadonlyMap<string, QueryParameter> {
  return new Map([...types].map(([name, type]) => [name, { type, value: SAMPLES[type] }]));
}
