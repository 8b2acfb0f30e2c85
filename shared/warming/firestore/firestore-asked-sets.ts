import { createHash } from 'node:crypto';
import * as z from 'zod';
import { growingLru } from '../../cache/growing-lru.ts';
import type { Clock } from '../../concurrency/clock.ts';
import { within } from '../../concurrency/within.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Warn } from '../../errors/warn.ts';
import type { OpenDatabase } from '../../firestore/firestore-connection.ts';
import { type AskedSet, type AskedSets, byDemand, type CountedSet, setKey } from '../asked-set.ts';

export const ASKED_COLLECTION = 'lqe_asked';

/** Of one set, so much time lies between two writes of this process; what is asked in between is added up. */
const WRITE_EVERY_MS = 60_000;
/** What could not be written is written by whoever asks after this time. */
const TRY_AGAIN_MS = 10_000;
/** Sets whose last write is remembered; forgetting one costs a write more. */
const MAX_REMEMBERED = 5000;
/** A round of warming waits no longer for the sets; the client alone would try for minutes. */
const READ_DEADLINE_MS = 10_000;
/** How long a set that nobody asks for is kept, for a TTL policy to delete. */
const KEPT_MS = 24 * 60 * 60 * 1000;

const askedDocument = z.object({
  endpoint: z.string(),
  parameters: z.record(z.string(), z.string()),
  redacted: z.boolean(),
  count: z.int().min(0),
});

export interface FirestoreAskedSetsDeps {
  readonly open: () => Promise<OpenDatabase>;
  readonly clock: Clock;
  readonly warn: Warn;
}

/** What is asked for of a set and not written yet. */
interface Pending {
  readonly writtenAtMs: number;
  readonly count: number;
}

/**
 * Remembers in Firestore what all instances are asked for, one document a set, with at most one small write a minute of
 * each instance. How long ago a set was asked for is told by Firestore's clock. What is asked in the minute after a
 * write counts with the next one.
 */
export function firestoreAskedSets({ open, clock, warn }: FirestoreAskedSetsDeps): AskedSets {
  const pending = growingLru<Pending>(MAX_REMEMBERED);

  async function write(set: AskedSet, key: string, count: number): Promise<void> {
    const { database, timestamps, fieldValues } = await open();
    await database
      .collection(ASKED_COLLECTION)
      .doc(createHash('sha256').update(key).digest('hex'))
      .set(
        {
          endpoint: set.endpointId,
          parameters: set.parameters,
          redacted: set.isRedacted,
          count: fieldValues.increment(count),
          askedAt: fieldValues.serverTimestamp(),
          expiresAt: timestamps.fromMillis(clock.wallMs() + KEPT_MS),
        },
        { merge: true },
      );
  }

  async function read(endpointId: string) {
    const { database } = await open();
    return database
      .collection(ASKED_COLLECTION)
      .where('endpoint', '==', endpointId)
      .select('endpoint', 'parameters', 'redacted', 'count', 'askedAt')
      .get();
  }

  return {
    record(set) {
      const key = setKey(set);
      const before = pending.get(key);
      const count = (before?.count ?? 0) + 1;
      if (before !== undefined && clock.monotonicMs() - before.writtenAtMs < WRITE_EVERY_MS) {
        pending.set(key, { ...before, count });
        return;
      }
      pending.set(key, { writtenAtMs: clock.monotonicMs(), count: 0 });
      write(set, key, count).catch((error: unknown) => {
        const since = pending.get(key)?.count ?? 0;
        const writtenAtMs = clock.monotonicMs() - WRITE_EVERY_MS + TRY_AGAIN_MS;
        pending.set(key, { writtenAtMs, count: count + since });
        warn('What is asked for could not be recorded; it may go cold', { error });
      });
    },

    async recent(endpointId, windowSeconds, max) {
      try {
        const snapshot = await within(clock, READ_DEADLINE_MS, () => read(endpointId));
        const sinceMs = snapshot.readTime.toMillis() - windowSeconds * 1000;
        return snapshot.docs
          .flatMap((document): CountedSet[] => {
            const parsed = askedDocument.safeParse(document.data());
            const lastAskedAtMs = document.updateTime.toMillis();
            if (!parsed.success || lastAskedAtMs <= sinceMs) return [];
            const { endpoint, parameters, redacted: isRedacted, count } = parsed.data;
            return [{ endpointId: endpoint, parameters, isRedacted, count, lastAskedAtMs }];
          })
          .sort(byDemand)
          .slice(0, max);
      } catch (cause) {
        throw new ServiceError('unavailable', 'What is asked for cannot be read at the moment.', { cause });
      }
    },
  };
}
