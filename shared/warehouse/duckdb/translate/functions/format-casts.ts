import { STRING } from '../../../../sql/types/sql-type.ts';
import { clauses, duck, type Sql, textLiteral, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import {
  argument,
  argumentType,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
  literalValue,
} from './call-site.ts';
import { unpacked } from './formats/unpacked.ts';
import { excerpt, raise, refuseWhere, withLocals } from './fragments.ts';
import { MAX_SPLIT_SIZE } from './sizes.ts';
import { checkedLengths, timeOf, tried } from './time-formats.ts';
import { toLocal, UTC, type Zone, zoneArgument } from './time-zones.ts';
import { textOf } from './value-text.ts';

/** CAST(value AS STRING FORMAT format) */
const toText: CallTranslator = (site) => {
  const type = argumentType(site, 0);
  const [value, format] = [argument(site, 0), argument(site, 1)];
  const same = (text: Sql) => text;
  switch (type.kind) {
    case 'BYTES':
      return ofBytes(
        site,
        value,
        unpacked(duck`gsql_bytes_text(${value}, ${format})`, STRING, site.safe, same),
      );
    case 'DATE':
    case 'DATETIME':
    case 'TIME':
    case 'TIMESTAMP': {
      const time = type.kind === 'TIME' ? duck`(DATE '1970-01-01' + ${value})` : value;
      const zone = type.kind === 'TIMESTAMP' ? zoneArgument(site, 2) : UTC;
      const local = toLocal(time, zone);
      const formatted = withLocals([time, site.safe ? tried(local, zone) : local], (instant, shown) => {
        const kind = textLiteral(type.kind);
        const call = duck`gsql_format_cast(${format}, ${kind}, epoch_us(${shown}), epoch_us(${instant}))`;
        return checkedLengths(site, [format], unpacked(call, STRING, site.safe, same));
      });
      return withKnownZone(site, zone, formatted);
    }
    case 'INT64':
    case 'NUMERIC':
    case 'BIGNUMERIC':
    case 'FLOAT64': {
      const isBinary = word(type.kind === 'FLOAT64' ? 'true' : 'false');
      const call = duck`gsql_format_number(${textOf(value, type)}, ${isBinary}, ${format})`;
      return unpacked(call, STRING, site.safe, same);
    }
    default:
      throw notSupported(`CAST with FORMAT of ${type.kind}`);
  }
};

const toBytes: CallTranslator = (site) => {
  const [text, format] = [argument(site, 0), argument(site, 1)];
  const call = duck`gsql_text_bytes(${text}, ${format})`;
  return ofBytes(
    site,
    duck`encode(${text})`,
    unpacked(call, site.type, site.safe, (hex) => duck`unhex(${hex})`),
  );
};

function ofBytes(site: CallSite, bytes: Sql, sql: Sql): Sql {
  const isLong = duck`octet_length(${bytes}) > ${MAX_SPLIT_SIZE}`;
  return refuseWhere(
    isLong,
    `not supported by the embedded engine: CAST with FORMAT of more than ${MAX_SPLIT_SIZE} bytes`,
    site.type,
    sql,
  );
}

/** CAST(text AS a date or time FORMAT format) */
const toTime: CallTranslator = (site) => {
  const [text, format] = [argument(site, 0), argument(site, 1)];
  const zone = zoneArgument(site, 2);
  const literal = literalValue(site, 1);
  // Only what the format does not have is that of the present.
  const isWhole =
    site.type.kind === 'TIME' ||
    (typeof literal === 'string' && /YYYY|RRRR|Y,YYY/i.test(literal) && /MM|MON/i.test(literal));
  const now = isWhole ? duck`0::BIGINT` : duck`epoch_us(${toLocal(site.context.now(), zone)})`;
  const call = duck`gsql_parse_cast(${format}, ${text}, ${textLiteral(site.type.kind)}, ${now})`;
  const parsed = unpacked(call, site.type, site.safe, (answer) => timeOf(site, answer, false));
  const bounded = checkedLengths(site, [format, text], parsed);
  const zoned =
    zone.kind === 'dynamic' ? duck`CASE WHEN ${zone.sql} IS NOT NULL THEN ${bounded} END` : bounded;
  return withKnownZone(site, zone, zoned);
};

/** A cast looks at its zone after its format, and before its value: one that is not known is an error even where the value is NULL. */
function withKnownZone(site: CallSite, zone: Zone, sql: Sql): Sql {
  if (zone.kind !== 'unknown' && zone.kind !== 'dynamic') return sql;
  const name = zone.kind === 'unknown' ? textLiteral(zone.name) : zone.sql;
  const known = zone.kind === 'unknown' ? word('NULL') : duck`gsql_zone(${name})`;
  const error = raise(duck`'Invalid time zone: ' || ${excerpt(name)}`, site.type);
  return clauses(
    duck`CASE WHEN ${argument(site, 1)} IS NULL OR ${name} IS NULL THEN NULL`,
    duck`WHEN ${known} IS NULL THEN ${site.safe ? word('NULL') : error} ELSE ${sql} END`,
  );
}

/** Casts with a format, by the type that they give. */
export const FORMAT_CASTS: CallTranslators = {
  $CAST_TO_STRING: toText,
  $CAST_TO_BYTES: toBytes,
  $CAST_TO_DATE: toTime,
  $CAST_TO_DATETIME: toTime,
  $CAST_TO_TIME: toTime,
  $CAST_TO_TIMESTAMP: toTime,
};
