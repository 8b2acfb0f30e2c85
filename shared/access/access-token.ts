import { createHash } from 'node:crypto';
import type { TokenLimits } from './token-limits.ts';

/** What is known of one access token. The token itself is known to its holder alone. */
export interface AccessToken {
  /** `digestToken` of the token. */
  readonly digest: string;
  /** Whom or what the token is for. */
  readonly name: string;
  /** Milliseconds since the epoch, as the other times. */
  readonly createdAtMs: number;
  /** From this moment on the token is refused; null when it does not expire. */
  readonly expiresAtMs: number | null;
  /** When the token was revoked; null while it holds. */
  readonly revokedAtMs: number | null;
  /** Ids or names of the endpoints that the token may use; null when it is not limited to any. */
  readonly endpoints: readonly string[] | null;
  /** The projects whose entries the token may read, or write; null when it is not limited to any. */
  readonly projects: readonly string[] | null;
  /** The sources that the token may write, with which it may read nothing; null for a token that reads. */
  readonly writes: readonly string[] | null;
  readonly limits: TokenLimits;
}

/** Whether a token holds at some time, and if not, why. */
export type TokenState = 'active' | 'expired' | 'revoked';

/** The SHA-256 digest of a token's UTF-8 text, as 64 lower-case hexadecimal digits. */
export function digestToken(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}

/** A token that was revoked stays so, whether it has expired or not. */
export function tokenState(token: AccessToken, nowMs: number): TokenState {
  if (token.revokedAtMs !== null) return 'revoked';
  return token.expiresAtMs !== null && nowMs >= token.expiresAtMs ? 'expired' : 'active';
}
