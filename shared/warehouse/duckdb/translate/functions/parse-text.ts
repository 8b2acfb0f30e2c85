import {
  BIGNUMERIC,
  FLOAT64,
  INT64,
  INTERVAL,
  NUMERIC,
  type SqlType,
  TIMESTAMP,
  typeText,
} from '../../../../sql/types/sql-type.ts';
import { duck, type Sql, textLiteral } from '../duck/sql.ts';
import { notSupported, REFUSAL } from '../not-supported.ts';
import { duckType } from './duck-type.ts';
import { excerpt, raise, raiseText, withLocals } from './fragments.ts';
import { fromLocal, UTC, type Zone } from './time-zones.ts';

const DAY = String.raw`(\d{4}-\d{1,2}-\d{1,2})`;
/** There is no year 0, though DuckDB has a DATE of it. */
const DATE = String.raw`(?:[1-9]\d{3}|0[1-9]\d\d|00[1-9]\d|000[1-9])-\d{1,2}-\d{1,2}`;
const CLOCK = String.raw`((?:[01]?\d|2[0-3]):\d{1,2}:\d{1,2}(?:\.\d{1,6})?)`;

/** CAST(text AS type): only GoogleSQL's own spellings, while DuckDB takes many more. */
export function parseText(sql: Sql, type: SqlType): Sql {
  switch (type.kind) {
    case 'BOOL':
      return guarded(
        sql,
        type,
        '(?i)true|false',
        'Bad bool value: ',
        (text) => duck`CAST(${text} AS BOOLEAN)`,
      );
    case 'INT64':
      return withLocals([sql], integerFromText);
    case 'FLOAT64':
      return withLocals([sql], floatFromText);
    case 'NUMERIC':
      return guarded(
        sql,
        type,
        String.raw`\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*`,
        'Invalid NUMERIC value: ',
        (text) => numericFromText(duck`trim(${text})`),
      );
    case 'BYTES':
      return duck`encode(${sql})`;
    case 'DATE':
      return guarded(sql, type, DATE, 'Invalid date: ', (text) => duck`CAST(${text} AS DATE)`, true);
    case 'TIME':
      return guarded(sql, type, CLOCK, 'Invalid time: ', (text) => duck`gsql_time(${text})`, true);
    case 'DATETIME':
      return guarded(sql, type, `${DAY}(?:[ Tt]${CLOCK})?`, 'Invalid datetime: ', datetimeOf, true);
    case 'TIMESTAMP':
      return timestampFromText(sql, UTC);
    case 'INTERVAL':
      return withLocals([sql], intervalFromText);
    default:
      throw notSupported(`STRING as ${typeText(type)}`);
  }
}

