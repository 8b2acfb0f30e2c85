import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import { REFUSAL } from '../../not-supported.ts';
import { type JavaScriptFunction, javaScriptFunction, ValueError } from './javascript-function.ts';

/** Private domains such as `github.io` count as names below a public suffix, as in BigQuery. */
const RULES = {
  allowPrivateDomains: false,
  detectIp: false,
  extractHostname: false,
  mixedInputs: false,
  validateHostname: false,
} as const;

const MAX_LABEL = 63;
const MAX_DOMAIN = 254;
/** Dots of other scripts, which the names of domains take for dots. */
const OTHER_DOTS = /[\u3002\uff0e\uff61]/;

/** Whether a host with letters beyond ASCII is a domain name in Punycode (RFC 5891); that of ASCII may be any text. */
function isDomainName(host: string): boolean {
  if (/^\p{ASCII}*$/u.test(host)) return true;
  const ascii = OTHER_DOTS.test(host) ? '' : domainToASCII(host);
  if (ascii === '')
    throw new ValueError(`${REFUSAL}public suffixes of a host with letters that domain names do not have`);
  const isLabel = (label: string): boolean =>
    label.length > 0 && label.length <= MAX_LABEL && !/^-|-$|^..--/.test(label);
  const labels = host.split('.');
  return (
    ascii.length <= MAX_DOMAIN &&
    ascii.split('.').every(({ length }) => length <= MAX_LABEL) &&
    labels.every((label) => isLabel(label) || label.toLowerCase().startsWith('xn--'))
  );
}

/** How many labels at the end of a host are its public suffix; 0 where the list has none of them. */
function suffixLabels(host: string): number {
  const { publicSuffix, isIcann } = parse(host, RULES);
  if (publicSuffix === null || isIcann !== true) return 0;
  const count = publicSuffix.split('.').length;
  // A name that has a rule for the names below it alone, such as *.kawasaki.jp, is no public suffix by itself.
  const below = parse(`a.${publicSuffix}`, RULES).publicSuffix;
  return count > 1 && host === publicSuffix && below !== publicSuffix ? count - 1 : count;
}

/** A host as the list writes it: in small letters, and without other forms of letters, such as ligatures. */
function listedForm(host: string): string {
  return /^\p{ASCII}*$/u.test(host) ? host.toLowerCase() : domainToUnicode(domainToASCII(host));
}

/** The labels at the end of a host that are its public suffix and so many more; null where there are none. */
function ending(host: string, more: number): string | null {
  const isRooted = host.endsWith('.');
  const name = isRooted ? host.slice(0, -1) : host;
  if (name === '' || !isDomainName(name)) return null;
  const count = suffixLabels(listedForm(name));
  const labels = name.split('.');
  const first = labels.length - count - more;
  if (count === 0 || first < 0 || labels[first] === '') return null;
  return `${labels.slice(first).join('.')}${isRooted ? '.' : ''}`;
}

/** What the list of public suffixes (https://publicsuffix.org/list/) says of a host. */
export const DOMAIN_FUNCTIONS: readonly JavaScriptFunction[] = [
  javaScriptFunction('gsql_public_suffix', ['VARCHAR'], 'VARCHAR', (host) => ending(host, 0)),
  javaScriptFunction('gsql_reg_domain', ['VARCHAR'], 'VARCHAR', (host) => ending(host, 1)),
];
