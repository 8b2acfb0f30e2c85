/** Most characters that an error's message quotes of one value. */
export const MAX_QUOTED_LENGTH = 200;

/** Most characters that a message has in all. */
const MAX_MESSAGE_LENGTH = 1_000;

/** A quoted value, and one that has no blanks, of more than may be quoted. */
const LONG_VALUES = new RegExp(
  `(["'\`])(?:(?!\\1)[\\s\\S]){${MAX_QUOTED_LENGTH + 1},}?\\1|\\S{${MAX_QUOTED_LENGTH + 1},}`,
  'gu',
);

/** The beginning of a value, as a message may quote it. */
export function excerpt(value: string, length = MAX_QUOTED_LENGTH): string {
  if (value.length <= length) return value;
  const kept = value.slice(0, length);
  // Half a surrogate pair is no character.
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}

/**
 * A message in which no value is quoted at more length than may be: what it quotes, and words that no text has, are cut
 * off, and so is the message where it is still long.
 */
export function shortenMessage(message: string): string {
  if (message.length <= MAX_QUOTED_LENGTH) return message;
  const ends = 2 * MAX_MESSAGE_LENGTH;
  // What is between the ends of a message that is much too long is a value.
  const cut = message.length > 2 * ends ? `${message.slice(0, ends)}…${message.slice(-ends)}` : message;
  const brief = cut.replace(LONG_VALUES, (value, quote: string | undefined) =>
    quote === undefined ? excerpt(value) : `${quote}${excerpt(value.slice(1, -1))}${quote}`,
  );
  return excerpt(brief, MAX_MESSAGE_LENGTH);
}
