import { type Range, type RedactionRule, replaceAt } from '../redaction.ts';

/** `Bearer` with the token after it (RFC 6750, section 2.1), also percent-encoded or with a plus for the space. */
const BEARER =
  /(?<![A-Za-z0-9])bearer(?:[ \t]{1,8}|%20|\+|:[ \t]{0,8}|%3A(?:%20|\+)?)(?=[A-Za-z0-9\-._~+/%])/gi;
const TOKEN = /(?:[A-Za-z0-9\-._~+/]|%2[BbFf]|%3[Dd])+=*/y;
/** Shorter words after `bearer` are words. */
const MIN_TOKEN = 8;

/** A JSON Web Token in its compact form (RFC 7519, section 3): a header that begins with `{"`, claims, a signature. */
const JWT = /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*){1,3}/g;

/** Bearer tokens, the word `Bearer` left standing, and JSON Web Tokens wherever they are. */
export const credentialRule: RedactionRule = {
  hint: '[Bb][Ee][Aa][Rr][Ee][Rr]|eyJ',
  redact(text) {
    const bearer = replaceAt(text, BEARER, (_, end) => tokenAt(text, end));
    const jwt = replaceAt(bearer.text, JWT, (start, end) => [start, end]);
    return { text: jwt.text, count: bearer.count + jwt.count };
  },
};

function tokenAt(text: string, start: number): Range | null {
  TOKEN.lastIndex = start;
  const token = TOKEN.exec(text)?.[0] ?? '';
  return token.length < MIN_TOKEN ? null : [start, start + token.length];
}
