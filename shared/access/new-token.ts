import { randomBytes } from 'node:crypto';

/** Marks the text as an access token, for people and for scanners of leaked secrets. */
const TOKEN_PREFIX = 'lqe_';
const TOKEN_BYTES = 32;

/** The text of a new random token of 256 bits. */
export function newToken(): string {
  return TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
}
