import { RE2JS, RE2JSSyntaxException } from 're2js';
import { lqlError, quoteText } from './lql-error.ts';

/** A text without operators is a regular expression; most are, and need no look. */
const PLAIN = /^[\w :/-]*$/;
/** Most instructions of a compiled expression: nested counts such as `(x{1000})` grow beyond any use. */
const MAX_PROGRAM_SIZE = 10_000;

/** Refuses what is no regular expression in RE2 syntax: a ServiceError (invalid_argument, syntax) for the place. */
export function checkRegex(text: string, at: number, regex: string): void {
  if (PLAIN.test(regex)) return;
  const complaint = complaintAbout(regex);
  if (complaint !== null) throw lqlError(text, at, 'syntax', `invalid regular expression: ${complaint}`);
}

function complaintAbout(regex: string): string | null {
  try {
    const isTooLarge = RE2JS.compile(regex).programSize() > MAX_PROGRAM_SIZE;
    return isTooLarge ? 'it is too large once its counted repetitions are written out' : null;
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) return 'it cannot be compiled';
    const part = error.getPattern();
    return part === null || part === ''
      ? error.getDescription()
      : `${error.getDescription()} at ${quoteText(part)}`;
  }
}
