import { sqlError } from '../text/sql-error.ts';

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '?': '?',
  '"': '"',
  "'": "'",
  '`': '`',
};

/** The escapes that name a character by number: how many digits they have and which. */
const NUMERIC_ESCAPES: Readonly<Record<string, { readonly digits: RegExp; readonly length: number }>> = {
  x: { digits: /^[0-9a-fA-F]{2}$/, length: 2 },
  X: { digits: /^[0-9a-fA-F]{2}$/, length: 2 },
  u: { digits: /^[0-9a-fA-F]{4}$/, length: 4 },
  U: { digits: /^[0-9a-fA-F]{8}$/, length: 8 },
};

/**
 * Decodes the escape sequences of a string, bytes or quoted identifier literal
 * (GoogleSQL lexical structure, "Escape sequences"). `start` is the offset of `body` in `text`, for errors;
 * `plain` says what the characters between escape sequences stand for.
 */
export function decodeEscapes(
  text: string,
  body: string,
  start: number,
  literal: 'string' | 'bytes',
  plain: (characters: string) => string,
): string {
  let decoded = '';
  let index = 0;
  while (index < body.length) {
    const backslash = body.indexOf('\\', index);
    if (backslash === -1) return decoded + plain(body.slice(index));
    decoded += plain(body.slice(index, backslash));
    const sequence = readEscape(body, backslash, literal);
    if (sequence === null) {
      const shown = JSON.stringify(body.slice(backslash, backslash + 2))
        .slice(1, -1)
        .replaceAll('\\\\', '\\');
      throw sqlError(text, start + backslash, `Syntax error: Illegal escape sequence: ${shown}`);
    }
    decoded += sequence.value;
    index = backslash + sequence.length;
  }
  return decoded;
}

function readEscape(body: string, at: number, literal: 'string' | 'bytes') {
  const letter = body[at + 1] ?? '';
  const simple = SIMPLE_ESCAPES[letter];
  if (simple !== undefined) return { value: simple, length: 2 };
  if (letter >= '0' && letter <= '7') {
    const octal = body.slice(at + 1, at + 4);
    if (!/^[0-3][0-7]{2}$/.test(octal)) return null;
    return { value: String.fromCharCode(Number.parseInt(octal, 8)), length: 4 };
  }
  const numeric = NUMERIC_ESCAPES[letter];
  if (numeric === undefined || (literal === 'bytes' && numeric.length > 2)) return null;
  const digits = body.slice(at + 2, at + 2 + numeric.length);
  if (!numeric.digits.test(digits)) return null;
  const codePoint = Number.parseInt(digits, 16);
  if (codePoint > 0x10ffff || (codePoint >= 0xd800 && codePoint <= 0xdfff)) return null;
  return { value: String.fromCodePoint(codePoint), length: 2 + numeric.length };
}
