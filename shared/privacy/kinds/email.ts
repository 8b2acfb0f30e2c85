import { type Range, type RedactionRule, replaceAt } from '../redaction.ts';

/** RFC 5321, section 4.5.3.1: most characters of a local part and of a domain. */
const MAX_LOCAL = 64;
const MAX_DOMAIN = 255;

/** The sign, or as a URL's query writes it (RFC 3986, 2.1). */
const SIGN = /@|%40/g;
/** What a local part is made of, less the signs that end a word in URLs and logs (RFC 5322, section 3.2.3; RFC 6531). */
const LOCAL = /[\p{L}\p{N}._%+'-]/u;
/** Labels joined by dots, the last one of letters: no address has a numeric top-level domain. */
const DOMAIN =
  /(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+(?:xn--[A-Za-z0-9-]{1,59}|\p{L}{2,63})(?![\p{L}\p{N}_-])/uy;
/** A quoted local part, which may hold anything else. */
const QUOTED_LOCAL = /"[^"\s]{1,62}"$/;

/** E-mail addresses, with a top-level domain, also percent-encoded: `a%40example.com`. */
export const emailRule: RedactionRule = {
  hint: '@|%40',
  redact: (text) => replaceAt(text, SIGN, (start, end, from) => addressAt(text, start, end, from)),
};

function addressAt(text: string, sign: number, behind: number, from: number): Range | null {
  const start = localStart(text, sign, from);
  // Directly after an address that was replaced, its last label was the local part of this one.
  if (start === sign && (sign !== from || from === 0)) return null;
  const domain = text.slice(behind, behind + MAX_DOMAIN);
  DOMAIN.lastIndex = 0;
  const match = DOMAIN.exec(domain);
  return match === null ? null : [start, behind + match[0].length];
}

function localStart(text: string, sign: number, from: number): number {
  const first = Math.max(from, sign - MAX_LOCAL);
  let start = sign;
  while (start > first && LOCAL.test(text.charAt(start - 1))) start -= 1;
  if (start < sign) return start;
  const quoted = QUOTED_LOCAL.exec(text.slice(first, sign));
  return quoted === null ? sign : first + quoted.index;
}
