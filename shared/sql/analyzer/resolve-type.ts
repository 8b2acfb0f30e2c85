import type { TypeName } from '../ast/type-name.ts';
import {
  arrayOf,
  BIGNUMERIC,
  BOOL,
  BYTES,
  DATE,
  DATETIME,
  FLOAT64,
  INT64,
  INTERVAL,
  JSON_TYPE,
  NUMERIC,
  type ScalarType,
  type SqlType,
  STRING,
  TIME,
  TIMESTAMP,
} from '../types/sql-type.ts';
import { analysisError, type Environment } from './environment.ts';

/** GoogleSQL's type names and BigQuery's aliases of them. */
const SCALARS: ReadonlyMap<string, ScalarType> = new Map([
  ['BOOL', BOOL],
  ['BOOLEAN', BOOL],
  ['INT64', INT64],
  ['INT', INT64],
  ['SMALLINT', INT64],
  ['INTEGER', INT64],
  ['BIGINT', INT64],
  ['TINYINT', INT64],
  ['BYTEINT', INT64],
  ['FLOAT64', FLOAT64],
  ['NUMERIC', NUMERIC],
  ['DECIMAL', NUMERIC],
  ['BIGNUMERIC', BIGNUMERIC],
  ['BIGDECIMAL', BIGNUMERIC],
  ['STRING', STRING],
  ['BYTES', BYTES],
  ['DATE', DATE],
  ['DATETIME', DATETIME],
  ['TIME', TIME],
  ['TIMESTAMP', TIMESTAMP],
  ['INTERVAL', INTERVAL],
  ['JSON', JSON_TYPE],
]);

/** The type that a type name means. */
export function resolveType(environment: Environment, name: TypeName): SqlType {
  switch (name.kind) {
    case 'scalar': {
      const type = SCALARS.get(name.name);
      if (type === undefined) {
        const accepted =
          'ARRAY, STRUCT, BOOL, INT64, FLOAT64, NUMERIC, BIGNUMERIC, STRING, BYTES, DATE, DATETIME, TIME, TIMESTAMP, INTERVAL, JSON';
        throw analysisError(environment, name.at, `Type not found: ${name.name}; types are ${accepted}`);
      }
      return type;
    }
    case 'array': {
      const element = resolveType(environment, name.element);
      if (element.kind === 'ARRAY')
        throw analysisError(environment, name.at, 'Arrays of arrays are not supported');
      return arrayOf(element);
    }
    case 'struct':
      return {
        kind: 'STRUCT',
        fields: name.fields.map((field) => ({
          name: field.name,
          type: resolveType(environment, field.type),
        })),
      };
    default: {
      const unreachable: never = name;
      throw new TypeError(`type ${JSON.stringify(unreachable)}`);
    }
  }
}
