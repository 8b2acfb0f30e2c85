import { HOUR_MICROS, MINUTE_MICROS } from './civil-time.ts';
import { isoOf } from './iso.ts';
import type { Instant, TimeTest } from './model.ts';
import { unitNames } from './read-time.ts';
import type { Pick } from './render.ts';

/** Writes a test of time with its colon. */
export function renderTimeTest(test: TimeTest, pick: Pick): string {
  switch (test.kind) {
    case 'point':
      return test.order + (test.point === 'now' ? 'now' : renderInstant(test.point, pick));
    case 'between': {
      const range = `:${renderInstant(test.from, pick)}..${renderInstant(test.to, pick)}`;
      return pick(range, range, renderBraces(test.from, test.to, pick) ?? range);
    }
    case 'today':
    case 'yesterday':
      return `:${test.kind}`;
    case 'this':
      return `:this@${pick(...unitNames(test.unit))}`;
    case 'last': {
      const digits = String(test.count);
      const count = pick(digits, digits, digits.padStart(4, '0'), test.count === 1 ? '' : digits);
      return `:last@${count}${pick(...unitNames(test.unit))}`;
    }
    default: {
      const unreachable: never = test;
      throw new TypeError(`time ${JSON.stringify(unreachable)}`);
    }
  }
}

function renderInstant({ micros, isDate, zoned }: Instant, pick: Pick): string {
  if (isDate) return isoOf(micros).slice(0, 10);
  if (!zoned) return clockTime(micros, pick);
  const zones = ['Z', '+00:00', '-00:00', '+01:00', '-08:00', '+05:30', '-03:45'].map((zone) => {
    const [hours = 0, minutes = 0] = zone === 'Z' ? [] : zone.slice(1).split(':').map(Number);
    const offset = BigInt(hours) * HOUR_MICROS + BigInt(minutes) * MINUTE_MICROS;
    return clockTime(micros + (zone.startsWith('-') ? -offset : offset), pick) + zone;
  });
  return pick(...zones, ...unixForms(micros, pick));
}

/** Unix time where it has the digits for it: seconds, milliseconds, and microseconds, which are cut to milliseconds. */
function unixForms(micros: bigint, pick: Pick): string[] {
  if (micros % 1000n !== 0n) return [];
  const forms = [String(micros / 1000n), String(micros + BigInt(pick(0, 1, 999)))];
  if (micros % 1_000_000n === 0n) forms.push(String(micros / 1_000_000n));
  return forms.filter((form) => /^(?:\d{10}|\d{13}|\d{16})$/.test(form));
}

function clockTime(micros: bigint, pick: Pick): string {
  const [second = '', fraction = ''] = isoOf(micros).slice(0, -1).split('.');
  const digits = pick(fraction, fraction.replace(/0+$/, ''));
  return digits === '' ? second : `${second}.${digits}`;
}

/** One interval in braces, or null for two bounds that are not of one form. */
function renderBraces(from: Instant, to: Instant, pick: Pick): string | null {
  if (from.isDate !== to.isDate) return null;
  const [left = [], right = []] = [from, to].map(({ micros }) => isoOf(micros).slice(0, -1).split(/\D/));
  const number = (index: number, shorten = (digits: string) => digits) => {
    const [a, b] = [shorten(left[index] ?? ''), shorten(right[index] ?? '')];
    return a === b ? pick(a, a, `{${a}..${b}}`) : `{${a}..${b}}`;
  };
  const date = `${number(0)}-${number(1)}-${number(2)}`;
  const isWhole = [from, to].every(({ micros }) => micros % 1_000_000n === 0n);
  const fraction = number(6, (digits) => pick(digits, digits.replace(/(?!^)0+$/, '')));
  const time = `T${number(3)}:${number(4)}:${number(5)}${isWhole ? '' : `.${fraction}`}${from.zoned ? 'Z' : ''}`;
  const text = from.isDate ? date : date + time;
  // Without a brace it would be a single point.
  return text.includes('{') ? `:${text}` : null;
}
