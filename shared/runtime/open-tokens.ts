import { type AccessToken, digestToken } from '../access/access-token.ts';
import { cachingTokenStore } from '../access/caching-token-store.ts';
import { newToken } from '../access/new-token.ts';
import { NO_LIMITS } from '../access/token-limits.ts';
import { combineTokenStores, memoryTokenStore, type TokenStore } from '../access/token-store.ts';
import type { Clock } from '../concurrency/clock.ts';
import { lazy } from '../concurrency/lazy.ts';
import type { FirestoreConnection } from '../firestore/firestore-connection.ts';
import type { Config } from './config.ts';

type TokenConfig = Pick<Config, 'token' | 'tokenStore' | 'tokensFile'>;

/** The access tokens that a running service accepts. */
export interface OpenTokens {
  readonly tokens: TokenStore;
  /** The token of this process: LQE_TOKEN, or a new one that is gone with the process. */
  readonly localToken: string;
}

/** The tokens of this process and of the store that is configured. Throws a ConfigurationError for an unusable file. */
export async function openTokens(
  config: TokenConfig,
  firestore: FirestoreConnection | null,
  clock: Clock,
): Promise<OpenTokens> {
  const localToken = config.token ?? newToken();
  const local = memoryTokenStore([localRecord(localToken, clock)]);
  return { tokens: combineTokenStores(local, await openStored(config, firestore, clock)), localToken };
}

async function openStored(
  config: TokenConfig,
  firestore: FirestoreConnection | null,
  clock: Clock,
): Promise<TokenStore> {
  if (config.tokenStore === 'file') {
    const { openTokenFile } = await import('./open-token-file.ts');
    return openTokenFile(config.tokensFile);
  }
  if (firestore === null) throw new TypeError('the configuration was not checked');
  const open = lazy(async () => {
    const { firestoreTokenStore } = await import('../access/firestore/firestore-token-store.ts');
    return firestoreTokenStore(firestore);
  });
  const stored: TokenStore = { find: async (digest) => (await open()).find(digest) };
  return cachingTokenStore(stored, { clock });
}

/** The record of a token for all endpoints and projects that lives as long as the process. */
function localRecord(token: string, clock: Clock): AccessToken {
  return {
    digest: digestToken(token),
    name: 'local',
    createdAtMs: clock.wallMs(),
    expiresAtMs: null,
    revokedAtMs: null,
    endpoints: null,
    projects: null,
    writes: null,
    limits: NO_LIMITS,
  };
}
