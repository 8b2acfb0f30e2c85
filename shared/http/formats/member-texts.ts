import { stringEnd } from '../../json/scan-json.ts';

/**
 * The texts of the values of a JSON object, by their order, as they stand there: numbers keep every digit. The object
 * must be well-formed and without white space outside strings, as the warehouse writes rows.
 */
export function memberTexts(row: string): readonly string[] {
  const texts: string[] = [];
  let at = 1;
  while (at < row.length - 1) {
    const valueAt = endOfString(row, at) + 1;
    const end = valueEnd(row, valueAt);
    texts.push(row.slice(valueAt, end));
    at = end + 1;
  }
  return texts;
}

function endOfString(text: string, at: number): number {
  const end = stringEnd(text, at);
  if (end === -1) throw new TypeError('the text is not a JSON object');
  return end;
}

/** The place after the value that begins at `start`, in such a text. */
export function valueEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      continue;
    }
    if (code === BRACE || code === BRACKET) depth += 1;
    else if (code === BRACE_END || code === BRACKET_END) {
      if (depth === 0) return at;
      depth -= 1;
    } else if (code === COMMA && depth === 0) return at;
    at += 1;
  }
  throw new TypeError('the text is not a JSON object');
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACE = 0x7b;
const BRACE_END = 0x7d;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
