import { excerpt } from '../../../../../errors/excerpt.ts';
import { isZoneName } from '../../../../../sql/values/zone-names.ts';
import { offsetMinutes } from '../../../../../sql/values/zone-offset.ts';
import { epochDay, isDate } from './civil-time.ts';
import { dateOfFields } from './day-of-others.ts';
import { answered, failed, type JavaScriptAnswer, refused } from './javascript-answer.ts';
import { PARSE_ELEMENTS } from './parse-elements.ts';
import { noFields, type ParsedFields } from './parsed-time.ts';
import { isSpace, TextCursor } from './text-cursor.ts';
import type { TimeKind } from './time-elements.ts';

/** Elements that a type has not got: a format that names one is an error. */
const FORBIDDEN: Readonly<Record<TimeKind, string>> = {
  DATE: 'cHIklMPpRrSsTXZz',
  DATETIME: 'Zz',
  TIME: 'AaBbhCcDdeFGgjmsUuVWwxYyZz',
  TIMESTAMP: '',
};

const MICROS_PER_SECOND = 1_000_000n;

/**
 * PARSE_TIMESTAMP and its siblings: `local|seconds|micros` with the time as the default zone's clocks show it,
 * `zone|seconds|micros|name` for another zone's clocks, or `utc|seconds|micros`. The micros may be a whole second: of
 * second 60.
 */
export function parseTime(format: string, text: string, kind: TimeKind): JavaScriptAnswer {
  const forbidden = forbiddenElement(format, kind);
  if (forbidden !== null) return failed(`Invalid format: %${forbidden} is not allowed for the ${kind} type.`);
  const fields = readFields(withoutNul(format), withoutNul(text));
  if (fields === null) return failed(`Failed to parse input string "${excerpt(text)}"`);
  const { zone } = fields;
  if (zone !== null && offsetMinutes(zone) === null && !isZoneName(zone))
    return failed(`Invalid time zone: ${excerpt(zone)}`);
  if (fields.epochSeconds !== null) return answered(`utc|${fields.epochSeconds}|0`);
  return instantOf(fields);
}

function instantOf(fields: ParsedFields): JavaScriptAnswer {
  const year = fields.century === null ? fields.year : fields.year - 1900 + fields.century * 100;
  const date = dateOfFields(fields, year);
  if (date === 'refused') return refused('PARSE functions with a week of ISO 8601, or a week and its day');
  const isLeap = fields.second === 60;
  if (date === null || fields.second > 60 || !isDate(date.year, date.month, date.day))
    return failed('Out-of-range datetime field in parsing function');
  const hour = fields.hour + (fields.isTwelveHour && fields.isAfternoon ? 12 : 0);
  const clock = hour * 3600 + fields.minute * 60 + (isLeap ? 59 : fields.second);
  const seconds = epochDay(date.year, date.month, date.day) * 86_400 + clock;
  const micros = isLeap ? MICROS_PER_SECOND : BigInt(fields.micros);
  const { zone } = fields;
  const offset = fields.offsetMinutes ?? (zone === null ? null : offsetMinutes(zone));
  if (offset !== null) return answered(`utc|${seconds - offset * 60}|${micros}`);
  return answered(zone === null ? `local|${seconds}|${micros}` : `zone|${seconds}|${micros}|${zone}`);
}

/** Reads a text by a format; null where it does not match. */
function readFields(format: string, text: string): ParsedFields | null {
  const fields = noFields();
  const cursor = new TextCursor(text);
  cursor.skipSpaces();
  let [at, position] = [0, 0];
  while (!cursor.hasFailed && !cursor.isAtEnd && at < format.length) {
    const character = format.charAt(at);
    if (character !== '%') {
      if (isSpace(character)) cursor.skipSpaces();
      else cursor.expect(character);
      at++;
      continue;
    }
    const element = elementAt(format, at + 1);
    at += 1 + element.length;
    position++;
    const read = PARSE_ELEMENTS[element];
    if (read === undefined) return null;
    read(cursor, fields, { position, isBeforeElement: format.charAt(at) === '%' });
  }
  cursor.skipSpaces();
  const rest = format.slice(at).replace(/^(?:[ \t\n\v\f\r]|%[nt])+/, '');
  return cursor.hasFailed || !cursor.isAtEnd || rest !== '' ? null : fields;
}

function elementAt(format: string, at: number): string {
  const letter = format.charAt(at);
  if (letter === 'E') return /^E(?:4Y|[\d*]S|.)?/su.exec(format.slice(at, at + 3))?.[0] ?? letter;
  return letter === 'O' ? format.slice(at, at + 2) : letter;
}

/** The first element of a format that the type has not got; null for none. */
function forbiddenElement(format: string, kind: TimeKind): string | null {
  const letters = FORBIDDEN[kind];
  for (const [, element = ''] of format.matchAll(/%(E(?:4Y|[\d*]S|.)?|O.?|[\s\S])/gu)) {
    const letter = element.slice(-1);
    if (element.length > 0 && letters.includes(letter)) return element;
  }
  return null;
}

/** A NUL at the end does not count. */
const withoutNul = (text: string): string => (text.endsWith('\0') ? text.slice(0, -1) : text);
