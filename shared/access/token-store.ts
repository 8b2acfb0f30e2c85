import type { AccessToken } from './access-token.ts';

/** Where access tokens are looked up. */
export interface TokenStore {
  /**
   * The token with this digest, expired or revoked as it may be, or null. Throws a ServiceError (unavailable)
   * when it cannot know.
   */
  find(digest: string): Promise<AccessToken | null>;
}

/** A store of tokens that do not change. */
export function memoryTokenStore(tokens: readonly AccessToken[]): TokenStore {
  const byDigest = new Map(tokens.map((token) => [token.digest, token]));
  return {
    async find(digest) {
      return byDigest.get(digest) ?? null;
    },
  };
}

/** Asks the stores in order; the first that knows the digest answers. A store that fails ends the search. */
export function combineTokenStores(...stores: readonly TokenStore[]): TokenStore {
  return {
    async find(digest) {
      for (const store of stores) {
        const token = await store.find(digest);
        if (token !== null) return token;
      }
      return null;
    },
  };
}
