import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import { isPlainRe2 } from './is-plain-re2.ts';
import { MAX_RE2_SIZE } from './re2-limits.ts';
import { readRe2 } from './read-re2.ts';
import { requiredTexts } from './required-texts.ts';

/** Most characters of an expression that a complaint repeats. */
const MOST_QUOTED = 80;

/** A regular expression that can be used, or what is wrong with it, in words that follow a colon. */
export type CheckedRe2 =
  | {
      readonly kind: 'valid';
      readonly size: number;
      /** The expression in the spelling that every version of RE2 reads. */
      readonly portable: string;
      /** Texts that are all in each text in which the expression is found; perhaps not all that there are. */
      readonly requiredTexts: readonly string[];
    }
  | { readonly kind: 'invalid'; readonly complaint: string }
  | { readonly kind: 'too-large'; readonly complaint: string };

/**
 * Reads a regular expression in RE2 syntax. One of more than `room` instructions is too large and not looked at any
 * further, so that to check whatever is accepted takes a few hundredths of a second at most.
 */
export function checkRe2(pattern: string, room = MAX_RE2_SIZE): CheckedRe2 {
  const { size, portable, unfolded } = readRe2(pattern);
  if (size > room) {
    return { kind: 'too-large', complaint: 'it is too large once its counted repetitions are written out' };
  }
  if (isPlainRe2(pattern)) return { kind: 'valid', size, portable, requiredTexts: textsBetweenDots(pattern) };
  try {
    // Classes without regard to case take this engine long to write out.
    const regexp = RE2JS.compile(unfolded);
    // Without that flag the texts are of one case alone.
    const texts = unfolded === portable ? requiredTexts(regexp) : [];
    return { kind: 'valid', size, portable, requiredTexts: texts };
  } catch (error) {
    return { kind: 'invalid', complaint: complaintOf(error) };
  }
}

/** Of an expression in which the dot is the only operator. */
function textsBetweenDots(pattern: string): readonly string[] {
  return pattern.split('.').filter((text) => text !== '');
}

function complaintOf(error: unknown): string {
  if (!(error instanceof RE2JSException)) throw error;
  if (!(error instanceof RE2JSSyntaxException)) return 'it cannot be compiled';
  const part = error.getPattern();
  return part === null || part === ''
    ? error.getDescription()
    : `${error.getDescription()} at ${quote(part)}`;
}

/** A part in quotes; one that is long is cut, one of several lines is shown as one. */
function quote(part: string): string {
  const characters = [...part.replace(/\s+/g, ' ')];
  const shown = characters.length <= MOST_QUOTED ? characters : [...characters.slice(0, MOST_QUOTED), '…'];
  return `'${shown.join('')}'`;
}
