import { LEASE_COLLECTION } from '../../cache/firestore/firestore-cache-store.ts';
import { acquireLease, type LeaseDeps } from '../../cache/firestore/firestore-leases.ts';
import { within } from '../../concurrency/within.ts';
import type { Warn } from '../../errors/warn.ts';
import type { OpenDatabase } from '../../firestore/firestore-connection.ts';
import type { WarmingLocks } from '../warming-locks.ts';

/** A round of warming waits no longer for its lock, or for giving it back. */
const DEADLINE_MS = 5_000;

export interface FirestoreLocksDeps extends LeaseDeps {
  readonly open: () => Promise<OpenDatabase>;
  readonly warn: Warn;
}

/** Locks that all instances share. When Firestore fails there is no lock to have, so that no work is done twice. */
export function firestoreLocks(deps: FirestoreLocksDeps): WarmingLocks {
  const { open, clock, warn } = deps;

  async function take(endpointId: string, durationMs: number) {
    const opened = await open();
    const document = opened.database.collection(LEASE_COLLECTION).doc(`warming ${endpointId}`);
    return acquireLease({ ...deps, ...opened, document, durationMs });
  }

  return {
    async acquire(endpointId, durationMs) {
      try {
        const { lease } = await within(
          clock,
          DEADLINE_MS,
          () => take(endpointId, durationMs),
          // A lock that arrives when no caller waits for it any longer has to be freed here.
          (late) => void late.lease?.release().catch(() => {}),
        );
        if (lease === null) return null;
        return () =>
          within(clock, DEADLINE_MS, () => lease.release()).catch((error: unknown) =>
            warn('A lock could not be freed', { error }),
          );
      } catch (error) {
        warn('A lock could not be taken', { error });
        return null;
      }
    },
  };
}
