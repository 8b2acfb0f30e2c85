import type { ResolvedColumn, ResolvedExpression } from '../../../../../sql/resolved/expression.ts';
import { callOf, columnReference, TRUE } from '../../../../../sql/resolved/make-expression.ts';
import { BOOL } from '../../../../../sql/types/sql-type.ts';
import { extendedRecord } from './flat-record.ts';
import { builtRecord, type RecordValue } from './record-value.ts';

/** A column that becomes one of its scan when somebody asks for it. */
export interface LazyColumn {
  readonly kind: 'lazy';
  whole(): ResolvedColumn;
}

/** What is known of a column that no scan has any more. */
export type ColumnValue = RecordValue | LazyColumn;

/** The expression that is a column's value. */
export function wholeColumn(value: ColumnValue): ResolvedExpression {
  return value.kind === 'record' ? builtRecord(value) : columnReference(value.whole());
}

/** What became of a plan's columns; ids are unique in a query, so there is one for all of it. */
export class Environment {
  readonly #values = new Map<number, ColumnValue>();
  readonly #texts = new Map<number, () => ResolvedColumn>();
  readonly #constants = new Set<number>();

  /** How many columns are known; extend() takes it. */
  get size(): number {
    return this.#values.size;
  }

  value({ id }: ResolvedColumn): ColumnValue | null {
    return this.#values.get(id) ?? null;
  }

  setValue({ id }: ResolvedColumn, value: ColumnValue): void {
    this.#values.set(id, value);
  }

  /** Makes the column that holds a column's value as JSON text; null where there is none. */
  text({ id }: ResolvedColumn): (() => ResolvedColumn) | null {
    return this.#texts.get(id) ?? null;
  }

  setText({ id }: ResolvedColumn, text: () => ResolvedColumn): void {
    this.#texts.set(id, text);
  }

  /** Notes a column that is the same for all rows that could tie. */
  setConstant({ id }: ResolvedColumn): void {
    this.#constants.add(id);
  }

  isConstant(expression: ResolvedExpression): boolean {
    return expression.kind === 'column' && this.#constants.has(expression.column.id);
  }

  /** An outer join may have put NULL into the columns that became known when there were `from` to `to` of them. */
  extend(from: number, to: number): void {
    for (const [id, value] of [...this.#values].slice(from, to)) {
      if (value.kind === 'record') this.#values.set(id, extended(value));
    }
  }
}

function extended(value: RecordValue): RecordValue {
  const { isArray, missing } = value;
  const record = extendedRecord(value.record);
  const isNull = () =>
    missing === null
      ? callOf('$IS_NULL', BOOL, columnReference(record.isPresent()))
      : callOf('IFNULL', BOOL, missing(), TRUE);
  return { ...value, record, isKnown: false, missing: isArray ? isNull : null };
}
