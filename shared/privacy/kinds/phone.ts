import { type RedactionRule, replaceAt } from '../redaction.ts';

/**
 * E.164: a plus and up to 15 digits, the first of the country code not 0; no number in use has fewer than seven. The
 * plus may be percent-encoded. Neither a letter, a digit nor an underscore touches it: `1e+1234567` is a number.
 */
const NUMBER = /(?<![\p{L}\p{N}_])(?:\+|%2[Bb])[1-9][0-9]{6,14}(?![\p{L}\p{N}_]|\.[0-9])/gu;

/** Phone numbers in E.164, `+14155550123`. */
export const phoneRule: RedactionRule = {
  hint: '(?:\\+|%2[Bb])[1-9][0-9]{6}',
  redact: (text) => replaceAt(text, NUMBER, (start, end) => [start, end]),
};
