import { DATETIME } from '../../../../sql/types/sql-type.ts';
import type { Sql } from '../duck/sql.ts';
import { argument, argumentType, type CallSite } from './call-site.ts';
import { inCalendar } from './date-shift.ts';
import { toLocal, UTC, zoneArgument } from './time-zones.ts';

/** What clocks show: a TIMESTAMP in the zone that the call names, other types as they are. */
export function localValue(site: CallSite): Sql {
  const value = argument(site, 0);
  return argumentType(site, 0).kind === 'TIMESTAMP' ? toLocal(value, zoneArgument(site, 1)) : value;
}

/** The same where the date is wanted: clocks may show one that is in no year from 1 to 9999. */
export function localDate(site: CallSite): Sql {
  const local = localValue(site);
  const isMoved = argumentType(site, 0).kind === 'TIMESTAMP' && zoneArgument(site, 1) !== UTC;
  return isMoved ? inCalendar(local, DATETIME) : local;
}
