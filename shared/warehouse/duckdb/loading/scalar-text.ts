import type { FieldType } from '../../../schema/table-schema.ts';
import { isObject, type JsonValue, kindOf } from './json-value.ts';
import { MalformedEntry } from './malformed-entry.ts';
import { isInt64, MAX_DIGITS, NeedsExactNumbers, NumberText, wholeNumber } from './number-text.ts';
import { timestampMicros, timestampText } from './timestamp-value.ts';

/** How each type is written into the JSON text that DuckDB's from_json turns into columns. */
const WRITERS: Readonly<Record<Exclude<FieldType, 'STRUCT'>, (value: JsonValue) => string>> = {
  STRING: (value) => (typeof value === 'string' ? stringText(value) : refuseValue('STRING', value)),
  INT64: integerText,
  FLOAT64: floatText,
  NUMERIC: (value) => decimalText('NUMERIC', 29, 9, value),
  BIGNUMERIC: (value) => decimalText('BIGNUMERIC', 20, 18, value),
  BOOL: (value) => (typeof value === 'boolean' ? String(value) : refuseValue('BOOL', value)),
  BYTES: bytesText,
  TIMESTAMP: (value) => timestampText(timestampMicros(value)),
  DATETIME: (value) => dateTimeText(value),
  DATE: (value) => calendarText('DATE', /^\d{4}-\d{2}-\d{2}$/, 'a date written YYYY-MM-DD', value),
  TIME: timeText,
  JSON: jsonText,
};

/** The JSON text of a value that is not null. Throws a MalformedEntry when it does not fit the type. */
export function scalarText(type: Exclude<FieldType, 'STRUCT'>, value: JsonValue): string {
  return WRITERS[type](value);
}

/** The text of any scalar, for a field that holds scalars of several types and so is a STRING. */
export function anyScalarText(value: JsonValue): string {
  if (typeof value === 'string') return stringText(value);
  if (!(value instanceof NumberText)) return JSON.stringify(String(value));
  return `"${wholeNumber(value.source) ?? Number(value.source)}"`;
}

/** The text of an entry's id, for which a whole number stands as well: its digits, all of them. */
export function idText(value: JsonValue): string {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return `"${value}"`;
    throw new NeedsExactNumbers();
  }
  if (!(value instanceof NumberText)) return scalarText('STRING', value);
  const whole = wholeNumber(value.source);
  if (whole !== null) return `"${whole}"`;
  throw new MalformedEntry(
    `${shortened(value.source)} does not fit an id, which is text or a whole number of at most ${MAX_DIGITS} digits`,
  );
}

/** Throws a MalformedEntry for a value of another type; `type` is a type's name, or words such as `a record`. */
export function refuseValue(type: string, value: JsonValue): never {
  throw new MalformedEntry(`${kindOf(value)} does not fit ${type}`);
}

/** Any character but those that JSON has as they are: no quote, backslash, control character or half of a surrogate pair. */
const NOT_PLAIN = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

function stringText(value: string): string {
  // Most texts are as JSON has them, and to look costs less than to write.
  if (!NOT_PLAIN.test(value)) return `"${value}"`;
  if (!value.isWellFormed()) {
    throw new MalformedEntry('its text has half a surrogate pair, which is no Unicode character');
  }
  return JSON.stringify(value);
}

function integerText(value: JsonValue): string {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return String(value);
    if (!Number.isInteger(value)) throw new MalformedEntry(`${value} does not fit INT64, it is not whole`);
    throw new NeedsExactNumbers();
  }
  if (!(value instanceof NumberText)) return refuseValue('INT64', value);
  const whole = wholeNumber(value.source);
  if (whole === null || !isInt64(whole)) {
    throw new MalformedEntry(`${shortened(value.source)} does not fit INT64`);
  }
  return whole.toString();
}

