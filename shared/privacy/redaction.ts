/** What stands in the place of what was redacted. */
export const REDACTED = 'REDACTED';

/** A text in which `REDACTED` replaces what a rule found. */
export interface Redaction {
  readonly text: string;
  /** How many places were replaced. */
  readonly count: number;
}

/** Finds one kind of what identifies persons. */
export interface RedactionRule {
  /** Source of a regular expression without flags that matches somewhere in every text which `redact` changes. */
  readonly hint: string;
  /** Replaces every find by `REDACTED`, in time that grows with the text's length alone. */
  redact(text: string): Redaction;
}

/** Where a find begins and ends. */
export type Range = readonly [start: number, end: number];

/**
 * Replaces the ranges that `rangeAt` finds at the matches of `mark`, which must be global; matches inside a replaced
 * range are passed over. `rangeAt` gets where the match begins and ends, and before where nothing may be taken.
 */
export function replaceAt(
  text: string,
  mark: RegExp,
  rangeAt: (start: number, end: number, from: number) => Range | null,
): Redaction {
  let result = '';
  let count = 0;
  let from = 0;
  for (const match of text.matchAll(mark)) {
    if (match.index < from) continue;
    const range = rangeAt(match.index, match.index + match[0].length, from);
    if (range === null) continue;
    result += text.slice(from, range[0]) + REDACTED;
    from = range[1];
    count += 1;
  }
  return count === 0 ? { text, count } : { text: result + text.slice(from), count };
}
