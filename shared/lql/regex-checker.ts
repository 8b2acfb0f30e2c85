import { checkRe2 } from '../re2/check-re2.ts';
import { isPlainRe2 } from '../re2/is-plain-re2.ts';
import { MAX_RE2_SIZE } from '../re2/re2-limits.ts';
import { lqlError } from './lql-error.ts';
import { MAX_REGEX_CHARACTERS } from './lql-limits.ts';

/** Looks at the regular expressions of one query, one by one. */
export class RegexChecker {
  readonly #text: string;
  #characters = 0;
  #room = MAX_RE2_SIZE;

  /** `text` is the query's, for the places of errors. */
  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Refuses what is no regular expression in RE2 syntax (syntax), or more of them than can be looked at in no time
   * (unsupported): a ServiceError (invalid_argument) with the place.
   */
  check(at: number, regex: string): void {
    if (isPlainRe2(regex)) return;
    this.#characters += regex.length;
    if (this.#characters > MAX_REGEX_CHARACTERS) {
      const message = `more than ${MAX_REGEX_CHARACTERS} characters of regular expressions`;
      throw lqlError(this.#text, at, 'unsupported', message);
    }
    const checked = checkRe2(regex, this.#room);
    switch (checked.kind) {
      case 'valid':
        this.#room -= checked.size;
        return;
      case 'invalid':
        throw lqlError(this.#text, at, 'syntax', `invalid regular expression: ${checked.complaint}`);
      case 'too-large': {
        const message =
          'the regular expressions are too large once their counted repetitions are written out';
        throw lqlError(this.#text, at, 'unsupported', message);
      }
      default: {
        const unreachable: never = checked;
        throw new TypeError(`regular expression ${JSON.stringify(unreachable)}`);
      }
    }
  }
}