function floatText(value: JsonValue): string {
  const number = value instanceof NumberText ? Number(value.source) : value;
  if (typeof number !== 'number') return refuseValue('FLOAT64', value);
  if (!Number.isFinite(number)) throw new MalformedEntry('the number is too large for FLOAT64');
  if (Object.is(number, -0)) return '-0.0';
  // JSON has both forms of an exponent; DuckDB writes this one.
  const text = String(number).replace('e+', 'e');
  // Without a point, JSON's readers take it for a whole number, and write it as one.
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** JSON numbers and, because JSON writers round long numbers, text of a decimal number. */
function decimalText(type: string, digits: number, scale: number, value: JsonValue): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new NeedsExactNumbers();
  const source = value instanceof NumberText ? value.source : value;
  if (typeof source !== 'number' && typeof source !== 'string') return refuseValue(type, value);
  const text = plainDecimal(String(source));
  const [before = '', after = ''] = text?.replace('-', '').split('.') ?? [];
  if (text === null || before.length > digits || after.length > scale) {
    throw new MalformedEntry(
      `${shortened(String(source))} does not fit ${type}, a decimal number with at most ${digits} digits before the point and ${scale} after it`,
    );
  }
  return `"${text}"`;
}

/** A decimal number without its exponent; null when the text is none or too long. */
function plainDecimal(text: string): string | null {
  const [, sign = '', integer = '', fraction = '', exponent = '0'] =
    /^(-?)(\d{1,99})(?:\.(\d{1,99}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text) ?? [];
  if (integer === '') return null;
  const point = integer.length + Number(exponent);
  const digits = '0'.repeat(Math.max(0, -point)) + (integer + fraction).padEnd(point, '0');
  const before = digits.slice(0, Math.max(0, point)).replace(/^0+/, '');
  const after = digits.slice(Math.max(0, point)).replace(/0+$/, '');
  return `${sign}${before || '0'}.${after || '0'}`;
}

/** BYTES come as base64 (RFC 4648); DuckDB's text of a BLOB escapes each byte. */
function bytesText(value: JsonValue): string {
  if (typeof value !== 'string') return refuseValue('BYTES', value);
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(value) || value.length % 4 !== 0) {
    throw new MalformedEntry('the text does not fit BYTES, which are written in base64');
  }
  return `"${Buffer.from(value, 'base64').toString('hex').replace(/../g, '\\\\x$&')}"`;
}

function dateTimeText(value: JsonValue): string {
  const pattern = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)?$/;
  return calendarText('DATETIME', pattern, 'a date and time without a zone', value);
}

function timeText(value: JsonValue): string {
  const match = typeof value === 'string' ? /^\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?$/.test(value) : false;
  if (!match) throw new MalformedEntry(`${kindOf(value)} does not fit TIME, a time written hh:mm:ss.ffffff`);
  calendarText('TIME', /./, 'a time of day', `1970-01-01T${value}`);
  return `"${value}"`;
}

/** The pattern decides on the form, the timestamp's own rules on whether there is such a day and time. */
function calendarText(type: string, pattern: RegExp, form: string, value: JsonValue): string {
  if (typeof value !== 'string' || !pattern.test(value)) {
    throw new MalformedEntry(`${kindOf(value)} does not fit ${type}, ${form}`);
  }
  const text = timestampText(timestampMicros(value));
  return type === 'DATE' ? `${text.slice(0, 11)}"` : text;
}

/** Deeper JSON would exhaust the stack of whoever reads it. */
const MAX_JSON_DEPTH = 100;

function jsonText(value: JsonValue): string {
  checkJson(value, MAX_JSON_DEPTH);
  return JSON.stringify(value);
}

function checkJson(value: JsonValue, levels: number): void {
  if (typeof value === 'string') stringText(value);
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new NeedsExactNumbers();
  }
  if (typeof value !== 'object' || value === null || value instanceof NumberText) return;
  if (levels === 0) throw new MalformedEntry(`JSON is nested more than ${MAX_JSON_DEPTH} levels deep`);
  if (isObject(value)) for (const key of Object.keys(value)) stringText(key);
  for (const nested of Object.values(value)) checkJson(nested, levels - 1);
}

function shortened(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}
