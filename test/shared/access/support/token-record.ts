import { type AccessToken, digestToken } from '../../../../shared/access/access-token.ts';
import { NO_LIMITS } from '../../../../shared/access/token-limits.ts';

/** What is known of a token that may do everything for ever and is named by its own text, but for the changes. */
export function tokenRecord(token: string, changes: Partial<AccessToken> = {}): AccessToken {
  return {
    digest: digestToken(token),
    name: token,
    createdAtMs: 0,
    expiresAtMs: null,
    revokedAtMs: null,
    endpoints: null,
    projects: null,
    writes: null,
    limits: NO_LIMITS,
    ...changes,
  };
}
