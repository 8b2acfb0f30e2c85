import { type SqlType, STRING } from '../../../../sql/types/sql-type.ts';
import { floorTo, isTimestamp, MICROS_PER_DAY, MICROS_PER_SECOND } from '../../../../time/units.ts';
import { duck, joined, type Sql, textLiteral } from '../duck/sql.ts';
import {
  argument,
  argumentType,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
  literalValue,
} from './call-site.ts';
import { parseTime as readTime } from './formats/parse-time.ts';
import { TIME_KINDS } from './formats/time-elements.ts';
import { unpacked } from './formats/unpacked.ts';
import { raiseText, refuseWhere, withLocals } from './fragments.ts';
import { translateLiteral } from './literals.ts';
import { MAX_FORMAT_LENGTH } from './sizes.ts';
import { plainFormat } from './time-format.ts';
import { fromLocal, toLocal, UTC, type Zone, zoneArgument } from './time-zones.ts';

/** FORMAT_TIMESTAMP and its siblings. */
const formatTime: CallTranslator = (site) => {
  const type = argumentType(site, 1);
  const value = argument(site, 1);
  if (type.kind === 'TIME') return formatted(site, duck`(DATE '1970-01-01' + ${value})`, type, UTC);
  const zone = type.kind === 'TIMESTAMP' ? zoneArgument(site, 2) : UTC;
  const text = formatted(site, value, type, zone);
  // A zone that is not known is no error where the format is NULL.
  const mayFail = zone.kind === 'unknown' || zone.kind === 'dynamic';
  if (!mayFail || literalValue(site, 0) !== undefined) return text;
  return duck`CASE WHEN ${argument(site, 0)} IS NOT NULL THEN ${text} END`;
};

function formatted(site: CallSite, value: Sql, type: SqlType, zone: Zone): Sql {
  const local = toLocal(value, zone);
  return withLocals([value, site.safe ? tried(local, zone) : local], (instant, shown) => {
    const format = argument(site, 0);
    const kind = textLiteral(type.kind);
    const call = duck`gsql_format_time(${format}, ${kind}, epoch_us(${shown}), epoch_us(${instant}))`;
    const literal = literalValue(site, 0);
    const simple = typeof literal === 'string' ? plainFormat(literal, type) : null;
    if (simple === null)
      return checkedLengths(
        site,
        [format],
        unpacked(call, STRING, site.safe, (text) => text),
      );
    const computed = duck`substring(${call}, 2)`;
    const isPlain = duck`${shown} >= ${plainSince(zone)}`;
    return duck`CASE WHEN ${isPlain} THEN ${simple(shown)} ELSE ${computed} END`;
  });
}

/** strftime fills years up to four digits, and knows of no zone whose clocks were off by seconds, as the last one was in 1972. */
function plainSince(zone: Zone): Sql {
  return zone.kind === 'offset' ? duck`TIMESTAMP '1000-01-01'` : duck`TIMESTAMP '1973-01-01'`;
}

/** A zone that is not known is an error, of which SAFE makes NULL. */
export const tried = (local: Sql, zone: Zone): Sql => (zone.kind === 'offset' ? local : duck`TRY(${local})`);

/** PARSE_TIMESTAMP and its siblings. */
const parseTime: CallTranslator = (site) => {
  const known = parsedLiteral(site);
  if (known !== null) return known;
  const literal = literalValue(site, 0);
  const mayNameZone = typeof literal !== 'string' || literal.includes('Z');
  const [format, text] = [argument(site, 0), argument(site, 1)];
  const call = duck`gsql_parse_time(${format}, ${text}, ${textLiteral(site.type.kind)})`;
  const parsed = unpacked(call, site.type, site.safe, (answer) => timeOf(site, answer, mayNameZone));
  const bounded = checkedLengths(site, [format, text], parsed);
  const zone = zoneArgument(site, 2);
  return zone.kind === 'dynamic' ? duck`CASE WHEN ${zone.sql} IS NOT NULL THEN ${bounded} END` : bounded;
};

