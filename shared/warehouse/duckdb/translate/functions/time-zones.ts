import { TIMESTAMP } from '../../../../sql/types/sql-type.ts';
import { isZoneName } from '../../../../sql/values/zone-names.ts';
import { offsetMinutes } from '../../../../sql/values/zone-offset.ts';
import { duck, type Sql, textLiteral } from '../duck/sql.ts';
import { argument, type CallSite, literalValue } from './call-site.ts';
import { excerpt, raise, raiseText, withLocals } from './fragments.ts';

/** A time zone of a call: a fixed offset, a named one, one that each row names, or a name that no zone has. */
export type Zone =
  | { readonly kind: 'offset'; readonly micros: bigint }
  | { readonly kind: 'named'; readonly sql: Sql }
  | { readonly kind: 'dynamic'; readonly sql: Sql }
  | { readonly kind: 'unknown'; readonly name: string };

export const UTC: Zone = { kind: 'offset', micros: 0n };

/** The zone that the argument at an index names; UTC where the call has no such argument. */
export function zoneArgument(site: CallSite, index: number): Zone {
  if (site.arguments[index] === undefined) return UTC;
  const value = literalValue(site, index);
  return value === undefined ? { kind: 'dynamic', sql: argument(site, index) } : readZone(String(value));
}

/** `UTC`, `+09:00`, `UTC+9`, `America/New_York` */
export function readZone(name: string): Zone {
  if (name === 'UTC') return UTC;
  const minutes = offsetMinutes(name);
  if (minutes !== null) return { kind: 'offset', micros: BigInt(minutes) * 60_000_000n };
  return isZoneName(name) ? { kind: 'named', sql: textLiteral(name) } : { kind: 'unknown', name };
}

/** What clocks of a zone show at a TIMESTAMP, as a TIMESTAMP without zone. */
export function toLocal(timestamp: Sql, zone: Zone): Sql {
  switch (zone.kind) {
    case 'unknown':
      return unknownZone(timestamp, zone.name);
    case 'named':
      return duck`timezone(${zone.sql}, make_timestamptz(epoch_us(${timestamp})))`;
    case 'dynamic':
      return inZone(timestamp, zone.sql, toLocal);
    case 'offset':
      return zone.micros === 0n ? timestamp : duck`(${timestamp} + to_microseconds(${zone.micros}))`;
  }
}

/**
 * The TIMESTAMP at which clocks of a zone show a local time. A time that a change of the clocks skips counts with the
 * offset before the change; one that comes twice is the first of the two, where DuckDB takes the second.
 */
export function fromLocal(local: Sql, zone: Zone): Sql {
  switch (zone.kind) {
    case 'unknown':
      return unknownZone(local, zone.name);
    case 'named':
      return withLocals([local, zone.sql], fromNamed);
    case 'dynamic':
      return inZone(local, zone.sql, fromLocal);
    case 'offset':
      return zone.micros === 0n ? local : duck`(${local} - to_microseconds(${zone.micros}))`;
  }
}

/** Converts a time to or from the zone that a text of each row names. */
function inZone(time: Sql, name: Sql, convert: (time: Sql, zone: Zone) => Sql): Sql {
  return withLocals([time, name], (value, text) =>
    withLocals([duck`gsql_zone(${text})`], (known) => {
      const unknown = raise(duck`'Invalid time zone: ' || ${excerpt(text)}`, TIMESTAMP);
      const named = convert(value, { kind: 'named', sql: known });
      const minutes = duck`to_minutes(CAST(substring(${known}, 2) AS BIGINT))`;
      const fixed = convert === toLocal ? duck`${value} + ${minutes}` : duck`${value} - ${minutes}`;
      return duck`CASE WHEN ${value} IS NULL OR ${text} IS NULL THEN NULL WHEN ${known} IS NULL THEN ${unknown} WHEN starts_with(${known}, '+') THEN ${fixed} ELSE ${named} END`;
    }),
  );
}

/** Where the offset of the day before gives another instant that shows the same time, the clocks have gone back. */
function fromNamed(shown: Sql, zone: Sql): Sql {
  const named: Zone = { kind: 'named', sql: zone };
  return withLocals([duck`make_timestamp(epoch_us(timezone(${zone}, ${shown})))`], (late) => {
    const dayBefore = duck`(${late} - to_days(1))`;
    return withLocals([duck`(${shown} - (${toLocal(dayBefore, named)} - ${dayBefore}))`], (early) => {
      const isRepeated = duck`${toLocal(early, named)} = ${shown}`;
      return duck`CASE WHEN ${early} = ${late} THEN ${late} WHEN ${isRepeated} THEN least(${early}, ${late}) ELSE ${late} END`;
    });
  });
}

function unknownZone(value: Sql, name: string): Sql {
  return duck`CASE WHEN ${value} IS NOT NULL THEN ${raiseText(`Invalid time zone: ${name}`, TIMESTAMP)} END`;
}
