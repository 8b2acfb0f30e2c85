import type { ParameterType } from '../types/query-parameter.ts';
import type { SqlType } from '../types/sql-type.ts';

/** The types of query parameters as the analyzer takes them. */
export function catalogTypes(types: ReadonlyMap<string, ParameterType>): ReadonlyMap<string, SqlType> {
  return new Map([...types].map(([name, kind]) => [name, { kind }]));
}