/** A time that the query itself names becomes a literal, which filters compare with; null for what rows or errors decide. */
function parsedLiteral(site: CallSite): Sql | null {
  const [format, text] = [literalValue(site, 0), literalValue(site, 1)];
  const zone = zoneArgument(site, 2);
  const kind = TIME_KINDS.find((one) => one === site.type.kind);
  if (typeof format !== 'string' || typeof text !== 'string' || zone.kind !== 'offset') return null;
  if (kind === undefined || kind === 'TIME') return null;
  const [, from = '', seconds = '', micros = ''] =
    /^=(utc|local)\|(-?\d+)\|(\d+)$/.exec(readTime(format, text, kind)) ?? [];
  if (from === '') return null;
  const ahead = kind === 'TIMESTAMP' && from === 'local' ? zone.micros : 0n;
  const time = BigInt(seconds) * MICROS_PER_SECOND + BigInt(micros) - ahead;
  if (!isTimestamp(time)) return null;
  const value = kind === 'DATE' ? floorTo(time, MICROS_PER_DAY) / MICROS_PER_DAY : time;
  return translateLiteral({ kind: 'literal', type: site.type, value });
}

/** The time that the answer of gsql_parse_time names: `local`, `zone` or `utc`, its seconds, its micros, and a zone. */
export function timeOf(site: CallSite, answer: Sql, mayNameZone: boolean): Sql {
  const part = (index: number) => duck`split_part(${answer}, '|', ${index})`;
  const shown = duck`make_timestamp(CAST(${part(2)} AS BIGINT) * 1000000)`;
  const { type } = site;
  const base =
    type.kind === 'TIMESTAMP' ? instantOf(site, shown, part(1), mayNameZone ? part(4) : null) : shown;
  const time = duck`(${base} + to_microseconds(CAST(${part(3)} AS BIGINT)))`;
  if (type.kind === 'TIME') return duck`CAST(${time} AS TIME)`;
  return withLocals([time], (value) => {
    const fits = duck`gsql_in_calendar(${value})`;
    const kept = type.kind === 'DATE' ? duck`CAST(${fits} AS DATE)` : fits;
    if (site.safe) return kept;
    const error = raiseText('Invalid result from parsing function', type);
    return duck`CASE WHEN ${value} IS NOT NULL AND ${fits} IS NULL THEN ${error} ELSE ${kept} END`;
  });
}

function instantOf(site: CallSite, shown: Sql, kind: Sql, name: Sql | null): Sql {
  const zone = zoneArgument(site, 2);
  const local = fromLocal(shown, zone);
  const isLocal = duck`${kind} = 'local'`;
  if (name === null)
    return zone === UTC
      ? shown
      : duck`CASE WHEN ${isLocal} THEN ${site.safe ? tried(local, zone) : local} ELSE ${shown} END`;
  const other = fromLocal(shown, { kind: 'dynamic', sql: name });
  return duck`CASE
    WHEN ${isLocal} THEN ${site.safe ? tried(local, zone) : local}
    WHEN ${kind} = 'zone' THEN ${other}
    ELSE ${shown} END`;
}

/** A format is read again for each value: what each of them costs stays bounded. */
export function checkedLengths(site: CallSite, texts: readonly Sql[], sql: Sql): Sql {
  const open = texts.filter(
    (text) => text.literal === null || String(text.literal).length > MAX_FORMAT_LENGTH,
  );
  if (open.length === 0) return sql;
  return withLocals(open, (...names) => {
    const isLong = joined(
      names.map((name) => duck`length(${name}) > ${MAX_FORMAT_LENGTH}`),
      ' OR ',
    );
    return refuseWhere(
      isLong,
      `not supported by the embedded engine: ${site.name} with more than ${MAX_FORMAT_LENGTH} characters`,
      site.type,
      sql,
    );
  });
}

/** Dates and times to text by a format, and back. */
export const TIME_FORMATS: CallTranslators = {
  FORMAT_DATE: formatTime,
  FORMAT_DATETIME: formatTime,
  FORMAT_TIMESTAMP: formatTime,
  FORMAT_TIME: formatTime,
  PARSE_DATE: parseTime,
  PARSE_DATETIME: parseTime,
  PARSE_TIMESTAMP: parseTime,
  PARSE_TIME: parseTime,
};
