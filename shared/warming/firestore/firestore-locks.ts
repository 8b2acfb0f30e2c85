import type { Firestore } from '@google-cloud/firestore';
import { LEASE_COLLECTION } from '../../cache/firestore/firestore-cache-store.ts';
import { acquireLease } from '../../cache/firestore/firestore-leases.ts';
import type { Warn } from '../../errors/warn.ts';
import { within } from '../../firestore/within.ts';
import type { WarmingLocks } from '../warming-locks.ts';

/** A round of warming waits no longer for its lock, or for giving it back. */
const DEADLINE_MS = 5_000;

/** Locks that all instances share. When Firestore fails there is no lock to have, so that no work is done twice. */
export function firestoreLocks(open: () => Promise<Firestore>, warn: Warn): WarmingLocks {
  async function take(endpointId: string, durationMs: number) {
    const firestore = await open();
    return acquireLease(firestore.collection(LEASE_COLLECTION).doc(`warming ${endpointId}`), durationMs);
  }

  return {
    async acquire(endpointId, durationMs) {
      const taking = take(endpointId, durationMs);
      try {
        const { lease } = await within(DEADLINE_MS, taking);
        if (lease === null) return null;
        return () =>
          within(DEADLINE_MS, lease.release()).catch((error: unknown) =>
            warn('A lock could not be freed', { error }),
          );
      } catch (error) {
        warn('A lock could not be taken', { error });
        // Nobody would free a lock that comes when nobody waits for it any more.
        taking.then(({ lease }) => lease?.release()).catch(() => {});
        return null;
      }
    },
  };
}
