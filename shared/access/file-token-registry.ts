import { readTokenFile, updateTokenFile } from './token-file.ts';
import type { TokenRegistry } from './token-registry.ts';

/** The tokens in a file; it is made with the first one. */
export function fileTokenRegistry(path: string): TokenRegistry {
  return {
    async list() {
      return { tokens: await readTokenFile(path), problems: [] };
    },
    async add(token) {
      let isTaken = false;
      await updateTokenFile(path, (tokens) => {
        isTaken = tokens.some((other) => other.name === token.name);
        return isTaken ? null : [...tokens, token];
      });
      return isTaken ? 'name_taken' : 'added';
    },
    async revoke(digest, nowMs) {
      let outcome: Awaited<ReturnType<TokenRegistry['revoke']>> = 'unknown';
      await updateTokenFile(path, (tokens) => {
        const chosen = tokens.find((token) => token.digest === digest);
        if (chosen !== undefined) outcome = chosen.revokedAtMs === null ? 'revoked' : 'revoked_before';
        if (outcome !== 'revoked') return null;
        return tokens.map((token) => (token === chosen ? { ...token, revokedAtMs: nowMs } : token));
      });
      return outcome;
    },
    async close() {},
  };
}
