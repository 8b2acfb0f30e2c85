import { INTERVAL } from '../../../../sql/types/sql-type.ts';
import { isWithinLimits } from '../../../../sql/values/interval-text.ts';
import { PART_MICROS } from '../../../../sql/values/part-micros.ts';
import { MICROS_PER_DAY } from '../../../../time/units.ts';
import { duck, EMPTY, joined, type Sql, textLiteral, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import {
  argument,
  argumentType,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
  literalValue,
} from './call-site.ts';
import { PART_MONTHS } from './date-parts.ts';
import { raiseText, withLocals } from './fragments.ts';

/** DuckDB's INTERVAL has months, days and microseconds as well, and compares them as GoogleSQL does. */
export function intervalLiteral(value: string): Sql {
  const [months, days, micros] = value.split(' ');
  return duck`${textLiteral(`${months} months ${days} days ${micros} microseconds`)}::INTERVAL`;
}

/** `INTERVAL n part`: plain for a count that is known to fit, so that filters with it are folded. */
const make: CallTranslator = (site) => {
  const count = argument(site, 0);
  const part = site.part?.name ?? '';
  const months = PART_MONTHS[part];
  const days = part === 'DAY' ? 1 : 7;
  const micros = part === 'DAY' ? undefined : PART_MICROS[part];
  const known = literalValue(site, 0);
  if (typeof known === 'bigint' && isWithinLimits(amountOf(part, known))) {
    if (months !== undefined) return duck`to_months(CAST(${count} * ${months} AS INTEGER))`;
    if (micros !== undefined) return duck`to_microseconds(${count} * ${micros})`;
    return duck`to_days(CAST(${count}${days === 7 ? word(' * 7') : EMPTY} AS INTEGER))`;
  }
  return makeInterval(count, part);
};

/** `INTERVAL n part`, an error where the count is out of range. */
export function makeInterval(count: Sql, part: string): Sql {
  const months = PART_MONTHS[part];
  const days = part === 'DAY' ? 1 : 7;
  const micros = part === 'DAY' ? undefined : PART_MICROS[part];
  return withLocals([duck`CAST(${count} AS HUGEINT)`], (n) => {
    if (months !== undefined) return duck`gsql_interval(${n} * ${months}, 0, 0)`;
    return micros === undefined
      ? duck`gsql_interval(0, ${n} * ${days}, 0)`
      : duck`gsql_interval(0, 0, ${n} * ${micros})`;
  });
}

const NOTHING = { months: 0n, days: 0n, micros: 0n };

/** The parts of `INTERVAL n part`. */
export function amountOf(part: string, count: bigint): typeof NOTHING {
  const months = PART_MONTHS[part];
  if (months !== undefined) return { ...NOTHING, months: count * BigInt(months) };
  if (part === 'DAY' || part === 'WEEK') return { ...NOTHING, days: count * (part === 'DAY' ? 1n : 7n) };
  return { ...NOTHING, micros: count * (PART_MICROS[part] ?? 1n) };
}

const makeOfParts: CallTranslator = ({ sql }) =>
  withLocals(
    sql.map((part) => duck`CAST(${part} AS HUGEINT)`),
    (year, month, day, hour, minute, second) =>
      duck`gsql_interval(${year} * 12 + ${month}, ${day}, ((${hour} * 60 + ${minute}) * 60 + ${second}) * 1000000)`,
  );

/** Two intervals added or subtracted part by part, or one multiplied, divided or negated. */
export function combineIntervals(site: CallSite): Sql {
  const [left, right = EMPTY] = site.sql;
  if (left === undefined) throw new TypeError(`${site.name} has operands`);
  switch (site.name) {
    case '$ADD':
      return withLocals([left, right], (a, b) => partwise((part) => duck`${part}(${a}) + ${part}(${b})`));
    case '$SUBTRACT':
      return argumentType(site, 0).kind === 'INTERVAL'
        ? withLocals([left, right], (a, b) => partwise((part) => duck`${part}(${a}) - ${part}(${b})`))
        : between(site, left, right);
    case '$MULTIPLY': {
      const [interval, factor] = argumentType(site, 0).kind === 'INTERVAL' ? [left, right] : [right, left];
      return withLocals([interval, factor], (i, n) => partwise((part) => duck`${part}(${i}) * ${n}`));
    }
    case '$DIVIDE':
      return withLocals([left, right], (i, n) => {
        const error = raiseText('Interval division by zero', INTERVAL);
        return duck`CASE WHEN ${n} = 0 AND ${i} IS NOT NULL THEN ${error} ELSE ${divideInterval(i, n)} END`;
      });
    case '$UNARY_MINUS':
      return duck`(- ${left})`;
    default:
      throw notSupported(`${site.name} on INTERVAL`);
  }
}

function partwise(part: (name: Sql) => Sql): Sql {
  const parts = ['gsql_months', 'gsql_days', 'gsql_micros'].map(word);
  return duck`gsql_interval(${joined(parts.map(part), ', ')})`;
}

/** What is left of the months counts as days of 30 to the month, what is left of the days as 24 hours each. */
function divideInterval(interval: Sql, divisor: Sql): Sql {
  return divideParts(
    [duck`gsql_months(${interval})`, duck`gsql_days(${interval})`, duck`gsql_micros(${interval})`],
    divisor,
  );
}

/** The same of months, days and microseconds, which together may be more than an INTERVAL holds. */
export function divideParts(parts: readonly [Sql, Sql, Sql], divisor: Sql): Sql {
  return withLocals([...parts, divisor], (m, d, us, n) =>
    withLocals([duck`(${m} % ${n} * 30 + ${d})`], (days) => {
      const micros = duck`(${days} % ${n} * 86400000000 + ${us}) // ${n}`;
      return duck`gsql_interval(${m} // ${n}, ${days} // ${n}, ${micros})`;
    }),
  );
}

/** From the right operand to the left: days between dates, hours between timestamps and times, both between datetimes. */
function between(site: CallSite, later: Sql, earlier: Sql): Sql {
  const { kind } = argumentType(site, 0);
  if (kind === 'DATE') return duck`to_days(CAST(${later} - ${earlier} AS INTEGER))`;
  const micros = duck`(epoch_us(${later}) - epoch_us(${earlier}))`;
  if (kind === 'TIMESTAMP' || kind === 'TIME') return duck`to_microseconds(${micros})`;
  return withLocals(
    [micros],
    (us) => duck`(to_days(CAST(${us} // 86400000000 AS INTEGER)) + to_microseconds(${us} % 86400000000))`,
  );
}

const FIELDS: Readonly<Record<string, (interval: Sql) => Sql>> = {
  YEAR: (interval) => duck`gsql_months(${interval}) // 12`,
  MONTH: (interval) => duck`gsql_months(${interval}) % 12`,
  DAY: (interval) => duck`gsql_days(${interval})`,
  HOUR: (interval) => duck`gsql_micros(${interval}) // 3600000000`,
  MINUTE: (interval) => duck`gsql_micros(${interval}) // 60000000 % 60`,
  SECOND: (interval) => duck`gsql_micros(${interval}) // 1000000 % 60`,
  MILLISECOND: (interval) => duck`gsql_micros(${interval}) // 1000 % 1000`,
  MICROSECOND: (interval) => duck`gsql_micros(${interval}) % 1000000`,
};

/** EXTRACT(part FROM interval): parts of a negative interval are negative. */
export function intervalField(interval: Sql, part: string): Sql {
  const field = FIELDS[part];
  if (field === undefined) throw new TypeError(`no such part of an INTERVAL: ${part}`);
  return withLocals([interval], (value) => duck`(${field(value)})`);
}

/** The interval as CAST to STRING shows it: `Y-M D H:M:S`. */
export function intervalText(interval: Sql): Sql {
  return withLocals([interval], (value) =>
    withLocals([duck`gsql_months(${value})`, duck`gsql_micros(${value})`], (months, micros) => {
      const years = duck`${sign(months)} || abs(${months}) // 12 || '-' || abs(${months}) % 12`;
      return duck`(${years} || ' ' || gsql_days(${value}) || ' ' || gsql_clock_text(${micros}))`;
    }),
  );
}

function sign(value: Sql): Sql {
  return duck`CASE WHEN ${value} < 0 THEN '-' ELSE '' END`;
}

/** The interval as ISO 8601 has it, which is what it is in JSON: `P1Y2M3DT4H5M6.5S`. */
export function intervalIsoText(interval: Sql): Sql {
  return withLocals([interval], (value) => {
    const term = (part: string, letter: string) => {
      const count = FIELDS[part]?.(value);
      return duck`CASE WHEN ${count} = 0 THEN '' ELSE (${count}) || ${textLiteral(letter)} END`;
    };
    const day = joined([term('YEAR', 'Y'), term('MONTH', 'M'), term('DAY', 'D')], ' || ');
    const clock = [term('HOUR', 'H'), term('MINUTE', 'M'), duck`gsql_iso_seconds(gsql_micros(${value}))`];
    const isClock = duck`gsql_micros(${value}) <> 0`;
    return duck`CASE WHEN ${value} = to_days(0) AND gsql_months(${value}) = 0 AND gsql_days(${value}) = 0 THEN 'P0Y' ELSE 'P' || ${day} || CASE WHEN ${isClock} THEN 'T' || ${joined(clock, ' || ')} ELSE '' END END`;
  });
}

/** The parts as a record of DuckDB, named for what follows. */
function withParts(m: Sql, d: Sql, u: Sql, body: (parts: Sql) => Sql): Sql {
  return withLocals([duck`struct_pack(m := ${m}, d := ${d}, u := ${u})`], body);
}

/** Hours become days of 24, days months of 30, whatever their signs. */
function carry(parts: Sql, levels: Levels, body: (parts: Sql) => Sql): Sql {
  const days = levels.hours ? duck`(${parts}.d + ${parts}.u // ${MICROS_PER_DAY})` : duck`${parts}.d`;
  const micros = levels.hours ? duck`${parts}.u % ${MICROS_PER_DAY}` : duck`${parts}.u`;
  return levels.days
    ? withParts(duck`${parts}.m + ${days} // 30`, duck`${days} % 30`, micros, body)
    : withParts(duck`${parts}.m`, days, micros, body);
}

/** A part of the other sign than the one above it takes a day, or a month, from that. */
function borrow(parts: Sql, levels: Levels, body: (parts: Sql) => Sql): Sql {
  const lower = levels.hours
    ? duck`CASE WHEN ${parts}.d = 0 THEN ${parts}.u ELSE ${parts}.d END`
    : duck`${parts}.d`;
  const months = levels.days ? duck`gsql_borrow(${parts}.m, ${lower})` : word('0');
  return withParts(duck`${parts}.m - ${months}`, duck`${parts}.d + 30 * ${months}`, duck`${parts}.u`, (p) => {
    const days = levels.hours ? duck`gsql_borrow(${p}.d, ${p}.u)` : word('0');
    return withParts(duck`${p}.m`, duck`${p}.d - ${days}`, duck`${p}.u + ${MICROS_PER_DAY} * ${days}`, body);
  });
}

interface Levels {
  readonly hours: boolean;
  readonly days: boolean;
}

/** Hours as days, days as months, or both. */
const justify =
  (levels: Levels): CallTranslator =>
  (site) =>
    withLocals([argument(site, 0)], (value) =>
      withParts(
        duck`gsql_months(${value})`,
        duck`gsql_days(${value})`,
        duck`gsql_micros(${value})`,
        (parts) =>
          carry(parts, levels, (carried) =>
            borrow(carried, levels, (all) => duck`gsql_interval(${all}.m, ${all}.d, ${all}.u)`),
          ),
      ),
    );

/** INTERVAL values and what is made of them. */
export const INTERVALS: CallTranslators = {
  $INTERVAL: make,
  MAKE_INTERVAL: makeOfParts,
  JUSTIFY_HOURS: justify({ hours: true, days: false }),
  JUSTIFY_DAYS: justify({ hours: false, days: true }),
  JUSTIFY_INTERVAL: justify({ hours: true, days: true }),
};
