import { randomBytes } from 'node:crypto';

/** Tells at sight, and to scanners for leaked secrets, what a token is for. */
export const TOKEN_PREFIX = 'lqe_';
const TOKEN_BYTES = 32;

/** The text of a new random token of 256 bits. */
export function newToken(): string {
  return TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
}
