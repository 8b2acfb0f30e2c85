import type { FieldType } from '../../../schema/table-schema.ts';
import { fractionDigits, isoSeconds, parseIsoTimestamp } from '../../../time/iso-timestamp.ts';
import { MAX_EXACT_INTEGER } from '../exact-numbers.ts';

/**
 * The JSON text in which an answer's row has a value, of the text that `scalarText` made of it. The same as the row encoding
 * of the translator makes of the stored value; with `isExact` as it is where numbers are encoded one by one.
 */
export function wireText(type: FieldType, stored: string, isExact: boolean): string {
  switch (type) {
    case 'INT64':
      return isExact && isLarge(stored) ? `"${stored}"` : stored;
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return stored === '"-0.0"' ? '"0"' : stored.replace('.0"', '"');
    case 'BYTES':
      return `"${Buffer.from(stored.replaceAll(/["\\x]/g, ''), 'hex').toString('base64')}"`;
    case 'TIMESTAMP':
      return String(microsOf(stored.slice(1, -1)));
    case 'DATETIME':
      return clockText(microsOf(stored.slice(1, -1)), 0);
    case 'TIME':
      return clockText(microsOf(`1970-01-01T${stored.slice(1, -1)}`), 'yyyy-mm-ddT'.length);
    default:
      return stored;
  }
}

function isLarge(digits: string): boolean {
  const value = BigInt(digits);
  return value > MAX_EXACT_INTEGER || value < -MAX_EXACT_INTEGER;
}

function clockText(micros: bigint, from: number): string {
  const fraction = fractionDigits(micros);
  return `"${isoSeconds(micros).slice(from)}${fraction === '000000' ? '' : `.${fraction}`}"`;
}

/** Of a text that was found to be a timestamp. */
function microsOf(text: string): bigint {
  const parsed = parseIsoTimestamp(text);
  if ('micros' in parsed) return parsed.micros;
  throw new TypeError(`${text}: ${parsed.problem}`);
}
