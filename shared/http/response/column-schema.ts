import type { Column, ScalarTypeName, SqlType } from '../../sql/types/sql-type.ts';

/** A column as BigQuery's table schemas write it. */
export interface ColumnSchema {
  readonly name: string;
  readonly type: string;
  readonly mode: 'NULLABLE' | 'REPEATED';
  /** Of a RECORD only. */
  readonly fields?: readonly ColumnSchema[];
}

/** The types that BigQuery's table schemas call by another name. */
const SCHEMA_NAMES: Partial<Record<ScalarTypeName, string>> = {
  INT64: 'INTEGER',
  FLOAT64: 'FLOAT',
  BOOL: 'BOOLEAN',
};

/** A result's column with its type, as BigQuery's table schemas would have it. */
export function columnSchema({ name, type }: Column): ColumnSchema {
  const mode = type.kind === 'ARRAY' ? 'REPEATED' : 'NULLABLE';
  const element: SqlType = type.kind === 'ARRAY' ? type.element : type;
  if (element.kind === 'STRUCT') {
    const fields = element.fields.map((field, index) =>
      columnSchema({ name: field.name === '' ? `_field_${index + 1}` : field.name, type: field.type }),
    );
    return { name, type: 'RECORD', mode, fields };
  }
  return {
    name,
    type: element.kind === 'ARRAY' ? 'RECORD' : (SCHEMA_NAMES[element.kind] ?? element.kind),
    mode,
  };
}
