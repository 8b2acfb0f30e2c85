import type { Endpoint, ParameterSpec } from '../../shared/endpoints/endpoint.ts';
import type { TableSchemas } from '../../shared/schema/table-schema.ts';
import { analyze } from '../../shared/sql/analyzer/analyze.ts';
import { parseStatement } from '../../shared/sql/parser/parse-query.ts';
import type { Column, ScalarTypeName, SqlType, StructType } from '../../shared/sql/types/sql-type.ts';

const HEAD = `// Written by "npm run client:types" from queries/; do not edit.

/** INT64 beyond 2^53 comes as a string, so that no digit is lost. */
export type Int64 = number | string;
/** NaN and the infinities come as strings, for JSON has no such numbers. */
export type Float64 = number | 'NaN' | 'Infinity' | '-Infinity';
/** Microseconds since the epoch; with the option \`timestamps\`, milliseconds or ISO 8601. */
export type TimestampMicros = Int64;
/** \`2026-01-02T03:04:05.123456\`, without a zone. */
export type DateTimeText = string;
`;

/** How GoogleSQL's types come over the wire (docs/http-api.md). */
const WIRE_TYPES: Readonly<Record<ScalarTypeName, string>> = {
  BOOL: 'boolean',
  INT64: 'Int64',
  FLOAT64: 'Float64',
  NUMERIC: 'string',
  BIGNUMERIC: 'string',
  STRING: 'string',
  BYTES: 'string',
  DATE: 'string',
  DATETIME: 'DateTimeText',
  TIME: 'string',
  TIMESTAMP: 'TimestampMicros',
  INTERVAL: 'string',
  JSON: 'unknown',
};

const PARAMETER_TYPES: Readonly<Record<ParameterSpec['type'], string>> = {
  STRING: 'string',
  INT64: 'number | bigint',
  FLOAT64: 'number',
  BOOL: 'boolean',
  TIMESTAMP: 'string | Date',
};

/** The properties of an endpoint that its types depend on. */
export type TypedEndpoint = Pick<Endpoint, 'name' | 'description' | 'parameters' | 'sql'>;

/**
 * The TypeScript declarations of the endpoints' parameters and rows. Throws a ServiceError (invalid_argument) for a
 * stored query that does not fit the tables.
 */
export function endpointTypes(endpoints: readonly TypedEndpoint[], tables: TableSchemas): string {
  const members = endpoints.map((endpoint) => {
    const types = endpoint.parameters.map(({ name, type }): [string, SqlType] => [name, { kind: type }]);
    const catalog = { dataset: 'logs', tables, parameters: new Map(types) };
    const { columns } = analyze(parseStatement(endpoint.sql), endpoint.sql, catalog);
    return [
      comment(endpoint.description, 1),
      `  ${JSON.stringify(endpoint.name)}: {`,
      '    parameters: {',
      ...endpoint.parameters.flatMap(parameterLines),
      '    };',
      '    row: {',
      ...columns.flatMap((column) => columnLines(column, 3)),
      '    };',
      '  };',
    ].join('\n');
  });
  return `${HEAD}\n/** The endpoints by name: what each takes and answers. */\nexport interface Endpoints {\n${members.join('\n')}\n}\n`;
}

function parameterLines({ name, type, required, allowed, description }: ParameterSpec): readonly string[] {
  const accepted = allowed === null ? PARAMETER_TYPES[type] : allowed.map(quote).join(' | ');
  return [
    comment(description, 3),
    `      readonly ${name}${required ? '' : '?'}: ${accepted}${required ? '' : ' | null | undefined'};`,
  ];
}

function columnLines({ name, type }: Column, depth: number): readonly string[] {
  const indent = '  '.repeat(depth);
  const element = type.kind === 'ARRAY' ? type.element : type;
  const end = type.kind === 'ARRAY' ? '[] | null;' : ' | null;';
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
  const start = `${indent}readonly ${key}: ${type.kind === 'ARRAY' ? 'readonly ' : ''}`;
  if (element.kind === 'STRUCT') {
    return [
      `${start}{`,
      ...namedFields(element).flatMap((field) => columnLines(field, depth + 1)),
      `${indent}}${end}`,
    ];
  }
  if (element.kind === 'ARRAY') throw new TypeError('GoogleSQL has no arrays of arrays');
  return [start + WIRE_TYPES[element.kind] + end];
}

function namedFields({ fields }: StructType): readonly Column[] {
  return fields.map(({ name, type }, index) => ({ name: name === '' ? `_field_${index + 1}` : name, type }));
}

function comment(text: string, depth: number): string {
  return `${'  '.repeat(depth)}/** ${text.replaceAll('*/', '* /')} */`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
