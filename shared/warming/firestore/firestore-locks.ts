import type { Firestore } from '@google-cloud/firestore';
import { LEASE_COLLECTION } from '../../cache/firestore/firestore-cache-store.ts';
import { acquireLease } from '../../cache/firestore/firestore-leases.ts';
import type { WarmingLocks } from '../warming-locks.ts';

/** Locks that all instances share. When Firestore fails there is no lock to have, so that no work is done twice. */
export function firestoreLocks(
  open: () => Promise<Firestore>,
  warn: (message: string, fields?: Readonly<Record<string, unknown>>) => void,
): WarmingLocks {
  return {
    async acquire(endpointId, durationMs) {
      try {
        const firestore = await open();
        const document = firestore.collection(LEASE_COLLECTION).doc(`warming ${endpointId}`);
        const { lease } = await acquireLease(document, durationMs);
        if (lease === null) return null;
        return () => lease.release().catch((error: unknown) => warn('A lock could not be freed', { error }));
      } catch (error) {
        warn('A lock could not be taken', { error });
        return null;
      }
    },
  };
}
