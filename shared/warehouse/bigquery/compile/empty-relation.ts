import type { FieldSchema, TableSchema } from '../../../schema/table-schema.ts';
import { column, integer, literal, query, select, unnest } from '../../../sql/ast/build.ts';
import type { Expression } from '../../../sql/ast/expression.ts';
import type { Query } from '../../../sql/ast/query.ts';
import type { TypeName } from '../../../sql/ast/type-name.ts';

/** A query with the columns of a schema and no rows. It reads no table. */
export function emptyRelation(schema: TableSchema): Query {
  const one: Expression = { kind: 'array', elementType: null, elements: [integer(1)], at: 0 };
  const columns = schema.map((field) => column(nullOf(typeName(field)), field.name));
  return query(select(columns, { from: unnest(one, null), where: literal('BOOL', 'FALSE') }));
}

function nullOf(type: TypeName): Expression {
  const operand = literal('NULL', 'NULL');
  return { kind: 'cast', operand, type, safe: false, format: null, zone: null, at: 0 };
}

function typeName({ type, fields, mode }: FieldSchema): TypeName {
  const one: TypeName =
    type === 'STRUCT'
      ? {
          kind: 'struct',
          fields: fields.map((field) => ({ name: field.name, type: typeName(field) })),
          at: 0,
        }
      : { kind: 'scalar', name: type, at: 0 };
  return mode === 'REPEATED' ? { kind: 'array', element: one, at: 0 } : one;
}
