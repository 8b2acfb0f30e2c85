import type { SealedBuckets } from '../../endpoints/endpoint.ts';
import { findFunction } from '../../sql/functions/catalog.ts';
import type { ResolvedAggregate, ResolvedExpression } from '../../sql/resolved/expression.ts';
import { referencedColumns } from '../../sql/resolved/references.ts';
import type { Column, ScalarTypeName, SqlType } from '../../sql/types/sql-type.ts';
import type { Aggregation } from './aggregation.ts';
import { notSealable } from './not-sealable.ts';

/** How the values of one group in two parts become one. */
export type Merge = SealedBuckets['merge'][string];

/** A column of the rows to merge; `merge` says what becomes of its values in one group. */
export interface MergeColumn {
  readonly name: string;
  readonly type: ScalarTypeName;
  readonly merge: Merge;
}

/** How rows of parts become those of the whole. */
export interface MergePlan {
  readonly columns: readonly MergeColumn[];
  /** The columns that the answer is sorted by, by position. */
  readonly order: readonly {
    readonly index: number;
    readonly descending: boolean;
    readonly nullsFirst: boolean;
  }[];
}

const COMPARED: readonly SqlType['kind'][] = [
  ...(['BOOL', 'INT64', 'NUMERIC', 'BIGNUMERIC', 'STRING'] as const),
  ...(['DATE', 'DATETIME', 'TIME', 'TIMESTAMP'] as const),
];
/** Sums of FLOAT64 differ with the order in which they are added. */
const TYPES: Readonly<Record<Merge, readonly SqlType['kind'][]>> = {
  key: [...COMPARED, 'BYTES'],
  sum: ['INT64', 'NUMERIC'],
  min: [...COMPARED, 'FLOAT64'],
  max: [...COMPARED, 'FLOAT64'],
  any: [...COMPARED, 'FLOAT64', 'BYTES'],
};
const WORDS: Readonly<Record<Merge, string>> = {
  key: 'one that GROUP BY names, as it is or as DATETIME(…), TIMESTAMP(…) or UNIX_MICROS(…) of it in UTC',
  sum: 'COUNT, COUNTIF or SUM without DISTINCT, as it is or in COALESCE(…, 0) or IFNULL(…, 0)',
  min: 'MIN or LOGICAL_AND as it is',
  max: 'MAX or LOGICAL_OR as it is',
  any: 'ANY_VALUE as it is, or made of what GROUP BY names',
};
/** Functions that give no two values of their first argument, if it is one of these types, the same result. */
const INJECTIVE: ReadonlySet<string> = new Set(['DATETIME', 'TIMESTAMP', 'UNIX_MICROS']);
const INSTANTS: readonly SqlType['kind'][] = ['TIMESTAMP', 'DATETIME', 'DATE'];

/**
 * Holds what the settings say of each column against what the query makes it of. Throws a ServiceError (invalid_argument) for
 * the first that cannot be put together in that way.
 */
export function planMerge(
  aggregation: Aggregation,
  names: readonly Column[],
  merges: SealedBuckets['merge'],
): MergePlan {
  const unknown = Object.keys(merges).find((name) => !names.some((column) => column.name === name));
  if (unknown !== undefined) throw notSealable(`merge names '${unknown}', which is no column of the answer`);
  const covered = new Set<number>();
  const columns = names.map(({ name, type }, index): MergeColumn => {
    const merge = Object.hasOwn(merges, name) ? merges[name] : undefined;
    if (merge === undefined) throw notSealable(`merge lacks the column '${name}'`);
    if (!TYPES[merge].includes(type.kind))
      throw notSealable(
        `the column '${name}' is of type ${type.kind}; ${merge} takes ${TYPES[merge].join(', ')}`,
      );
    const { column } = aggregation.columns[index] ?? {};
    if (column === undefined) throw new TypeError('each column has a name');
    const value = aggregation.expand({ kind: 'column', type: column.type, column });
    if (!isMade(value, merge, aggregation, covered))
      throw notSealable(`the column '${name}' is merged by ${merge}, so it must be ${WORDS[merge]}`);
    return { name, type: type.kind as ScalarTypeName, merge };
  });
  if (aggregation.aggregate.keys.some(({ column }) => !covered.has(column.id)))
    throw notSealable("each key of GROUP BY must be a column of the answer that merge calls 'key'");
  return { columns, order: orderOf(aggregation, columns) };
}

function isMade(value: ResolvedExpression, merge: Merge, from: Aggregation, covered: Set<number>): boolean {
  const { keys, aggregates } = from.aggregate;
  const isKey = (id: number) => keys.some(({ column }) => column.id === id);
  if (merge === 'key') {
    const key = keyIn(value);
    if (key === null || !isKey(key)) return false;
    covered.add(key);
    return true;
  }
  if (merge === 'any' && [...referencedColumns(value)].every(isKey)) return true;
  const inner = merge === 'sum' ? withoutZero(value) : value;
  const made = aggregates.find(({ column }) => inner.kind === 'column' && inner.column.id === column.id);
  return made !== undefined && isPlain(made) && findFunction(made.name)?.mergedBy === merge;
}

function isPlain({ distinct, nulls, having, orderBy, limit }: ResolvedAggregate): boolean {
  return !distinct && nulls === null && having === null && orderBy.length === 0 && limit === null;
}

function keyIn(value: ResolvedExpression): number | null {
  if (value.kind === 'column') return value.column.id;
  if (value.kind !== 'call' || !INJECTIVE.has(value.name)) return null;
  const [inner, zone, ...rest] = value.arguments;
  const isUtc = zone === undefined || (zone.kind === 'literal' && zone.value === 'UTC');
  const isExact = inner?.kind === 'column' && INSTANTS.includes(inner.type.kind);
  return isExact && isUtc && rest.length === 0 ? inner.column.id : null;
}

function withoutZero(value: ResolvedExpression): ResolvedExpression {
  if (value.kind !== 'call' || !['COALESCE', 'IFNULL'].includes(value.name)) return value;
  const [inner, zero, ...rest] = value.arguments;
  const isZero = zero?.kind === 'literal' && String(zero.value) === '0' && rest.length === 0;
  return inner !== undefined && isZero ? inner : value;
}

function orderOf(
  { order, columns, expand }: Aggregation,
  merged: readonly MergeColumn[],
): MergePlan['order'] {
  return order.map(({ expression, descending, nullsFirst }) => {
    const key = expand(expression);
    const index = columns.findIndex(({ column }) => {
      const value = expand({ kind: 'column', type: column.type, column });
      const isSame = key.kind === 'column' && value.kind === 'column' && key.column.id === value.column.id;
      return isSame || (expression.kind === 'column' && expression.column.id === column.id);
    });
    if (index < 0 || merged[index]?.type === 'BYTES')
      throw notSealable('ORDER BY must name columns of the answer, none of them BYTES');
    return { index, descending, nullsFirst };
  });
}
