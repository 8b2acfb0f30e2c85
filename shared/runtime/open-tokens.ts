import { type AccessToken, digestToken } from '../access/access-token.ts';
import { cachingTokenStore } from '../access/caching-token-store.ts';
import { fileTokenStore } from '../access/file-token-store.ts';
import { issueToken } from '../access/issue-token.ts';
import { readTokenFile } from '../access/token-file.ts';
import { NO_LIMITS } from '../access/token-limits.ts';
import { combineTokenStores, memoryTokenStore, type TokenStore } from '../access/token-store.ts';
import { systemClock } from '../cache/clock.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { FirestoreConnection } from '../firestore/firestore-connection.ts';
import type { Config } from './config.ts';

export interface OpenTokens {
  readonly tokens: TokenStore;
  /** The token of this process: LQE_TOKEN, or a new one that is gone with the process. */
  readonly localToken: string;
}

/** The tokens of this process and of the store that is configured. Throws a ConfigurationError for an unusable file. */
export async function openTokens(config: Config, firestore: FirestoreConnection | null): Promise<OpenTokens> {
  const { token, record } = localToken(config.token);
  const local = memoryTokenStore([record]);
  if (config.tokenStore === 'firestore') {
    if (firestore === null) throw new TypeError('the configuration was not checked');
    const { firestoreTokenStore } = await import('../access/firestore/firestore-token-store.ts');
    const stored = cachingTokenStore(firestoreTokenStore(firestore), { clock: systemClock });
    return { tokens: combineTokenStores(local, stored), localToken: token };
  }
  try {
    await readTokenFile(config.tokensFile);
  } catch (error) {
    if (error instanceof ServiceError) throw new ConfigurationError(error.message);
    throw error;
  }
  const stored = fileTokenStore(config.tokensFile, Date.now);
  return { tokens: combineTokenStores(local, stored), localToken: token };
}

/** A token for all endpoints and projects that lives as long as the process. */
function localToken(fixed: string | null): { token: string; record: AccessToken } {
  const request = { name: 'local', endpoints: null, projects: null, expiresAtMs: null, limits: NO_LIMITS };
  const issued = issueToken(request, Date.now());
  if (fixed === null) return issued;
  return { token: fixed, record: { ...issued.record, digest: digestToken(fixed) } };
}
