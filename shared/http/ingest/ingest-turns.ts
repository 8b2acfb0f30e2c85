import { ServiceError } from '../../errors/service-error.ts';
import type { IngestLimits } from './ingest-limits.ts';

/** Holds the requests that write entries to a number at the same time: each may hold a long body in memory. */
export interface IngestTurns {
  /**
   * Begins a request of the token with this digest, and answers what ends it. Throws a ServiceError: resource_exhausted when
   * the token has too many under way, unavailable when all tokens together do.
   */
  begin(digest: string): () => void;
}

const RETRY_AFTER = { 'Retry-After': '1' };

/** Counts the requests in this process: at most `maxAtOnce` of one token, and `maxInAll` of all together, are under way. */
export function makeIngestTurns({ maxAtOnce, maxInAll }: IngestLimits): IngestTurns {
  const running = new Map<string, number>();
  let inAll = 0;

  function end(digest: string): void {
    const left = (running.get(digest) ?? 1) - 1;
    if (left === 0) running.delete(digest);
    else running.set(digest, left);
    inAll -= 1;
  }

  return {
    begin(digest) {
      const own = running.get(digest) ?? 0;
      if (own >= maxAtOnce) {
        throw new ServiceError(
          'resource_exhausted',
          `This access token has ${maxAtOnce} requests that write entries under way; send the next one when one has its answer.`,
          { headers: RETRY_AFTER },
        );
      }
      if (inAll >= maxInAll) {
        throw new ServiceError(
          'unavailable',
          'The service takes as many entries as it can; try again in a second.',
          {
            headers: RETRY_AFTER,
          },
        );
      }
      running.set(digest, own + 1);
      inAll += 1;
      return () => end(digest);
    },
  };
}
