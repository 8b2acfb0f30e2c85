import { stat } from 'node:fs/promises';
import { ServiceError } from '../errors/service-error.ts';
import type { AccessToken } from './access-token.ts';
import { errorCode } from './error-code.ts';
import { readTokenFile } from './token-file.ts';
import type { TokenStore } from './token-store.ts';

/** A change of the file, such as a revocation, holds after no more than this. */
const CHECK_INTERVAL_MS = 1_000;

/** What a check of the file found: the tokens, or why there are none to trust. */
type Content = { readonly tokens: ReadonlyMap<string, AccessToken> } | { readonly fault: unknown };

/**
 * The tokens of a file (`updateTokenFile` writes it). Looks whether the file has changed at most once a second by
 * `nowMs`, the milliseconds of any clock, and reads it anew if it has. Without a file there are no tokens.
 *
 * While the file cannot be used, `find` throws a ServiceError (unavailable) whose cause names file and reason: what
 * the file said before is not trusted, for a revocation may be what cannot be read.
 */
export function fileTokenStore(path: string, nowMs: () => number): TokenStore {
  let content: Content = { tokens: new Map() };
  let stamp: string | null = null;
  let checkedAtMs: number | null = null;
  let checking: Promise<void> = Promise.resolve();

  async function check(): Promise<void> {
    try {
      const current = await stampOf(path);
      if (current === stamp) return;
      // Taken before reading: a change in between shows as another stamp at the next check.
      stamp = current;
      const tokens = await readTokenFile(path);
      content = { tokens: new Map(tokens.map((token) => [token.digest, token])) };
    } catch (error) {
      content = { fault: error };
      stamp = null;
    }
  }

  return {
    async find(digest) {
      const now = nowMs();
      if (checkedAtMs === null || now >= checkedAtMs + CHECK_INTERVAL_MS || now < checkedAtMs) {
        checkedAtMs = now;
        checking = checking.then(check);
      }
      await checking;
      if ('tokens' in content) return content.tokens.get(digest) ?? null;
      throw new ServiceError(
        'unavailable',
        'Access tokens cannot be checked at the moment; try again later.',
        {
          cause: content.fault,
        },
      );
    },
  };
}

/** Another text whenever the file has another content: a new file has another inode or time of change. */
async function stampOf(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'missing';
    throw error;
  }
}
