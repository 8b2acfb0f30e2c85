import { formatMicros, ISO_TIMESTAMP_ACCEPTED, parseIsoTimestamp } from '../../../time/iso-timestamp.ts';
import { isTimestamp } from '../../../time/units.ts';
import { type JsonValue, kindOf } from './json-value.ts';
import { MalformedEntry } from './malformed-entry.ts';
import { NeedsExactNumbers, NumberText, wholeNumber } from './number-text.ts';

/**
 * Microseconds since the epoch of a timestamp written in ISO 8601 or as integer microseconds. Throws a
 * MalformedEntry for all else.
 */
export function timestampMicros(value: JsonValue): bigint {
  if (typeof value === 'string') {
    const parsed = parseIsoTimestamp(value);
    if ('micros' in parsed) return parsed.micros;
    throw new MalformedEntry(
      `the text is no timestamp: ${parsed.problem}; accepted is ${ISO_TIMESTAMP_ACCEPTED}`,
    );
  }
  const micros = wholeMicros(value);
  if (micros === null || !isTimestamp(micros)) {
    throw new MalformedEntry(
      `${kindOf(value)} that is no timestamp; accepted are whole microseconds since 1970 in the years 0001 to 9999, and ${ISO_TIMESTAMP_ACCEPTED}`,
    );
  }
  return micros;
}

/** The timestamp as JSON text that DuckDB reads as TIMESTAMP. */
export function timestampText(micros: bigint): string {
  return `"${formatMicros(micros)}"`;
}

function wholeMicros(value: JsonValue): bigint | null {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return BigInt(value);
    if (Number.isInteger(value)) throw new NeedsExactNumbers();
    return null;
  }
  return value instanceof NumberText ? wholeNumber(value.source) : null;
}
