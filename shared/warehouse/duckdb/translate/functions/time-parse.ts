import { escapePattern } from '../../../../re2/escape-pattern.ts';
import { duck, joined, type Sql, textLiteral, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import { textSql } from './fragments.ts';
import { readElements } from './time-format.ts';

/** How text of a format is read. */
export interface TimePattern {
  /** SQL of a struct with the text of each field; all are empty where the text does not match. */
  readonly fields: (text: Sql) => Sql;
  /** SQL of the local time from the fields, of a second 60 the one before; fails or gives NULL if there is no such time. */
  readonly localTime: (fields: Sql) => Sql;
  /** SQL of an INTERVAL from there to the time that is meant: a second after a second 60, which has no fraction. */
  readonly leap: ((fields: Sql) => Sql) | null;
  /** SQL of the offset from UTC, if the format has one. */
  readonly offset: ((fields: Sql) => Sql) | null;
  /** SQL of the zone's name, if the format has one. */
  readonly zone: ((fields: Sql) => Sql) | null;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH_NAMES =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const DAY_NAMES =
  'sun(?:day)?|mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?';

/** Elements that stand for others. */
const COMPOUNDS: Readonly<Record<string, string>> = {
  F: '%Y-%m-%d',
  T: '%H:%M:%S',
  X: '%H:%M:%S',
  R: '%H:%M',
  D: '%m/%d/%y',
  x: '%m/%d/%y',
  r: '%I:%M:%S %p',
  c: '%a %b %e %H:%M:%S %Y',
};

/** The field that an element fills, and what its text looks like. */
const FIELDS: Readonly<Record<string, readonly [string, string]>> = {
  Y: ['year', String.raw`\d{1,4}`],
  E4Y: ['year', String.raw`\d{4}`],
  y: ['shortYear', String.raw`\d{1,2}`],
  m: ['month', String.raw`\d{1,2}`],
  d: ['day', String.raw`\d{1,2}`],
  e: ['day', String.raw`\s?\d{1,2}`],
  j: ['dayOfYear', String.raw`\d{1,3}`],
  b: ['monthName', MONTH_NAMES],
  B: ['monthName', MONTH_NAMES],
  h: ['monthName', MONTH_NAMES],
  H: ['hour', String.raw`\d{1,2}`],
  k: ['hour', String.raw`\s?\d{1,2}`],
  I: ['hour12', String.raw`\d{1,2}`],
  l: ['hour12', String.raw`\s?\d{1,2}`],
  p: ['meridian', '[ap]m'],
  P: ['meridian', '[ap]m'],
  M: ['minute', String.raw`\d{1,2}`],
  S: ['second', String.raw`\d{1,2}`],
  'E*S': ['second', String.raw`\d{1,2}(?:\.\d{1,6})?`],
  'E#S': ['second', String.raw`\d{1,2}(?:\.\d{1,6})?`],
  s: ['epoch', String.raw`-?\d{1,11}`],
  z: ['offset', offsetPattern('')],
  Ez: ['offset', `${offsetPattern(':?')}|(?-i:Z)`],
  Z: ['zone', '[A-Za-z][A-Za-z0-9_/+-]*'],
};

/** An offset from UTC of at most 14 hours: `+10`, `+1030`, or with `colon` between hours and minutes. */
function offsetPattern(colon: string): string {
  return String.raw`[+-](?:(?:0\d|1[0-3])(?:${colon}[0-5]\d)?|14(?:${colon}00)?)`;
}

/** Reads a literal format of PARSE_TIMESTAMP and its siblings. */
export function readTimePattern(format: string, functionName: string): TimePattern {
  const expanded = format.replace(
    /%(E[0-9*#]?[a-zA-Z]|[\s\S])/g,
    (text, element: string) => COMPOUNDS[element] ?? text,
  );
  const groups = new Map<string, number>();
  let regexp = '';
  let count = 0;
  for (const { element, text } of readElements(expanded)) {
    if (element === null) {
      regexp += literalPattern(text);
      continue;
    }
    const fractional = /^E([1-6])S$/.exec(element);
    const field =
      fractional === null
        ? FIELDS[element]
        : (['second', String.raw`\d{1,2}(?:\.\d{1,${fractional[1]}})?`] as const);
    if (field === undefined) {
      regexp += otherPattern(element, functionName);
      continue;
    }
    count++;
    if (groups.has(field[0])) throw notSupported(`${functionName} with a format that names a field twice`);
    groups.set(field[0], count);
    regexp += `(${field[1]})`;
  }
  checkFields(groups, functionName);
  const whole = `(?i)^\\s*${regexp}\\s*$`;
  if (count === 0) throw notSupported(`${functionName} with a format that names no field`);
  const names = joined([...groups.keys()].map(textLiteral), ', ');
  const part = (name: string) =>
    groups.has(name) ? (fields: Sql) => duck`trim(${fields.field(name)})` : null;
  return {
    fields: (text) => duck`regexp_extract(${text}, ${textSql(whole)}, [${names}])`,
    localTime: (fields) => localTime(fields, part),
    leap: leapOf(part('second')),
    offset: offsetOf(part('offset')),
    zone: part('zone'),
  };
}

function literalPattern(text: string): string {
  return escapePattern(text).replace(/\s+/g, '\\s*');
}

function otherPattern(element: string, functionName: string): string {
  if (element === '%') return '%';
  if (element === 'n' || element === 't') return '\\s*';
  if (element === 'a' || element === 'A') return `(?:${DAY_NAMES})`;
  throw notSupported(`${functionName} with the format element %${element}`);
}

function checkFields(groups: ReadonlyMap<string, number>, functionName: string): void {
  const clash = [
    ['year', 'shortYear'],
    ['month', 'monthName'],
    ['hour', 'hour12'],
    ['dayOfYear', 'month'],
    ['dayOfYear', 'monthName'],
    ['dayOfYear', 'day'],
    ['zone', 'offset'],
  ].find((names) => names.every((name) => groups.has(name)));
  const isHalf = groups.has('meridian') && !groups.has('hour12');
  if (clash !== undefined || isHalf || (groups.has('epoch') && groups.size > 1)) {
    throw notSupported(`${functionName} with this combination of format elements`);
  }
}

type Part = (name: string) => ((text: Sql) => Sql) | null;

/** Fields that the format lacks are those of 1970-01-01 00:00:00. */
function localTime(text: Sql, part: Part): Sql {
  const number: NumberOf = (name, missing) => {
    const extract = part(name);
    return extract === null ? word(missing) : duck`CAST(${extract(text)} AS BIGINT)`;
  };
  const epoch = part('epoch');
  if (epoch !== null) return duck`make_timestamp(CAST(${epoch(text)} AS BIGINT) * 1000000)`;
  const second = part('second')?.(text) ?? textLiteral('0');
  const clock = duck`gsql_clock(${hour(text, part, number)}, ${number('minute', '0')}, ${second})`;
  const first = year(part, number);
  if (part('dayOfYear') === null)
    return duck`(gsql_day(${first}, ${month(text, part, number)}, ${number('day', '1')}) + ${clock})`;
  const day = duck`gsql_day(${first}, 1, 1) + CAST(${number('dayOfYear', '1')} - 1 AS INTEGER)`;
  return duck`(CASE WHEN year(${day}) = ${first} AND ${number('dayOfYear', '1')} > 0 THEN ${day} END + ${clock})`;
}

/** The number in a field, or what stands for it where the format lacks the field. */
type NumberOf = (name: string, missing: string) => Sql;

function year(part: Part, number: NumberOf): Sql {
  if (part('shortYear') === null) return number('year', '1970');
  const short = number('shortYear', '70');
  return duck`(${short} + CASE WHEN ${short} < 69 THEN 2000 ELSE 1900 END)`;
}

function month(text: Sql, part: Part, number: NumberOf): Sql {
  const name = part('monthName');
  if (name === null) return number('month', '1');
  const list = joined(MONTHS.map(textLiteral), ', ');
  return duck`list_position([${list}], lower(left(${name(text)}, 3)))`;
}

function hour(text: Sql, part: Part, number: NumberOf): Sql {
  const meridian = part('meridian');
  if (part('hour12') === null) return number('hour', '0');
  const shown = number('hour12', '12');
  const fits = duck`${shown} BETWEEN 1 AND 12`;
  if (meridian === null) return duck`CASE WHEN ${fits} THEN ${shown} % 12 END`;
  return duck`CASE WHEN ${fits} THEN ${shown} % 12 + CASE WHEN lower(${meridian(text)}) = 'pm' THEN 12 ELSE 0 END END`;
}

function leapOf(second: ((text: Sql) => Sql) | null): ((text: Sql) => Sql) | null {
  if (second === null) return null;
  return (text) => duck`to_seconds(CASE WHEN starts_with(${second(text)}, '60') THEN 1 ELSE 0 END)`;
}

function offsetOf(extract: ((text: Sql) => Sql) | null): ((text: Sql) => Sql) | null {
  if (extract === null) return null;
  return (text) => duck`gsql_short_offset(${extract(text)})`;
}
