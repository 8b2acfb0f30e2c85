import { DOT, isDigit, isWord, isWordStart } from '../characters.ts';

const MAX_OCTET_DIGITS = 3;
const MAX_OCTET = 255;

/**
 * Products whose versions have four parts, as they stand in User-Agent headers (RFC 9110, 10.1.5): since 2023
 * every Chrome calls itself `Chrome/120.0.0.0`. Only after these names is a dotted quad a version.
 */
const VERSIONED_PRODUCT =
  /(?:^|[^A-Za-z])(?:(?:Headless)?Chrome|Chromium|CriOS|Edge?|EdgA|EdgiOS|EdgW|Firefox|Iceweasel|SeaMonkey|Thunderbird|Iron|CoolNovo|Vivaldi|OPR|Opera|OPiOS|Safari|Version|Electron|zlib|(?:[A-Za-z]+|UP\.)?Browser)\/$/;
/** Gecko's revision, as in `rv:1.8.1.6`. */
const GECKO_REVISION = /[ (;]rv:$/;
/** What follows the dot is no fifth number but begins like an IPv6 address. */
const IPV6_AFTER_DOT = /\.[0-9]{1,4}(?:[A-Fa-f]|(?::|%3[Aa])[0-9A-Fa-f]{0,4}(?::|%3[Aa]))/y;
const MAX_PRODUCT_LENGTH = 24;

/**
 * Where the dotted quad that begins at `start` ends, -1 when none does: four numbers 0 to 255 of one to three
 * digits. Leading zeros are allowed, for logs that pad addresses.
 */
export function dottedQuadEnd(text: string, start: number): number {
  let at = start;
  for (let octet = 1; ; octet += 1) {
    let value = 0;
    const first = at;
    while (isDigit(text, at) && at - first <= MAX_OCTET_DIGITS) {
      value = value * 10 + text.charCodeAt(at) - 0x30;
      at += 1;
    }
    if (at === first || at - first > MAX_OCTET_DIGITS || value > MAX_OCTET) return -1;
    if (octet === 4) return isWord(text, at) ? -1 : at;
    if (text.charCodeAt(at) !== DOT) return -1;
    at += 1;
  }
}

/**
 * The IPv4 address whose first dot stands at `dot`, as `[start, end)`, or null. Nothing before `from` is looked
 * at as digits. Looks at a bounded number of characters.
 */
export function ipv4At(text: string, dot: number, from: number): readonly [number, number] | null {
  for (let start = Math.max(dot - MAX_OCTET_DIGITS, from); start < dot; start += 1) {
    if (!isDigit(text, start) || !isWordStart(text, start, from)) continue;
    const end = dottedQuadEnd(text, start);
    if (end === -1 || isPartOfLongerNumber(text, start, end, from)) continue;
    return isProductVersion(text, start) ? null : [start, end];
  }
  return null;
}

/** `1.2.3.4.5` is a version or an object identifier; `10.0.0.1..10.0.0.9` and `10.0.0.1.` hold addresses. */
function isPartOfLongerNumber(text: string, start: number, end: number, from: number): boolean {
  if (text.charCodeAt(end) === DOT && isDigit(text, end + 1)) {
    IPV6_AFTER_DOT.lastIndex = end;
    if (!IPV6_AFTER_DOT.test(text)) return true;
  }
  return start - 2 >= from && text.charCodeAt(start - 1) === DOT && isDigit(text, start - 2);
}

function isProductVersion(text: string, start: number): boolean {
  const before = text[start - 1];
  if (before !== '/' && before !== ':') return false;
  const lead = text.slice(Math.max(0, start - MAX_PRODUCT_LENGTH), start);
  return VERSIONED_PRODUCT.test(lead) || GECKO_REVISION.test(lead);
}
