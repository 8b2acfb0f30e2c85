import { TIMESTAMP } from '../../../../sql/types/sql-type.ts';
import { duck, EMPTY, type Sql, textLiteral } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import { type CallSite, literalValue } from './call-site.ts';
import { raiseText, withLocals } from './fragments.ts';

/** A time zone of a call: none (UTC), a fixed offset, or a named one. */
export type Zone =
  | { readonly kind: 'offset'; readonly micros: bigint; readonly text: string }
  | { readonly kind: 'named'; readonly sql: Sql }
  | { readonly kind: 'unknown'; readonly name: string };

export const UTC: Zone = { kind: 'offset', micros: 0n, text: 'UTC' };

const OFFSET = /^([+-])(\d{1,2})(?::?(\d{1,2}))?$/;

/** The zone that the argument at an index names; UTC where the call has no such argument. */
export function zoneArgument(site: CallSite, index: number): Zone {
  const expression = site.arguments[index];
  if (expression === undefined) return UTC;
  const value = literalValue(site, index);
  if (value === undefined) {
    if (expression.kind === 'parameter') return { kind: 'named', sql: site.sql[index] ?? EMPTY };
    throw notSupported(`${site.name} with a time zone that is not a literal`);
  }
  return readZone(String(value));
}

/** `UTC`, `+09:00`, `America/New_York` */
export function readZone(name: string): Zone {
  if (/^utc$/i.test(name)) return UTC;
  const offset = OFFSET.exec(name);
  if (offset !== null) {
    const [hours, minutes] = [Number(offset[2]), Number(offset[3] ?? 0)];
    if (hours * 60 + minutes > 14 * 60 || minutes > 59) return { kind: 'unknown', name };
    const micros = BigInt(hours * 60 + minutes) * 60_000_000n;
    return { kind: 'offset', micros: offset[1] === '-' ? -micros : micros, text: name };
  }
  return isZoneName(name) ? { kind: 'named', sql: textLiteral(name) } : { kind: 'unknown', name };
}

function isZoneName(name: string): boolean {
  if (!/^[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** What clocks of a zone show at a TIMESTAMP, as a TIMESTAMP without zone. */
export function toLocal(timestamp: Sql, zone: Zone): Sql {
  if (zone.kind === 'unknown') return unknownZone(timestamp, zone.name);
  if (zone.kind === 'named') return duck`timezone(${zone.sql}, make_timestamptz(epoch_us(${timestamp})))`;
  return zone.micros === 0n ? timestamp : duck`(${timestamp} + to_microseconds(${zone.micros}))`;
}

/**
 * The TIMESTAMP at which clocks of a zone show a local time. A time that a change of the clocks skips counts with the
 * offset before the change; one that comes twice is the first of the two, where DuckDB takes the second.
 */
export function fromLocal(local: Sql, zone: Zone): Sql {
  if (zone.kind === 'unknown') return unknownZone(local, zone.name);
  if (zone.kind === 'offset')
    return zone.micros === 0n ? local : duck`(${local} - to_microseconds(${zone.micros}))`;
  return withLocals([local, zone.sql], fromNamed);
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
