import { colonEnd, DOT, isDigit, isHex, isWord, isWordStart } from '../characters.ts';
import { dottedQuadEnd } from './ipv4.ts';

const GROUPS = 8;
const MAX_GROUP_DIGITS = 4;
/** An interface's name or number (RFC 4007, 11.2), in URLs after `%25` (RFC 6874). */
const ZONE = /%(?:25)?(?!REDACTED)(?:[A-Za-z][A-Za-z0-9._~-]*(?<![.~-])|[0-9]+(?![A-Za-z0-9]))/y;
/** `%5D` and the like after an address in a URL is punctuation, not a zone. */
const ESCAPED_PUNCTUATION = /%(?:2[0-9A-Fa-f]|3[A-Fa-f]|40|5[B-Fb-f]|60|7[B-Eb-e])/y;
const ENCODED_ZONE = /%25[A-Za-z0-9]/y;

/** Groups of one to four hexadecimal digits joined by single colons; the last may be a dotted quad. */
interface Chain {
  readonly start: number;
  readonly end: number;
  /** How many groups; a dotted quad at the end counts as the two that it stands for. */
  readonly groups: number;
  readonly hasFourDigits: boolean;
  readonly hasDecimal: boolean;
  /** Where the dotted quad begins, -1 without one. */
  readonly quadAt: number;
  /** Where the last group before the dotted quad ends. */
  readonly endBeforeQuad: number;
}

/** What was found in a run of groups and colons: an address at `[start, end)` or none, and where to go on. */
export interface RunResult {
  readonly address: readonly [number, number] | null;
  readonly next: number;
}

/**
 * Looks for an IPv6 address in the run of groups and colons whose first colon stands at `colon`. What stands
 * before `from` has been redacted, what stands before `read` belongs to runs that were read. Goes forward only: a run is read once, however long it is. `redactText` says
 * what is an address.
 */
export function readColonRun(text: string, colon: number, from: number, read: number): RunResult {
  const first = groupStart(text, colon, from, read);
  let left = readChain(text, first === -1 ? colon : first);
  // Colons after a word belong to it: `std::x` is no address, and neither is its tail.
  let scoped = first === -1 && !isWordStart(text, colon, from);
  for (;;) {
    const colons = countColons(text, left.end);
    if (colons.count < 2 || left.groups >= GROUPS || left.quadAt !== -1) return wholeChain(text, left);
    const right = readChain(text, colons.end);
    const isAfterLabel = left.groups === 0 && scoped && colons.count === 2;
    if (colons.count > 2 && left.groups > 0 && endsBeforeColon(text, left, colons, scoped)) {
      return found(text, left.start, colons.second);
    }
    if (!isAfterLabel) {
      const isPair = colons.count === 2;
      const before = isPair ? left : emptyAt(colons.secondLast);
      for (const tail of right.quadAt === -1 ? [right] : [right, withoutQuad(right)]) {
        if (isCompressed(text, before, tail, isPair && scoped)) return found(text, before.start, tail.end);
      }
    }
    if (right.groups === 0) return { address: null, next: right.end };
    left = right;
    scoped = true;
  }
}

/** Where the group before the first colon begins, -1 when no group stands there or a word runs into it. */
function groupStart(text: string, colon: number, from: number, read: number): number {
  let start = colon;
  while (start > read && start > colon - MAX_GROUP_DIGITS && isHex(text, start - 1)) start -= 1;
  for (; start < colon; start += 1) {
    if (isWordStart(text, start, from)) return endsDottedNumber(text, start, colon, from) ? -1 : start;
  }
  return -1;
}

/** `3::` in `1.2.3::` is the end of a version. */
function endsDottedNumber(text: string, start: number, colon: number, from: number): boolean {
  if (start - 2 < from || text.charCodeAt(start - 1) !== DOT || !isDigit(text, start - 2)) return false;
  return isShortDecimal(text, start, colon);
}

function readChain(text: string, start: number): Chain {
  let end = start;
  let groups = 0;
  let hasFourDigits = false;
  let hasDecimal = false;
  for (let at = start; ; ) {
    const quadEnd = isDigit(text, at) ? dottedQuadEnd(text, at) : -1;
    if (quadEnd !== -1) {
      const endBeforeQuad = end;
      return {
        start,
        end: quadEnd,
        groups: groups + 2,
        hasFourDigits,
        hasDecimal,
        quadAt: at,
        endBeforeQuad,
      };
    }
    let groupEnd = at;
    let hasOwnDecimal = false;
    while (groupEnd - at <= MAX_GROUP_DIGITS && isHex(text, groupEnd)) {
      hasOwnDecimal ||= isDigit(text, groupEnd);
      groupEnd += 1;
    }
    if (groupEnd === at || groupEnd - at > MAX_GROUP_DIGITS || isWord(text, groupEnd)) break;
    groups += 1;
    hasFourDigits ||= groupEnd - at === MAX_GROUP_DIGITS;
    hasDecimal ||= hasOwnDecimal;
    end = groupEnd;
    at = colonEnd(text, groupEnd);
    if (at === -1) break;
  }
  return { start, end, groups, hasFourDigits, hasDecimal, quadAt: -1, endBeforeQuad: end };
}

