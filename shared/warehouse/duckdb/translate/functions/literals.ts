import type { ResolvedLiteral } from '../../../../sql/resolved/expression.ts';
import { canonicalJson } from '../../../../sql/values/canonical-json.ts';
import { MICROS_PER_DAY, MICROS_PER_SECOND } from '../../../../sql/values/civil-time.ts';
import { quoteLiteral } from '../../quote.ts';
import { bigint, duck, type Sql, textLiteral, typedLiteral } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import { duckType } from './duck-type.ts';
import { textSql } from './fragments.ts';
import { intervalLiteral } from './intervals.ts';

/** Most digits of a BIGNUMERIC that DECIMAL(38,18) keeps, before and behind the point. */
const BIGNUMERIC_FITS = /^-?\d{1,20}(?:\.\d{1,18})?$/;

/** A literal as a typed constant, so that filters on columns compare like with like and skip row groups. */
export function emitLiteral({ type, value }: ResolvedLiteral): Sql {
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
      return typedLiteral(`DATE ${quoteLiteral(dateText(BigInt(value)))}`);
    case 'TIME':
      return typedLiteral(`TIME ${quoteLiteral(timeText(BigInt(value)))}`);
    case 'DATETIME':
    case 'TIMESTAMP':
      return typedLiteral(`TIMESTAMP ${quoteLiteral(datetimeText(BigInt(value)))}`);
    case 'INTERVAL':
      return intervalLiteral(String(value));
    case 'JSON':
      return quoted(canonicalJson(String(value)), '::JSON');
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

function dateText(days: bigint): string {
  const date = new Date(Number(days) * 86_400_000);
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  return `${year}-${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`;
}

function timeText(micros: bigint): string {
  const seconds = Number(micros / MICROS_PER_SECOND);
  const fraction = String(micros % MICROS_PER_SECOND).padStart(6, '0');
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(twoDigits);
  return `${clock.join(':')}.${fraction}`;
}

function datetimeText(micros: bigint): string {
  const ofDay = ((micros % MICROS_PER_DAY) + MICROS_PER_DAY) % MICROS_PER_DAY;
  return `${dateText((micros - ofDay) / MICROS_PER_DAY)} ${timeText(ofDay)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
