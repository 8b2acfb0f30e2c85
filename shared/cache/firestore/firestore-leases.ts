import type { DocumentReference, DocumentSnapshot, Timestamp } from '@google-cloud/firestore';
import type { Clock } from '../../concurrency/clock.ts';
import type { Random } from '../../concurrency/random.ts';
import type { OpenDatabase } from '../../firestore/firestore-connection.ts';
import type { Lease, LeaseReply } from '../cache-store.ts';

/** google.rpc.Code, as the client's errors carry it. */
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;
const FAILED_PRECONDITION = 9;
const ABORTED = 10;

/** How long after its end the document of a lease that was not given back is kept, whatever this machine's clock says. */
const KEPT_MS = 60 * 60 * 1000;
/** The longest that somebody asks for: a round of warming, whose deadline may be set to that. */
const MAX_DURATION_MS = 30 * 60 * 1000;
/** The field of a lease's document that says whose it is. */
export const HOLDER_FIELD = 'holder';

/** What measures leases and identifies their holders. */
export interface LeaseDeps {
  readonly clock: Clock;
  readonly random: Random;
}

/** The document that is the lease, and for how long to take it, in milliseconds. */
export interface LeaseRequest extends LeaseDeps, Pick<OpenDatabase, 'timestamps'> {
  readonly document: DocumentReference;
  readonly durationMs: number;
}

/**
 * Takes a lease by creating its document, which one of many can do, or by replacing one that has ended, on the
 * condition that no other instance did so in between. No transaction: an instance that loses learns it at once.
 */
export async function acquireLease(request: LeaseRequest): Promise<LeaseReply> {
  const { document } = request;
  const holder = request.random.id();
  try {
    const { writeTime } = await document.create(fieldsOf(request, holder));
    return { lease: leaseOf(request, holder, writeTime) };
  } catch (error) {
    if (!hasCode(error, ALREADY_EXISTS, ABORTED)) throw error;
  }
  const snapshot = await document.get();
  const { updateTime } = snapshot;
  if (updateTime === undefined) return { lease: null };
  if (isHeldBy(snapshot, holder)) return { lease: leaseOf(request, holder, updateTime) };
  if (isLeaseLive(snapshot)) return { lease: null };
  const version = await replace(request, holder, updateTime);
  return { lease: version && leaseOf(request, holder, version) };
}

/** Whether the document is the lease of that holder, live or not, as long as no other instance took it over. */
export function isHeldBy(snapshot: DocumentSnapshot, holder: string): boolean {
  return snapshot.get(HOLDER_FIELD) === holder;
}

/** The holder of a lease that has not ended yet, by the server's clock alone; null for all other documents, and none. */
export function liveHolderOf(snapshot: DocumentSnapshot): string | null {
  const holder: unknown = snapshot.get(HOLDER_FIELD);
  return isLeaseLive(snapshot) ? String(holder) : null;
}

function isLeaseLive(snapshot: DocumentSnapshot): boolean {
  const durationMs: unknown = snapshot.get('durationMs');
  if (snapshot.updateTime === undefined || typeof durationMs !== 'number') return false;
  const ageMs = snapshot.readTime.toMillis() - snapshot.updateTime.toMillis();
  return ageMs < Math.min(durationMs, MAX_DURATION_MS);
}

function leaseOf(request: LeaseRequest, holder: string, taken: Timestamp): Lease {
  const { document } = request;
  let version: Timestamp | null = taken;
  return {
    holder,
    async renew() {
      if (version !== null) version = await replace(request, holder, version);
    },
    async release() {
      const held = version;
      version = null;
      if (held === null || (await unlessLost(() => document.delete({ lastUpdateTime: held }))) !== null)
        return;
      const current = await versionHeldBy(document, holder);
      if (current !== null) await unlessLost(() => document.delete({ lastUpdateTime: current }));
    },
  };
}

/** Writes the lease anew where it is still of that version; the new version, or null where it is not. */
async function replace(request: LeaseRequest, holder: string, version: Timestamp): Promise<Timestamp | null> {
  const { document } = request;
  const fields = fieldsOf(request, holder);
  const result = await unlessLost(() => document.update({ ...fields }, { lastUpdateTime: version }));
  return result?.writeTime ?? versionHeldBy(document, holder);
}

/**
 * The version of the lease where it is that holder's. A write whose answer is lost is made again by the client, and then
 * fails on the very version that it wrote.
 */
async function versionHeldBy(document: DocumentReference, holder: string): Promise<Timestamp | null> {
  const snapshot = await document.get();
  return isHeldBy(snapshot, holder) ? (snapshot.updateTime ?? null) : null;
}

/** A document that does not change keeps its update time, by which leases end: the id makes each write a change. */
function fieldsOf({ durationMs, clock, random, timestamps }: LeaseRequest, holder: string) {
  const expiresAt = timestamps.fromMillis(clock.wallMs() + durationMs + KEPT_MS);
  return { [HOLDER_FIELD]: holder, id: random.id(), durationMs, expiresAt };
}

async function unlessLost<T>(write: () => Promise<T>): Promise<T | null> {
  try {
    return await write();
  } catch (error) {
    if (hasCode(error, NOT_FOUND, FAILED_PRECONDITION, ABORTED)) return null;
    throw error;
  }
}

function hasCode(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code);
}