function emptyAt(at: number): Chain {
  return {
    start: at,
    end: at,
    groups: 0,
    hasFourDigits: false,
    hasDecimal: false,
    quadAt: -1,
    endBeforeQuad: at,
  };
}

/** Where a dotted quad is too much for an address, it is its own IPv4 address. */
function withoutQuad(chain: Chain): Chain {
  return { ...chain, end: chain.endBeforeQuad, groups: chain.groups - 2, quadAt: -1 };
}

function isShortDecimal(text: string, start: number, end: number): boolean {
  let at = start;
  while (at < end && isDigit(text, at)) at += 1;
  return at === end && end - start < MAX_GROUP_DIGITS;
}

interface Colons {
  readonly count: number;
  readonly end: number;
  /** Where the second colon ends. */
  readonly second: number;
  /** Where the last but one begins. */
  readonly secondLast: number;
}

function countColons(text: string, start: number): Colons {
  let count = 0;
  let end = start;
  let second = start;
  let last = start;
  let secondLast = start;
  for (let next = colonEnd(text, end); next !== -1; next = colonEnd(text, end)) {
    secondLast = last;
    last = end;
    end = next;
    count += 1;
    if (count === 2) second = end;
  }
  return { count, end, second, secondLast };
}

/** No code has a scope operator, a slice or a cast like this: `2001:db8::`, `dead::beef`, `::10.0.0.1`. */
function isClearly(left: Chain, right: Chain): boolean {
  if (left.groups + right.groups > GROUPS) return false;
  if (left.groups > 1 || right.groups > 1) return true;
  return left.hasFourDigits || right.hasFourDigits;
}

/** Whether of three colons the first two end an address: `2001:db8:::80`, `1::: refused`. */
function endsBeforeColon(text: string, left: Chain, colons: Colons, isScoped: boolean): boolean {
  const right = emptyAt(colons.second);
  if (isClearly(left, right)) return true;
  return !isWord(text, colons.end) && isCompressed(text, left, right, isScoped);
}

/** Whether `left::right` is an address, by the rules that `redactText` lists. */
function isCompressed(text: string, left: Chain, right: Chain, isScoped: boolean): boolean {
  if (left.groups + right.groups > GROUPS) return false;
  const start = left.start;
  const end = right.end;
  if (right.groups === 0 && (isWord(text, end) || text[end] === '_')) return false;
  if (isClearly(left, right) || isMarked(text, start, end)) return true;
  if (left.groups + right.groups === 0) return isWholeValue(text, start, end);
  const isInWords = isScoped || text[start - 1] === '_' || text[end] === '_';
  if (isInWords || !(left.hasDecimal || right.hasDecimal)) return false;
  return countColons(text, end).count !== 2;
}

/** Written as only addresses are: in brackets, with a prefix length or with a zone. */
function isMarked(text: string, start: number, end: number): boolean {
  if (text[start - 1] === '[' && text[end] === ']') return true;
  return (text[end] === '/' && isDigit(text, end + 1)) || zoneEnd(text, end) !== end;
}

function isWholeValue(text: string, start: number, end: number): boolean {
  if (start === 0) return end === text.length;
  return text[start - 1] === '=' && text[end] !== '"' && text[end] !== "'";
}

/** The uncompressed form: eight groups, and a port after them where the ninth can only be one. */
function wholeChain(text: string, chain: Chain): RunResult {
  if (chain.groups === GROUPS) return found(text, chain.start, chain.end);
  if (chain.quadAt !== -1 && chain.groups > GROUPS) return wholeChain(text, withoutQuad(chain));
  if (chain.groups === GROUPS + 1) {
    const groups = text.slice(chain.start, chain.end).split(/:|%3A/i);
    const port = groups.pop() ?? '';
    if (/^[1-9][0-9]*$/.test(port) && groups.some((group) => group.length > 2)) {
      let end = chain.end - port.length - 1;
      if (text[end] !== ':') end -= 2;
      return found(text, chain.start, end);
    }
  }
  return { address: null, next: chain.quadAt === -1 ? chain.end : chain.quadAt };
}

function found(text: string, start: number, end: number): RunResult {
  const withZone = zoneEnd(text, end);
  return { address: [start, withZone], next: withZone };
}

function zoneEnd(text: string, at: number): number {
  if (text[at] !== '%') return at;
  ENCODED_ZONE.lastIndex = at;
  ESCAPED_PUNCTUATION.lastIndex = at;
  if (!ENCODED_ZONE.test(text) && ESCAPED_PUNCTUATION.test(text) && !isNumericZone(text, at)) return at;
  ZONE.lastIndex = at;
  return ZONE.test(text) ? ZONE.lastIndex : at;
}

/** `%21` before anything but a word is a zone's number, as Windows writes it. */
function isNumericZone(text: string, at: number): boolean {
  return isDigit(text, at + 1) && isDigit(text, at + 2) && !isWord(text, at + 3);
}
