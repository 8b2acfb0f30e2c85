import type { ResolvedColumn } from '../../../../../sql/resolved/expression.ts';
import { BOOL, INT64, type SqlType, type StructType } from '../../../../../sql/types/sql-type.ts';
import { OFFSET_COLUMN, type Presence, presenceColumn, valueColumn } from '../../../store/layout.ts';
import type { TableRecords } from '../../../store/table-records.ts';

/** A field of a flat record: a column, or a flat record itself. */
export type FlatField =
  | { readonly kind: 'value'; readonly column: ResolvedColumn }
  | { readonly kind: 'record'; readonly record: FlatRecord; readonly isArray: boolean };

/**
 * A record of which each row has at most one, as columns. Each becomes a column of the scan when it is asked for. Where
 * there is no record, all its columns are NULL, but arrays, which may be empty.
 */
export interface FlatRecord {
  readonly type: StructType;
  /** Which rows have the record, as far as that is known. */
  readonly presence: Presence;
  /** Whether outer joins may have put NULL into all its columns. */
  readonly mayBeExtended: boolean;
  /** An INT64: the offset of the record among those of its entry, where each row has one of them; absent where it is 0. */
  readonly offset?: () => ResolvedColumn;
  /** A BOOL: whether there is the record; NULL in rows that an outer join has extended. */
  isPresent(): ResolvedColumn;
  field(index: number): FlatField;
}

/** Gives the column that another one is in the scans further out. */
export type Expose = (column: ResolvedColumn) => ResolvedColumn;

/** The struct type of a record, whether it is repeated or not; null for other types. */
export function recordType(type: SqlType): StructType | null {
  if (type.kind === 'STRUCT') return type;
  return type.kind === 'ARRAY' && type.element.kind === 'STRUCT' ? type.element : null;
}

/** The flat record at a path of a table; null where the layout has none. `add` makes a column of the table. */
export function tableRecord(
  records: Pick<TableRecords, 'flat' | 'elementsOf'>,
  path: readonly string[],
  type: SqlType,
  add: (name: string, type: SqlType) => ResolvedColumn,
): FlatRecord | null {
  const presence = records.flat.get(valueColumn(path));
  const struct = recordType(type);
  if (presence === undefined || struct === null) return null;
  return {
    type: struct,
    presence,
    mayBeExtended: false,
    ...(records.elementsOf === valueColumn(path) ? { offset: () => add(OFFSET_COLUMN, INT64) } : {}),
    isPresent: () => add(presenceColumn(path), BOOL),
    field(index) {
      const field = fieldAt(struct, index);
      const nested = [...path, field.name];
      const record = tableRecord(records, nested, field.type, add);
      if (record === null) return { kind: 'value', column: add(valueColumn(nested), field.type) };
      return { kind: 'record', record, isArray: field.type.kind === 'ARRAY' };
    },
  };
}

/** A record as the scans further out see it. */
export function exposedRecord(record: FlatRecord, expose: Expose): FlatRecord {
  const { offset } = record;
  return {
    ...record,
    ...(offset === undefined ? {} : { offset: () => expose(offset()) }),
    isPresent: () => expose(record.isPresent()),
    field(index) {
      const field = record.field(index);
      return field.kind === 'value'
        ? { kind: 'value', column: expose(field.column) }
        : { ...field, record: exposedRecord(field.record, expose) };
    },
  };
}

/** A record on the side of an outer join that may be filled with NULL. */
export function extendedRecord(record: FlatRecord): FlatRecord {
  return {
    ...record,
    presence: record.presence === 'always' ? 'sometimes' : record.presence,
    mayBeExtended: true,
    field(index) {
      const field = record.field(index);
      return field.kind === 'value' ? field : { ...field, record: extendedRecord(field.record) };
    },
  };
}

/** The field of a struct type at an index. Throws a TypeError where there is none. */
export function fieldAt({ fields }: StructType, index: number): StructType['fields'][number] {
  const field = fields[index];
  if (field === undefined) throw new TypeError(`no field ${index}`);
  return field;
}