/** Runs `parse` on what matches a pattern as a whole, and raises for the rest. */
function guarded(
  sql: Sql,
  type: SqlType,
  pattern: string,
  complaint: string,
  parse: (text: Sql) => Sql,
  isQuoted = false,
): Sql {
  return withLocals([sql], (text) => {
    const shown = isQuoted
      ? duck`${textLiteral(`${complaint}'`)} || ${excerpt(text)} || ''''`
      : duck`${textLiteral(complaint)} || ${excerpt(text)}`;
    // A date such as 2024-02-30 has the right form and is still none.
    const parsed = duck`TRY(${parse(text)})`;
    const isWrong = duck`NOT regexp_full_match(${text}, ${textLiteral(pattern)}) OR ${parsed} IS NULL`;
    return duck`CASE WHEN ${text} IS NULL THEN NULL WHEN ${isWrong} THEN ${raise(shown, type)} ELSE ${parse(text)} END`;
  });
}

function integerFromText(text: Sql): Sql {
  const error = raise(duck`'Bad int64 value: ' || ${excerpt(text)}`, INT64);
  const hex = duck`gsql_hex_integer(lower(trim(${text})))`;
  return duck`CASE WHEN regexp_full_match(${text}, '\\s*[+-]?\\d+\\s*') AND TRY_CAST(${text} AS BIGINT) IS NOT NULL THEN TRY_CAST(${text} AS BIGINT) WHEN regexp_full_match(${text}, '\\s*[+-]?0[xX][0-9a-fA-F]{1,16}\\s*') AND ${hex} IS NOT NULL THEN ${hex} WHEN ${text} IS NULL THEN NULL ELSE ${error} END`;
}

function intervalFromText(text: Sql): Sql {
  const error = raise(duck`'Invalid INTERVAL value ''' || ${excerpt(text)} || ''''`, INTERVAL);
  return withLocals([duck`gsql_interval_parts(${text})`], (found) => {
    const part = (index: number) => duck`CAST(split_part(${found}, ' ', ${index}) AS BIGINT)`;
    const parsed = duck`gsql_interval(${part(1)}, ${part(2)}, ${part(3)})`;
    return duck`CASE WHEN ${text} IS NULL THEN NULL WHEN ${found} IS NULL THEN ${error} ELSE ${parsed} END`;
  });
}

function floatFromText(text: Sql): Sql {
  return numberOfText(text, raise(duck`'Bad double value: ' || ${excerpt(text)}`, FLOAT64));
}

/** The FLOAT64 that a text spells, NULL of NULL, and `otherwise` for what is no number. */
export function numberOfText(text: Sql, otherwise: Sql): Sql {
  const number = String.raw`\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*`;
  const special = String.raw`(?i)\s*[+-]?(?:inf|infinity|nan)\s*`;
  const payload = String.raw`(?i)\s*[+-]?nan\(\w*\)\s*`;
  const hex = String.raw`\s*[+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?\d+)?\s*`;
  const compact = duck`regexp_replace(${text}, '\\s', '', 'g')`;
  return duck`CASE
    WHEN regexp_full_match(${text}, ${textLiteral(number)}) OR regexp_full_match(${text}, ${textLiteral(special)})
      THEN CAST(${compact} AS DOUBLE)
    WHEN regexp_full_match(${text}, ${textLiteral(hex)}) THEN CAST(gsql_hex_float(${compact}) AS DOUBLE)
    WHEN regexp_full_match(${text}, ${textLiteral(payload)}) THEN CAST('nan' AS DOUBLE)
    WHEN ${text} IS NULL THEN NULL
    ELSE ${otherwise} END`;
}

/** The INT64 nearest to the decimal number that a text spells; NULL for any other text. */
export function nearestIntegerOfText(text: Sql): Sql {
  const number = String.raw`\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*`;
  const compact = duck`regexp_replace(${text}, '\\s', '', 'g')`;
  const plain = duck`CASE WHEN regexp_matches(${text}, '[eE]') THEN ${withoutExponent(compact)} ELSE ${compact} END`;
  const nearest = duck`TRY_CAST(TRY_CAST(${plain} AS DECIMAL(38, 0)) AS BIGINT)`;
  return duck`CASE WHEN regexp_full_match(${text}, ${textLiteral(number)}) THEN ${nearest} END`;
}

/** DuckDB rounds the digits that it is given, but takes powers of ten through DOUBLE: those move the point first. */
function numericFromText(text: Sql): Sql {
  const type = duckType(NUMERIC);
  return duck`CASE WHEN regexp_matches(${text}, '[eE]') THEN CAST(${withoutExponent(text)} AS ${type}) ELSE CAST(${text} AS ${type}) END`;
}

/** Exponents beyond this give 0 or too much for any decimal. */
const MAX_EXPONENT = 100;

function withoutExponent(text: Sql): Sql {
  const mantissa = duck`regexp_extract(${text}, '[0-9.]+')`;
  const exponent = duck`TRY_CAST(regexp_extract(${text}, '[eE]([+-]?[0-9]+)', 1) AS HUGEINT)`;
  const bounded = duck`greatest(least(${exponent}, ${MAX_EXPONENT}), -${MAX_EXPONENT})`;
  return withLocals(
    [
      duck`regexp_extract(${text}, '^-')`,
      duck`replace(${mantissa}, '.', '')`,
      duck`CAST(length(split_part(${mantissa}, '.', 1)) + ${bounded} AS BIGINT)`,
    ],
    (sign, digits, point) =>
      duck`(${sign} || CASE WHEN ${point} <= 0 THEN '0.' || repeat('0', - ${point}) || ${digits} WHEN ${point} >= length(${digits}) THEN ${digits} || repeat('0', ${point} - length(${digits})) ELSE substring(${digits}, 1, ${point}) || '.' || substring(${digits}, ${point} + 1) END)`,
  );
}

/** Longest number with commas and blanks in it. */
const MAX_NUMBER_LENGTH = 10_000;

const LOOSE_NUMBER = String.raw`(?:[\d,]*\d[\d,]*(?:\.\d*)?|,*\.\d+)(?:[eE][+-]?\d+)?`;

/** PARSE_NUMERIC and PARSE_BIGNUMERIC: they take commas among the digits, a sign after them, and spaces around all of these. */
export function parseNumeric(sql: Sql, type: typeof NUMERIC | typeof BIGNUMERIC): Sql {
  const name = `PARSE_${type.kind}`;
  const form = String.raw`\s*(?:[+-]?\s*${LOOSE_NUMBER}|${LOOSE_NUMBER}\s*[+-])\s*`;
  return withLocals([sql], (text) => {
    const error = raise(duck`${textLiteral(`Invalid input to ${name}: "`)} || ${excerpt(text)} || '"'`, type);
    const long = raiseText(`${name} takes at most ${MAX_NUMBER_LENGTH} characters`, type);
    const plain = duck`regexp_replace(regexp_replace(${text}, '[\\s,]', '', 'g'), '^(.*)([+-])$', '\\2\\1')`;
    const isWrong = duck`NOT regexp_full_match(${text}, ${textLiteral(form)})`;
    const number =
      type.kind === 'NUMERIC'
        ? withLocals([duck`TRY(${withLocals([plain], numericFromText)})`], (parsed) => {
            return duck`CASE WHEN ${text} IS NULL THEN NULL WHEN ${isWrong} OR ${parsed} IS NULL THEN ${error} ELSE ${parsed} END`;
          })
        : duck`CASE WHEN ${text} IS NULL THEN NULL WHEN ${isWrong} THEN ${error} ELSE ${withLocals([plain], bigNumericFromText)} END`;
    return duck`CASE WHEN length(${text}) > ${MAX_NUMBER_LENGTH} THEN ${long} ELSE ${number} END`;
  });
}

/** What DECIMAL(38,18) holds without rounding; other numbers are refused. */
const BIGNUMERIC_FITS = String.raw`[+-]?0*\d{0,20}(?:\.\d{0,18}0*)?`;

function bigNumericFromText(text: Sql): Sql {
  const digits = duck`CASE WHEN regexp_matches(${text}, '[eE]') THEN ${withoutExponent(text)} ELSE ${text} END`;
  const refusal = raiseText(`${REFUSAL}BIGNUMERIC with more than 38 digits`, BIGNUMERIC);
  return withLocals([digits], (number) => {
    return duck`CASE WHEN regexp_full_match(${number}, ${textLiteral(BIGNUMERIC_FITS)}) THEN CAST(${number} AS ${duckType(BIGNUMERIC)}) ELSE ${refusal} END`;
  });
}

/** Of a second 60 the fraction is dropped. */
function datetimeOf(text: Sql): Sql {
  const local = localTime(text);
  return duck`gsql_in_calendar(CASE WHEN contains(${text}, ':60') THEN date_trunc('second', ${local}) ELSE ${local} END)`;
}

function localTime(text: Sql): Sql {
  return duck`gsql_local_time(regexp_extract(${text}, ${textLiteral(DAY)}, 1), regexp_extract(${text}, ${textLiteral(`[ Tt]${CLOCK}`)}, 1))`;
}

/**
 * Text in GoogleSQL's canonical form as a TIMESTAMP: a datetime, then `Z`, an offset, or a space and a zone's name; or a date, then a space
 * or `T`, and an offset; `zone` where none stands. A call that names a zone refuses another in the text.
 */
export function timestampFromText(sql: Sql, zone: Zone, isZoneGiven = false): Sql {
  return withLocals([sql], (text) => {
    const local = duck`TRY(${localTime(text)})`;
    const offset = String.raw`[+-](?:(?:0?\d|1[0-3])(?::?[0-5]?\d)?|14(?::?00?)?)`;
    const dateOffset = isZoneGiven ? '' : `|[ Tt]${offset}`;
    const rest = duck`regexp_extract(${text}, ${textLiteral(`^${DAY}(?:[ Tt]${CLOCK}|[ Tt])?(.*)$`)}, 3)`;
    const anyZone = isZoneGiven ? '' : `(?:[Zz]|${offset}| [A-Za-z][A-Za-z0-9/_+:-]*)?`;
    const form = `^${DAY}(?:[ Tt]${CLOCK}${anyZone}${dateOffset})?$`;
    const isWrong = duck`NOT regexp_matches(${text}, ${textLiteral(form)}) OR ${local} IS NULL`;
    const error = raise(duck`'Invalid timestamp: ''' || ${excerpt(text)} || ''''`, TIMESTAMP);
    const own = fromLocal(local, { kind: 'dynamic', sql: duck`trim(${rest})` });
    const instant = duck`CASE
      WHEN ${rest} = '' THEN ${fromLocal(local, zone)}
      WHEN ${rest} IN ('Z', 'z', ' UTC') THEN ${local}
      WHEN regexp_full_match(${rest}, ${textLiteral(offset)}) THEN ${local} - gsql_offset(${rest})
      ELSE ${own} END`;
    const isMissing =
      zone.kind === 'dynamic' ? duck`${text} IS NULL OR ${zone.sql} IS NULL` : duck`${text} IS NULL`;
    return duck`CASE
      WHEN ${isMissing} THEN NULL
      WHEN ${isWrong} THEN ${error}
      ELSE coalesce(gsql_in_calendar(${instant}), ${error}) END`;
  });
}
