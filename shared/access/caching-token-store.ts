import { type Clock, elapsedMs, MAX_CLOCK_DRIFT, type Moment, momentOf } from '../concurrency/clock.ts';
import { lazyLru } from '../lru/lazy-lru.ts';
import type { AccessToken } from './access-token.ts';
import type { TokenStore } from './token-store.ts';

/** So long after a change in the store, such as a revocation, an instance may still act on what it read before. */
export const TOKEN_CACHE_MS = 60_000;
/** The same as a clock measures it that runs as slow as may be. */
const MEASURED_MS = TOKEN_CACHE_MS * (1 - MAX_CLOCK_DRIFT);
const MAX_KNOWN = 10_000;
const MAX_UNKNOWN = 10_000;

export interface CachingTokenStoreOptions {
  readonly clock: Clock;
  /** Most tokens that are kept; a token takes some 500 bytes, and more with long limits. */
  readonly maxKnown?: number;
  /** Most digests kept that no token has, apart from the others, so that guesses push no token out. */
  readonly maxUnknown?: number;
}

/** What the store said of a digest, as of the moment when it was asked. */
interface Entry {
  readonly token: AccessToken | null;
  readonly askedAt: Moment;
}

/** A look into the store that has not ended. */
interface Look {
  readonly token: Promise<AccessToken | null>;
  readonly askedAt: Moment;
}

/**
 * Keeps for 60 seconds what another store says of a digest, that no token has it as well; the least recently used go
 * first. Those who ask for one digest at the same time share one look into the store. Failures are not kept, and a
 * store that fails extends nothing: after its 60 seconds a token is refused like one that was never seen, with the
 * store's own error, until the store answers again.
 */
export function cachingTokenStore(store: TokenStore, options: CachingTokenStoreOptions): TokenStore {
  const { clock, maxKnown = MAX_KNOWN, maxUnknown = MAX_UNKNOWN } = options;
  const known = lazyLru<Entry>(maxKnown);
  const unknown = lazyLru<Entry>(maxUnknown);
  const underWay = new Map<string, Look>();

  /** `askedAt` is from before asking: what the store reads may be changed while the answer is on its way. */
  async function look(digest: string, askedAt: Moment): Promise<AccessToken | null> {
    const token = await store.find(digest);
    known.delete(digest);
    unknown.delete(digest);
    (token === null ? unknown : known).set(digest, { token, askedAt });
    return token;
  }

  const isRecent = ({ askedAt }: Entry | Look): boolean => elapsedMs(askedAt, clock) < MEASURED_MS;

  return {
    find(digest) {
      const entry = known.get(digest) ?? unknown.get(digest);
      if (entry !== undefined && isRecent(entry)) return Promise.resolve(entry.token);
      const joined = underWay.get(digest);
      // A process that stood still in between may hear only now what the store said long ago.
      if (joined !== undefined && isRecent(joined)) return joined.token;
      const askedAt = momentOf(clock);
      const started: Look = {
        askedAt,
        token: look(digest, askedAt).finally(() => {
          if (underWay.get(digest) === started) underWay.delete(digest);
        }),
      };
      underWay.set(digest, started);
      return started.token;
    },
  };
}
