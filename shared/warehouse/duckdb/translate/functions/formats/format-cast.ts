import { type CastElement, readCastFormat } from './cast-elements.ts';
import { type CivilTime, civilTime, MONTHS, WEEKDAYS } from './civil-time.ts';
import { answered, failed, type JavaScriptAnswer } from './javascript-answer.ts';
import type { TimeKind } from './time-elements.ts';

const DATE_PARTS = ['literal', 'year', 'month', 'day'];
const TIME_PARTS = ['literal', 'hour', 'minute', 'second', 'meridian'];

/** What a type can show. */
const SHOWN: Readonly<Record<TimeKind, readonly string[]>> = {
  DATE: DATE_PARTS,
  TIME: TIME_PARTS,
  DATETIME: [...DATE_PARTS, ...TIME_PARTS],
  TIMESTAMP: [...DATE_PARTS, ...TIME_PARTS, 'zone'],
};

/** CAST(value AS STRING FORMAT format); `shown` and `instant` are as formatTime() takes them. */
export function formatCast(format: string, kind: TimeKind, shown: bigint, instant: bigint): JavaScriptAnswer {
  const elements = readCastFormat(format);
  if (typeof elements === 'string') return failed(elements);
  const offset = Math.trunc(Number(shown - instant) / 60_000_000);
  const civil = civilTime(instant + BigInt(offset) * 60_000_000n);
  let text = '';
  for (const element of elements) {
    if (!SHOWN[kind].includes(element.category) && (kind !== 'TIMESTAMP' || element.category === 'other'))
      return failed(
        kind === 'TIMESTAMP' ? unsupported(element) : `${kind} does not support '${element.name}'`,
      );
    const made = element.category === 'literal' ? element.text : shownElement(element, civil, offset);
    if (made === null) return failed(unsupported(element));
    text += made;
  }
  return answered(text);
}

const unsupported = ({ name }: CastElement): string => `Unsupported format element '${name}'`;

function shownElement(
  { name, text, category }: CastElement,
  civil: CivilTime,
  offset: number,
): string | null {
  const digits = (value: number, count: number) => String(value).padStart(count, '0');
  if (/^(?:Y+|R+)$/.test(name))
    return digits(name.length === 4 ? civil.year : civil.year % 10 ** name.length, name.length);
  if (name.startsWith('FF')) {
    const count = Number(name.slice(2));
    return digits(civil.micros, 6).padEnd(count, '0').slice(0, count);
  }
  switch (name) {
    case 'MM':
      return digits(civil.month, 2);
    case 'MON':
      return cased(MONTHS[civil.month - 1]?.slice(0, 3) ?? '', text);
    case 'MONTH':
      return cased(MONTHS[civil.month - 1] ?? '', text);
    case 'D':
      return String(civil.weekday + 1);
    case 'DD':
      return digits(civil.day, 2);
    case 'DDD':
      return digits(civil.dayOfYear, 3);
    case 'DAY':
      return cased(WEEKDAYS[civil.weekday] ?? '', text);
    case 'DY':
      return cased(WEEKDAYS[civil.weekday]?.slice(0, 3) ?? '', text);
    case 'HH':
    case 'HH12':
      return digits(((civil.hour + 11) % 12) + 1, 2);
    case 'HH24':
      return digits(civil.hour, 2);
    case 'MI':
      return digits(civil.minute, 2);
    case 'SS':
      return digits(civil.second, 2);
    case 'SSSSS':
      return digits(civil.hour * 3600 + civil.minute * 60 + civil.second, 5);
    case 'TZH':
      return (offset < 0 ? '-' : '+') + digits(Math.trunc(Math.abs(offset) / 60), 2);
    case 'TZM':
      return digits(Math.abs(offset) % 60, 2);
    default:
      return category === 'meridian' ? meridian(name, text, civil) : null;
  }
}

function meridian(name: string, text: string, { hour }: CivilTime): string {
  const half = hour < 12 ? 'A' : 'P';
  const shown = name.includes('.') ? `${half}.M.` : `${half}M`;
  return /^[a-z]/.test(text) ? shown.toLowerCase() : shown;
}

/** In small letters, in capitals, or with one capital, as the first two letters of the element are. */
function cased(name: string, written: string): string {
  if (/^[a-z]/.test(written)) return name.toLowerCase();
  return /^[A-Z][a-z]/.test(written) ? name : name.toUpperCase();
}
