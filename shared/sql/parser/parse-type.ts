import type { TypeName } from '../ast/type-name.ts';
import type { Cursor } from './cursor.ts';

/** A type name: `INT64`, `ARRAY<STRING>`, `STRUCT<a INT64, b STRING>`, `STRING(10)` without its length refused. */
export function parseTypeName(cursor: Cursor): TypeName {
  return cursor.nested(() => {
    const at = cursor.peek().at;
    if (cursor.takeKeywords('ARRAY')) {
      cursor.expectSymbol('<');
      const element = parseTypeName(cursor);
      cursor.expectSymbol('>');
      return { kind: 'array', element, at };
    }
    if (cursor.takeKeywords('STRUCT')) return { kind: 'struct', fields: parseStructFields(cursor), at };
    if (cursor.isKeyword('RANGE')) throw cursor.rangeNotSupported(at);
    const name = cursor.isKeyword('INTERVAL') ? cursor.next().value : cursor.expectIdentifier().name;
    if (cursor.isSymbol('('))
      throw cursor.error(
        cursor.peek().at,
        'Type parameters are not allowed in CAST, as in BigQuery; ROUND and LEFT make values fit',
      );
    return { kind: 'scalar', name: name.toUpperCase(), at };
  });
}

/** `<name type, …>` or `<type, …>`; an anonymous field has an empty name. */
export function parseStructFields(cursor: Cursor): { name: string; type: TypeName }[] {
  cursor.expectSymbol('<');
  if (cursor.takeSymbol('>')) return [];
  const fields = cursor.list(() => {
    const next = cursor.peek(1);
    const isNamed = next.kind === 'name' || next.kind === 'quoted';
    const name = isNamed ? cursor.expectIdentifier().name : '';
    return { name, type: parseTypeName(cursor) };
  });
  cursor.expectSymbol('>');
  return fields;
}
