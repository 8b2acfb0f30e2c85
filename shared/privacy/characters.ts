export const DOT = 0x2e;
export const COLON = 0x3a;
export const PERCENT = 0x25;
const BACKSLASH = 0x5c;
const ESCAPE = 0x1b;

/** An ASCII decimal digit stands at this place. A place outside the text holds nothing. */
export function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

/** An ASCII hexadecimal digit stands at this place. */
export function isHex(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
}

/** An ASCII letter or digit stands at this place; an address may stand right next to any other. */
export function isWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
}

/**
 * Where the colon that stands at this place ends: after `:`, or after `%3A`, which is how a URL's query writes it
 * (RFC 3986, 2.1). -1 when no colon stands there.
 */
export function colonEnd(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === COLON) return at + 1;
  if (code !== PERCENT || text[at + 1] !== '3') return -1;
  return text[at + 2] === 'A' || text[at + 2] === 'a' ? at + 3 : -1;
}

/**
 * Whether a word can begin at `at`: no ASCII letter or digit stands before it, or what stands before it is the
 * end of an escape, which stands for punctuation: `%3D` in URLs; `\n`, `\u003d` and `\x1b` in text that was
 * escaped once more, as JSON within JSON is; a terminal's colour code. Text before `from` has been redacted, so
 * a word has ended right there.
 */
export function isWordStart(text: string, at: number, from: number): boolean {
  if (at <= from) return at === 0;
  if (!isWord(text, at - 1)) return true;
  return (
    endsInHexEscape(text, at, from) || endsInLetterEscape(text, at, from) || endsInColour(text, at, from)
  );
}

function endsInHexEscape(text: string, at: number, from: number): boolean {
  if (!isHex(text, at - 1) || !isHex(text, at - 2)) return false;
  if (at - 3 >= from && text.charCodeAt(at - 3) === PERCENT) return true;
  if (at - 4 >= from && text[at - 3] === 'x') return text.charCodeAt(at - 4) === BACKSLASH;
  if (at - 6 < from || text[at - 5] !== 'u' || text.charCodeAt(at - 6) !== BACKSLASH) return false;
  return isHex(text, at - 3) && isHex(text, at - 4);
}

function endsInLetterEscape(text: string, at: number, from: number): boolean {
  return at - 2 >= from && text.charCodeAt(at - 2) === BACKSLASH && 'nrtbf'.includes(text.charAt(at - 1));
}

/** ECMA-48, 8.3.117: `ESC [`, numbers, `m`. Sixteen characters hold every colour that terminals know. */
function endsInColour(text: string, at: number, from: number): boolean {
  if (text[at - 1] !== 'm') return false;
  let start = at - 2;
  while (start > at - 20 && (isDigit(text, start) || text[start] === ';')) start -= 1;
  return start - 1 >= from && text[start] === '[' && text.charCodeAt(start - 1) === ESCAPE;
}
