const MAX_CHARACTERS = 100;

/**
 * Control characters, line and paragraph separators, and the marks that reorder or hide text: what could end a
 * line early, drive a terminal or make it show something else than what is there.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Text from outside in quotes, on one line and shortened, for messages. */
export function printable(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_CHARACTERS + 2)];
  const shortened =
    characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS).join('')}…` : text;
  return `'${escapeUnprintable(shortened)}'`;
}

/** The same text with each character that cannot be seen written as `\u{…}`. */
export function escapeUnprintable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
