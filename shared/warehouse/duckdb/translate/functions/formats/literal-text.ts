const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const hex = (code: number): string => `\\x${code.toString(16).padStart(2, '0')}`;

/** The quote of a literal: a single one for what has double quotes and no single ones. */
const quoteFor = (text: string): string => (text.includes('"') && !text.includes("'") ? "'" : '"');

/** A text as a literal of GoogleSQL, in which a hexadecimal digit after an escape of two such digits is escaped as well. */
export function stringLiteral(text: string): string {
  const quote = quoteFor(text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a literal escapes them
  const body = text.replace(/[\n\r\t\\"']|[\x00-\x1f\x7f][0-9a-fA-F]*/g, (found) => {
    if (found === '"' || found === "'") return found === quote ? `\\${found}` : found;
    if (found === '\\') return '\\\\';
    return SHORT[found] ?? Array.from(found, (letter) => hex(letter.charCodeAt(0))).join('');
  });
  return quote + body + quote;
}

/** BYTES as a literal, or with all that a literal escapes, whatever its quotes. */
export function bytesLiteral(bytes: Uint8Array, isQuoted: boolean): string {
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte));
  const quote = quoteFor(letters.join(''));
  const body = letters.map((letter) => {
    const code = letter.charCodeAt(0);
    if (code < 0x20 || code > 0x7e) return hex(code);
    if (letter === '\\') return '\\\\';
    if (isQuoted) return letter === quote ? `\\${letter}` : letter;
    return /["'`]/.test(letter) ? `\\${letter}` : letter;
  });
  return isQuoted ? `b${quote}${body.join('')}${quote}` : body.join('');
}
