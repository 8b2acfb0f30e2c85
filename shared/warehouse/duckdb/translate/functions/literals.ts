import type { ResolvedLiteral } from '../../../../sql/resolved/expression.ts';
import { printJson, readJson } from '../../../../sql/values/json-document.ts';
import { datetimeText } from '../../../../sql/values/timestamp-text.ts';
import { MICROS_PER_DAY } from '../../../../time/units.ts';
import { quoteLiteral } from '../../quote.ts';
import { bigint, duck, type Sql, textLiteral, typedLiteral } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import { duckType } from './duck-type.ts';
import { textSql } from './fragments.ts';
import { intervalLiteral } from './intervals.ts';

/** Most digits of a BIGNUMERIC that DECIMAL(38,18) keeps, before and after the point. */
const BIGNUMERIC_FITS = /^-?\d{1,20}(?:\.\d{1,18})?$/;

/** A literal as a typed constant, so that filters on columns compare like with like and skip row groups. */
export function translateLiteral({ type, value }: ResolvedLiteral): Sql {
  if (value === null) return duck`CAST(NULL AS ${duckType(type)})`;
  switch (type.kind) {
    case 'BOOL':
      return typedLiteral(value === true ? 'true' : 'false');
    case 'INT64':
      return bigint(BigInt(value));
    case 'FLOAT64':
      return quoted(Object.is(value, -0) ? '-0.0' : String(value), '::DOUBLE');
    case 'BIGNUMERIC':
      if (!BIGNUMERIC_FITS.test(String(value))) throw notSupported('BIGNUMERIC with more than 38 digits');
      return duck`${textLiteral(String(value))}::${duckType(type)}`;
    case 'NUMERIC':
      return duck`${textLiteral(String(value))}::${duckType(type)}`;
    case 'STRING':
      return textSql(String(value));
    case 'BYTES':
      return quoted(hexEscapes(String(value)), '::BLOB');
    case 'DATE':
      return typedLiteral(`DATE ${quoteLiteral(datetimeText(BigInt(value) * MICROS_PER_DAY).slice(0, 10))}`);
    case 'TIME':
      return typedLiteral(`TIME ${quoteLiteral(datetimeText(BigInt(value)).slice(11))}`);
    case 'DATETIME':
    case 'TIMESTAMP':
      return typedLiteral(`TIMESTAMP ${quoteLiteral(datetimeText(BigInt(value)))}`);
    case 'INTERVAL':
      return intervalLiteral(String(value));
    case 'JSON':
      return quoted(printJson(readJson(String(value))), '::JSON');
    default:
      throw notSupported(`a literal of type ${type.kind}`);
  }
}

function quoted(text: string, type: string): Sql {
  return typedLiteral(`${quoteLiteral(text)}${type}`);
}

function hexEscapes(bytes: string): string {
  return [...bytes]
    .map((byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`)
    .join('');
}
