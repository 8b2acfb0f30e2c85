import { MAX_EXACT_INTEGER } from './translate/encode-row.ts';

/** Finds out fast that a row has no number to mend; inside strings it may find some that are none. */
const SUSPECT = /[:,[]-?(?:[0-9]{16,}|NaN|Infinity)/;

/** A string or a number as a whole. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?(?:[0-9][0-9.eE+-]*|NaN|Infinity)/g;

const LARGEST = BigInt(MAX_EXACT_INTEGER);

/**
 * Puts the numbers of a JSON text that DuckDB wrote into their wire types: whole numbers beyond 2^53, NaN and the
 * infinities as strings. Takes time linear in the text.
 */
export function exactNumbers(json: string): string {
  if (!SUSPECT.test(json)) return json;
  return json.replace(STRING_OR_NUMBER, (token) => {
    if (token.startsWith('"') || isExact(token)) return token;
    return `"${token}"`;
  });
}

function isExact(token: string): boolean {
  if (token.endsWith('N') || token.endsWith('y')) return false;
  if (/[.eE]/.test(token)) return true;
  const value = BigInt(token);
  return value <= LARGEST && value >= -LARGEST;
}
