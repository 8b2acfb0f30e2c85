/** The bytes that JSON text is made of, as UTF-8 has them. */
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const ZERO = 0x30;
export const NINE = 0x39;
export const COLON = 0x3a;
export const BACKSLASH = 0x5c;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;

/** What ends a stretch of plain characters within a string: a quote, a backslash, or a control character, as which the end of the text counts. */
const ENDS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < SPACE || byte === QUOTE || byte === BACKSLASH ? 1 : 0,
);

/** The first place from `at` on that is no white space. */
export function skipSpaces(bytes: Uint8Array, at: number): number {
  let next = at;
  for (;;) {
    const byte = bytes[next];
    if (byte !== SPACE && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return next;
    next += 1;
  }
}

/** The first place from `at` on that is no plain character of a string. The bytes have a zero after their last one. */
export function plainEnd(bytes: Uint8Array, at: number): number {
  let next = at;
  while (ENDS_PLAIN[bytes[next] as number] === 0) next += 1;
  return next;
}

/** The place after the quote that ends the string which begins at `at`; -1 for one that is not JSON, as far as can be seen. */
export function stringBytesEnd(bytes: Uint8Array, at: number): number {
  let next = plainEnd(bytes, at + 1);
  while (bytes[next] === BACKSLASH) next = plainEnd(bytes, next + 2);
  return bytes[next] === QUOTE ? next + 1 : -1;
}

/** The place after a number, or a word such as `true`, that begins at `at`. */
export function wordEnd(bytes: Uint8Array, at: number): number {
  let next = at;
  for (;;) {
    const byte = bytes[next] as number;
    if (!(byte > SPACE) || byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) return next;
    next += 1;
  }
}

/** The place after these bytes where they stand at `at`; -1 where they do not. */
export function matchBytes(bytes: Uint8Array, at: number, expected: Uint8Array): number {
  for (let index = 0; index < expected.length; index += 1) {
    if (bytes[at + index] !== expected[index]) return -1;
  }
  return at + expected.length;
}

/** Copies bytes, and answers where they end. */
export function copyBytes(
  from: Uint8Array,
  start: number,
  end: number,
  into: Uint8Array,
  at: number,
): number {
  let next = at;
  if (end - start > MOST_ONE_BY_ONE) {
    into.set(from.subarray(start, end), at);
    return at + end - start;
  }
  for (let index = start; index < end; index += 1) {
    into[next] = from[index] as number;
    next += 1;
  }
  return next;
}

/** A call takes longer than to copy so many bytes. */
const MOST_ONE_BY_ONE = 64;

/** Doubles have all whole numbers of so many digits. */
const MOST_DIGITS = 15;
/** And of these with one more, as timestamps in microseconds have until the year 2255. */
const MOST_OF_16_DIGITS = 0x38;

/** The place after a whole number that a double has exactly, in the one way that JSON has to write it; -1 for anything else. */
export function plainWholeEnd(bytes: Uint8Array, at: number): number {
  const first = bytes[at] === MINUS ? at + 1 : at;
  let next = first;
  while (isDigit(bytes[next])) next += 1;
  const digits = next - first;
  const isShort =
    digits <= MOST_DIGITS || (digits === MOST_DIGITS + 1 && (bytes[first] as number) <= MOST_OF_16_DIGITS);
  if (digits === 0 || !isShort) return -1;
  // A zero stands alone, without a sign.
  if (bytes[first] === ZERO && (digits > 1 || first > at)) return -1;
  return isNumberByte(bytes[next]) ? -1 : next;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

/** Whether a number goes on with a fraction or an exponent. */
function isNumberByte(byte: number | undefined): boolean {
  return byte === 0x2e || byte === 0x65 || byte === 0x45;
}
