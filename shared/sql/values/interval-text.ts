import { MICROS_PER_HOUR, MICROS_PER_MINUTE, MICROS_PER_MS, MICROS_PER_SECOND } from '../../time/units.ts';

/** An INTERVAL's three parts, which GoogleSQL keeps apart: a day is not always 24 hours, a month not always 30 days. */
export interface IntervalParts {
  readonly months: bigint;
  readonly days: bigint;
  readonly micros: bigint;
}

/** What each part may be at most, with either sign: 10,000 years. */
const INTERVAL_LIMITS: IntervalParts = {
  months: 120_000n,
  days: 3_660_000n,
  micros: 316_224_000_000_000_000n,
};

type Unit = readonly [part: keyof IntervalParts, size: bigint];

const UNITS: Readonly<Record<string, Unit>> = {
  YEAR: ['months', 12n],
  QUARTER: ['months', 3n],
  MONTH: ['months', 1n],
  WEEK: ['days', 7n],
  DAY: ['days', 1n],
  HOUR: ['micros', MICROS_PER_HOUR],
  MINUTE: ['micros', MICROS_PER_MINUTE],
  SECOND: ['micros', MICROS_PER_SECOND],
  MILLISECOND: ['micros', MICROS_PER_MS],
  MICROSECOND: ['micros', 1n],
};

/** The units that `YEAR TO SECOND` goes through, in groups that share a sign. */
const GROUPS: readonly (readonly string[])[] = [['YEAR', 'MONTH'], ['DAY'], ['HOUR', 'MINUTE', 'SECOND']];
const ORDER = GROUPS.flat();
const SEPARATORS: Readonly<Record<string, string>> = { MONTH: '-', MINUTE: ':', SECOND: ':' };
const SECONDS = String.raw`\d{1,18}(?:\.\d{1,6})?`;

/** Whether an INTERVAL goes from one of these date parts to the other: `YEAR TO DAY`, `HOUR TO SECOND`. */
export function isIntervalRange(from: string, to: string): boolean {
  return ORDER.includes(from) && ORDER.indexOf(to) > ORDER.indexOf(from);
}

/** Text such as `1-2 3` for YEAR TO DAY; null for text in another form, or parts beyond their limits. */
export function parseIntervalRange(text: string, from: string, to: string): IntervalParts | null {
  const units = ORDER.slice(ORDER.indexOf(from), ORDER.indexOf(to) + 1);
  const groups = GROUPS.map((group) => group.filter((unit) => units.includes(unit)));
  const pattern = groups
    .filter((group) => group.length > 0)
    .map((group) => `(?<sign${group[0]}>[+-]?)${group.map(unitPattern).join('')}`)
    .join(' ');
  const found = new RegExp(`^${pattern}$`).exec(text)?.groups;
  if (found === undefined) return null;
  const terms = groups.flatMap((group) =>
    group.map((unit): [string, string] => [unit, `${found[`sign${group[0]}`]}${found[unit]}`]),
  );
  return sum(terms);
}

function unitPattern(unit: string, index: number): string {
  const digits = unit === 'SECOND' ? SECONDS : String.raw`\d{1,18}`;
  return `${index === 0 ? '' : SEPARATORS[unit]}(?<${unit}>${digits})`;
}

/** Text such as `5` for one date part, `1.5` for SECOND; null for other text, or for too much. */
export function parseIntervalCount(text: string, part: string): IntervalParts | null {
  const pattern = part === 'SECOND' ? new RegExp(`^[+-]?${SECONDS}$`) : /^[+-]?\d{1,18}$/;
  return UNITS[part] !== undefined && pattern.test(text) ? sum([[part, text]]) : null;
}

/** Ranges in which CAST reads text, by how it looks. */
const CAST_RANGES: readonly (readonly [from: string, to: string])[] = [
  ['YEAR', 'MONTH'],
  ['YEAR', 'DAY'],
  ['YEAR', 'HOUR'],
  ['YEAR', 'MINUTE'],
  ['YEAR', 'SECOND'],
  ['DAY', 'MINUTE'],
  ['DAY', 'SECOND'],
  ['HOUR', 'SECOND'],
];

const ISO_NUMBER = String.raw`([+-]?\d{1,18})`;
const ISO_UNITS = ['YEAR', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE', 'SECOND'];
const ISO = new RegExp(
  `^P(?=[^T]|T.)(?:${ISO_NUMBER}Y)?(?:${ISO_NUMBER}M)?(?:${ISO_NUMBER}W)?(?:${ISO_NUMBER}D)?` +
    `(?:T(?=.)(?:${ISO_NUMBER}H)?(?:${ISO_NUMBER}M)?(?:([+-]?${SECONDS.replace(String.raw`\.`, '[.,]')})S)?)?$`,
);

/** What `CAST(text AS INTERVAL)` gives: `1-2 3 4:5:6`, ISO 8601's `P1Y2M`; null where GoogleSQL refuses the text. */
export function parseIntervalText(text: string): IntervalParts | null {
  const iso = ISO.exec(text);
  if (iso !== null) {
    return sum(ISO_UNITS.map((unit, index): [string, string] => [unit, iso[index + 1] ?? '0']));
  }
  for (const [from, to] of CAST_RANGES) {
    const parts = parseIntervalRange(text, from, to);
    if (parts !== null) return parts;
  }
  return null;
}

function sum(terms: readonly (readonly [unit: string, amount: string])[]): IntervalParts | null {
  const total = { months: 0n, days: 0n, micros: 0n };
  for (const [name, amount] of terms) {
    const [part, size] = UNITS[name] ?? (['micros', 0n] as const);
    total[part] += name === 'SECOND' ? secondsInMicros(amount) : BigInt(plain(amount)) * size;
  }
  return isWithinLimits(total) ? total : null;
}

/** BigInt() reads no plus. */
function plain(amount: string): string {
  return amount.replace('+', '');
}

function secondsInMicros(amount: string): bigint {
  const [whole = '0', fraction = ''] = plain(amount).split(/[.,]/);
  const sign = whole.startsWith('-') ? -1n : 1n;
  return BigInt(whole) * MICROS_PER_SECOND + sign * BigInt(fraction.padEnd(6, '0'));
}

/** Whether an INTERVAL can hold these parts. */
export function isWithinLimits(parts: IntervalParts): boolean {
  return (['months', 'days', 'micros'] as const).every(
    (part) => parts[part] <= INTERVAL_LIMITS[part] && parts[part] >= -INTERVAL_LIMITS[part],
  );
}
