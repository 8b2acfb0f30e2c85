import { lazyLru } from '../../../lru/lazy-lru.ts';

/** Estimates that are kept, and for how long, in ms. */
const KEPT_ESTIMATES = 1_000;
const ESTIMATE_TTL_MS = 60_000;
/** Owners that are counted. */
const COUNTED_OWNERS = 1_000;
/** Estimates for the refusals of one owner in a minute. */
const MOST_PER_MINUTE = 30;

/**
 * Keeps what estimates for refusals answered for a minute, and holds each owner of queries to 30 of them a minute: whoever
 * is refused again and again does not use up the calls that BigQuery takes of the whole service.
 */
export interface EstimateBudget {
  /** What is kept under the key, or what `estimate` resolves to; null where the owner has used up their estimates. */
  spend(owner: string, key: string, estimate: () => Promise<number>): Promise<number | null>;
}

/** A budget in the memory of this process. It remembers only the estimates and owners that came last. */
export function makeEstimateBudget(): EstimateBudget {
  const estimates = lazyLru<number>(KEPT_ESTIMATES, { ttl: ESTIMATE_TTL_MS });
  const spent = lazyLru<number>(COUNTED_OWNERS, { ttl: ESTIMATE_TTL_MS, noUpdateTTL: true });
  return {
    async spend(owner, key, estimate) {
      const cached = estimates.get(key);
      if (cached !== undefined) return cached;
      const count = spent.get(owner) ?? 0;
      if (count >= MOST_PER_MINUTE) return null;
      spent.set(owner, count + 1);
      const bytes = await estimate();
      estimates.set(key, bytes);
      return bytes;
    },
  };
}
