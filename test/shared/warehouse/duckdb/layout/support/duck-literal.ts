import { quoteIdentifier, quoteLiteral } from '../../../../../../shared/warehouse/duckdb/quote.ts';
import type { ScalarName, Type } from './types.ts';
import { isArray, type Json, Struct, type Value } from './values.ts';

/** A value as DuckDB SQL has it in a table whose columns are as the schema has them. */
export function duckLiteral(value: Value, type: Type): string {
  if (type.kind === 'array') {
    const elements = isArray(value) ? value : [];
    return `[${elements.map((element) => duckLiteral(element, type.element)).join(', ')}]`;
  }
  if (value === null) return 'NULL';
  if (type.kind === 'scalar') return scalarLiteral(value, type.name);
  if (!(value instanceof Struct)) throw new TypeError('a record is a struct');
  const fields = type.fields.map(
    (field, index) =>
      `${quoteIdentifier(field.name)} := ${duckLiteral(value.values[index] ?? null, field.type)}`,
  );
  return `struct_pack(${fields.join(', ')})`;
}

function scalarLiteral(value: Value, name: ScalarName): string {
  switch (name) {
    case 'BOOL':
      return value === true ? 'true' : 'false';
    case 'BYTES':
      return `from_base64(${quoteLiteral(String(value))})`;
    case 'TIMESTAMP':
      return `make_timestamp(CAST(${value} AS BIGINT))`;
    case 'JSON':
      return quoteLiteral(JSON.stringify((value as Json).tree));
    default:
      return quoteLiteral(String(value));
  }
}
