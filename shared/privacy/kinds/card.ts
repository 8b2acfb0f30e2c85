import { type Range, type RedactionRule, replaceAt } from '../redaction.ts';

/** ISO/IEC 7812-1: a card number has up to 19 digits; none that is issued has fewer than 13. */
const MIN_DIGITS = 13;
const MAX_DIGITS = 19;

/** Where a group of digits begins; no letter, digit or decimal point touches it from the left. */
const GROUP = /(?<![\p{L}\p{N}_]|[0-9]\.)[0-9]+/gu;
/** More groups of the same number: single spaces or hyphens stand between them. */
const NEXT_GROUP = /[ -]([0-9]{1,19})/y;
/** What makes digits part of something longer. */
const CONTINUED = /[\p{L}\p{N}_]|\.[0-9]/uy;

/** The first digits by which networks issue cards, with the lengths that they have. */
const ISSUERS: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^3(?:0[0-5]|[689])/, [14, 16, 19]],
  [/^35(?:2[89]|[3-8])/, [16, 17, 18, 19]],
  [/^6(?:011|4[4-9]|5)/, [16, 17, 18, 19]],
  [/^62/, [16, 17, 18, 19]],
  [/^(?:50|5[6-9]|6)/, [13, 14, 15, 16, 17, 18, 19]],
];

/** Payment card numbers: of a network's range, of one of its lengths, with a right check digit (ISO/IEC 7812-1, annex B). */
export const cardRule: RedactionRule = {
  hint: '[2-6](?:[ -]?[0-9]){12}',
  redact: (text) => replaceAt(text, GROUP, (start, end) => cardAt(text, start, end)),
};

/** The longest card number that begins with the group of digits at `start`. */
function cardAt(text: string, start: number, groupEnd: number): Range | null {
  let digits = text.slice(start, Math.min(groupEnd, start + MAX_DIGITS + 1));
  let end = groupEnd;
  let found: Range | null = null;
  while (digits.length <= MAX_DIGITS) {
    if (digits.length >= MIN_DIGITS && isCard(digits) && !matchesAt(CONTINUED, text, end))
      found = [start, end];
    NEXT_GROUP.lastIndex = end;
    const [whole, more] = NEXT_GROUP.exec(text) ?? [];
    if (whole === undefined || more === undefined) break;
    digits += more;
    end += whole.length;
  }
  return found;
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

function isCard(digits: string): boolean {
  const isIssued = ISSUERS.some(
    ([prefix, lengths]) => prefix.test(digits) && lengths.includes(digits.length),
  );
  return isIssued && hasCheckDigit(digits);
}

/** The Luhn formula. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 0x30;
    const doubled = at % 2 === 1 ? 2 * digit : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
