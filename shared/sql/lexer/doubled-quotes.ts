/** A literal as standard SQL has it: a quote inside is doubled. Of one line, as GoogleSQL's are. */
const STANDARD_LITERAL = {
  "'": /'((?:[^'\\\n\r]|\\[^\n\r]|'')*)'(?!')/y,
  '"': /"((?:[^"\\\n\r]|\\[^\n\r]|"")*)"(?!")/y,
} as const;

/** Longest literal that a message repeats, in characters. */
const MAX_SHOWN = 60;

/**
 * What to write in place of a literal with doubled quotes, such as `'it''s'`, that begins at `start`: the end of a
 * message, or '' where no such literal stands.
 */
export function doubledQuotesHint(text: string, start: number): string {
  const quote = text[start];
  if (quote !== "'" && quote !== '"') return '';
  const pattern = STANDARD_LITERAL[quote];
  pattern.lastIndex = start;
  const body = pattern.exec(text)?.[1] ?? '';
  const escaped = body.replace(/\\.|''|""/g, (part) => (part === quote + quote ? `\\${quote}` : part));
  if (escaped === body) return '';
  const literal = `${quote}${escaped}${quote}`;
  return `; a quote inside a string has a backslash before it, write ${literal.length > MAX_SHOWN ? `\\${quote}` : literal}`;
}
