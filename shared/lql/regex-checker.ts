import { RE2JS, RE2JSSyntaxException } from 're2js';
import { type LqlFault, lqlError, quoteText } from './lql-error.ts';
import { MAX_REGEX_CHARACTERS, MAX_REGEX_REPEATS } from './lql-limits.ts';

/** A text without operators is a regular expression; most are, and need no look. */
const PLAIN = /^[\w :/-]*$/;

/** The counts of `x{3}` and `x{1,3}`; the code points of `\x{10ffff}` are none. */
const REPEATS = /(?<!\\x)\{(\d+)(?:,(\d*))?\}/g;

/** What flags can look like and not be: quoted text, escapes, classes; and flags. */
const FLAGS_OR_NOT =
  /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|\(\?[A-Za-z-]+[:)]/g;

/** Looks at the regular expressions of one query, one by one. */
export class RegexChecker {
  readonly #text: string;
  #characters = 0;
  #repeats = 0;

  /** `text` is the query's, for the places of errors. */
  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Refuses what is no regular expression in RE2 syntax (syntax), or more of them than can be looked at in no time
   * (unsupported): a ServiceError (invalid_argument) with the place.
   */
  check(at: number, regex: string): void {
    if (PLAIN.test(regex)) return;
    this.#characters += regex.length;
    for (const [, least = '', most] of regex.matchAll(REPEATS)) this.#repeats += Number(most || least);
    if (this.#characters > MAX_REGEX_CHARACTERS) {
      throw this.#refusal(
        at,
        'unsupported',
        `more than ${MAX_REGEX_CHARACTERS} characters of regular expressions`,
      );
    }
    if (this.#repeats > MAX_REGEX_REPEATS) {
      throw this.#refusal(
        at,
        'unsupported',
        `more than ${MAX_REGEX_REPEATS} repetitions in regular expressions`,
      );
    }
    const complaint = complaintAbout(regex);
    if (complaint !== null) throw this.#refusal(at, 'syntax', `invalid regular expression: ${complaint}`);
  }

  #refusal(at: number, reason: LqlFault, message: string): Error {
    return lqlError(this.#text, at, reason, message);
  }
}

/**
 * Case is of no account for what is valid, and this engine takes long over classes without regard to it: the flag `i` is
 * read as `s`.
 */
function complaintAbout(regex: string): string | null {
  const plain = regex.replace(FLAGS_OR_NOT, (part) =>
    part.startsWith('(?') ? part.replaceAll('i', 's') : part,
  );
  try {
    RE2JS.compile(plain);
    return null;
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) return 'it cannot be compiled';
    const part = error.getPattern();
    return part === null || part === ''
      ? error.getDescription()
      : `${error.getDescription()} at ${quoteText(part)}`;
  }
}
