/** CSV (RFC 4180) without its first record, which may hold line breaks in quotes. */
export function withoutHeader(text: string): string {
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === '\n' && !isQuoted) return text.slice(at + 1);
  }
  return '';
}
