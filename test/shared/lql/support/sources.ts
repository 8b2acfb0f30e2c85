import { type CompiledLql, compileLql } from '../../../../shared/lql/compile.ts';
import { parseLql } from '../../../../shared/lql/parse.ts';
import { printQuery } from '../../../../shared/sql/print/print-query.ts';
import {
  arrayOf,
  BOOL,
  type Column,
  FLOAT64,
  INT64,
  type SqlType,
  STRING,
  TIMESTAMP,
} from '../../../../shared/sql/types/sql-type.ts';

/** A repeated record. */
export function records(fields: Readonly<Record<string, SqlType>>): SqlType {
  return arrayOf({ kind: 'STRUCT', fields: columns(fields) });
}

export function columns(fields: Readonly<Record<string, SqlType>>): Column[] {
  return Object.entries(fields).map(([name, type]) => ({ name, type }));
}

/** The columns that events have in each of the service's sources, around their metadata. */
export function eventColumns(metadata: Readonly<Record<string, SqlType>>): Column[] {
  return columns({ id: STRING, timestamp: TIMESTAMP, event_message: STRING, metadata: records(metadata) });
}

/** A source with a field of each type that a path can end at. */
export const EDGE = eventColumns({
  level: STRING,
  request: records({ method: STRING, path: STRING, headers: records({ host: STRING }) }),
  response: records({ status_code: INT64 }),
  duration: FLOAT64,
  cached: BOOL,
  tags: arrayOf(STRING),
  ids: arrayOf(INT64),
  seen: TIMESTAMP,
  group: STRING,
});

/** 2024-03-06T14:35:20.987654Z, a Wednesday. */
export const NOW_MICROS = BigInt(Date.UTC(2024, 2, 6, 14, 35, 20)) * 1000n + 987_654n;

/** Compiles a query over `edge`, or over the sources given. */
export function compile(
  lql: string,
  sources: ReadonlyMap<string, readonly Column[]> = new Map([['edge', EDGE]]),
  nowMicros = NOW_MICROS,
): CompiledLql {
  return compileLql(lql, parseLql(lql), { sources, nowMicros, parameterPrefix: 'lql_' });
}

/** The text of what `compile` makes. */
export function compiledText(...query: Parameters<typeof compile>): string {
  return printQuery(compile(...query).tree);
}
