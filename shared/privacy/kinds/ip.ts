import { DOT } from '../characters.ts';
import { REDACTED, type Redaction, type RedactionRule } from '../redaction.ts';
import { ipv4At } from './ipv4.ts';
import { type RunResult, readColonRun } from './ipv6.ts';

/** Where an address can have its first dot or colon. A regular expression skips text several times faster. */
const MARK = /(?<=[0-9])\.(?=[0-9])|(?::|%3[Aa])(?=[0-9A-Fa-f:%])/g;

/**
 * Replaces every IPv4 and IPv6 address in a text by `REDACTED`. Reads the text once, forward.
 *
 * What goes: the address with its zone (`fe80::1%eth0`). What stays: port, prefix length, brackets and all around,
 * as in `[REDACTED]:443` and `REDACTED/24`.
 *
 * IPv4 is four numbers 0 to 255 of up to three digits (leading zeros allowed) joined by single dots. It is none
 * when a fifth number is joined to it by a dot (`1.2.3.4.5`), or as the version of a browser that is known to
 * count so (`Chrome/120.0.0.0`, `rv:1.8.1.6`).
 *
 * IPv6 is RFC 4291, 2.2: eight groups, or fewer with one `::`, the last two groups maybe as a dotted quad; a
 * colon may be written `%3A`. A text with `::` that code could mean as well is an address when one of these holds:
 *  - a group has four digits, or two groups are joined by one colon, or it has a dotted quad
 *    (`dead::beef`, `::ffff`, `fe80:a::b`);
 *  - it stands in brackets, or a prefix length or a zone follows (`[a::b]`, `a::/16`);
 *  - it has a decimal digit and does not touch a word, `_` or a further `::` (`::1`, `1::`, `a::1`; not `a::b`,
 *    `x::1`, `f64::a1`);
 *  - it is `::` and is the whole text or follows `=`.
 * An address that ends in `::` has no word after it (`1::int` is a cast). Eight groups are an address whatever
 * they are made of; six pairs (MAC), sixteen pairs (fingerprints), times and dates are none. Where a ninth group
 * is a decimal number and one of the eight has three digits or more, it is a port.
 *
 * Neither touches an ASCII letter or digit before or after it (`v1.2.3.4`, `xfe80::1`): a longer word, hash or
 * UUID holds no address. A percent-escape, a backslash-escape and a terminal's colour code count as punctuation.
 */
function redactAddresses(text: string): Redaction {
  let result = '';
  let count = 0;
  let from = 0;
  let read = 0;
  for (let at = nextMark(text, 0); at < text.length; at = nextMark(text, read)) {
    const run = text.charCodeAt(at) === DOT ? readDotRun(text, at, from) : readColonRun(text, at, from, read);
    if (run.address !== null) {
      const [start, end] = run.address;
      result += text.slice(from, start) + REDACTED;
      from = end;
      count += 1;
    }
    read = Math.max(run.next, at + 1);
  }
  return count === 0 ? { text, count } : { text: result + text.slice(from), count };
}

function readDotRun(text: string, dot: number, from: number): RunResult {
  const address = ipv4At(text, dot, from);
  return { address, next: address === null ? dot + 1 : address[1] };
}

/** The next place where an address can have its first dot or colon; the text's length when there is none. */
function nextMark(text: string, from: number): number {
  MARK.lastIndex = from;
  if (!MARK.test(text)) return text.length;
  const last = MARK.lastIndex - 1;
  return text[last] === ':' || text[last] === '.' ? last : last - 2;
}

/** IPv4 and IPv6 addresses. */
export const ipRule: RedactionRule = {
  // An address has a dot, a colon, or a `%3A`.
  hint: '[.:]|%3[Aa]',
  redact: redactAddresses,
};
