import type { ServiceError } from '../../errors/service-error.ts';
import type { Cursor } from './cursor.ts';

/** GoogleSQL's types by the names that PostgreSQL has for them, or both have, in lower case. */
const TYPES: Readonly<Record<string, string>> = {
  ...named('STRING', 'string', 'text', 'varchar', 'char', 'character', 'bpchar', 'citext', 'name', 'uuid'),
  ...named('INT64', 'int64', 'int', 'integer', 'int2', 'int4', 'int8', 'smallint', 'bigint'),
  ...named('FLOAT64', 'float64', 'float', 'float4', 'float8', 'real', 'double'),
  ...named('NUMERIC', 'numeric', 'decimal'),
  ...named('BIGNUMERIC', 'bignumeric', 'bigdecimal'),
  ...named('BOOL', 'bool', 'boolean'),
  ...named('BYTES', 'bytes', 'bytea'),
  ...named('DATE', 'date'),
  ...named('TIME', 'time'),
  ...named('DATETIME', 'datetime'),
  ...named('TIMESTAMP', 'timestamp', 'timestamptz'),
  ...named('INTERVAL', 'interval'),
  ...named('JSON', 'json', 'jsonb'),
};

function named(type: string, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, type]));
}

/** Longest text of an operand that a message repeats, in characters. */
const MAX_SHOWN = 60;

/** Whether `::` comes next, PostgreSQL's operator for casts, which GoogleSQL has not. */
export function isPostgresCast(cursor: Cursor): boolean {
  return cursor.isSymbol(':') && cursor.isSymbol(':', 1) && cursor.peek().end === cursor.peek(1).at;
}

/** The error for `operand::type` that says how GoogleSQL writes it; `start` is where the operand begins. */
export function postgresCastError(cursor: Cursor, start: number): ServiceError {
  const { at } = cursor.peek();
  const operand = cursor.text.slice(start, at).trim().replace(/\s+/g, ' ');
  const shown = operand.length > MAX_SHOWN ? '…' : operand;
  return cursor.error(
    at,
    `Syntax error: GoogleSQL has no "::", write CAST(${shown} AS ${typeBehind(cursor)})`,
  );
}

function typeBehind(cursor: Cursor): string {
  const token = cursor.peek(2);
  if (token.kind !== 'name' && token.kind !== 'quoted') return 'type';
  const type = TYPES[token.value.toLowerCase()] ?? 'type';
  let ahead = 3;
  // varchar(10), numeric(10, 2), double precision, character varying, timestamp with time zone
  while (cursor.isOneOf(['PRECISION', 'VARYING'], ahead)) ahead++;
  if (cursor.isSymbol('(', ahead))
    while (!cursor.isSymbol(')', ahead++) && cursor.peek(ahead).kind !== 'end');
  const isArray = cursor.isSymbol('[', ahead) && cursor.isSymbol(']', ahead + 1);
  return isArray ? `ARRAY<${type}>` : type;
}
