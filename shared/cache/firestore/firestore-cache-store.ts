import type { DocumentSnapshot, Firestore } from '@google-cloud/firestore';
import type { OpenDatabase } from '../../firestore/firestore-connection.ts';
import { AnswerTooLargeError, type CacheStore, MAX_FUTURE_MS, type StoredAnswer } from '../cache-store.ts';
import {
  CHUNK_BYTES,
  joinChunks,
  MAX_ANSWER_BYTES,
  parseHead,
  type StoredHead,
  splitBytes,
} from './documents.ts';
import { acquireLease, HOLDER_FIELD, isHeldBy, type LeaseDeps, liveHolderOf } from './firestore-leases.ts';

/** The collections; a TTL policy on `expiresAt` of each deletes what is no longer read. */
export const CACHE_COLLECTION = 'lqe_cache';
export const CHUNK_COLLECTION = 'lqe_cache_chunks';
export const LEASE_COLLECTION = 'lqe_leases';

/** Gives the client, loaded and connected for the first who asks. */
export type OpenFirestore = () => Promise<OpenDatabase>;

/**
 * Keeps answers in Firestore: a document for each, named by its key. What does not fit into one goes into further
 * documents, written in the same transaction, that name the generation they belong to: parts of two writes never make one
 * answer. Times are those that the server sends with each of its answers.
 */
export function firestoreCacheStore(open: OpenFirestore, deps: LeaseDeps): CacheStore {
  return {
    async read(key) {
      const { database: db } = await open();
      const first = await readOnce(db, key);
      // Between the document and its further parts another write may have come.
      const { stored, storeTimeMs } = first.isTorn ? await readOnce(db, key) : first;
      return { stored, storeTimeMs };
    },

    async write(key, { bytes, ttlSeconds, ageMs }, holder) {
      if (bytes.length > MAX_ANSWER_BYTES) {
        throw new AnswerTooLargeError(`${bytes.length} bytes are more than ${MAX_ANSWER_BYTES}`);
      }
      const { database: db, timestamps } = await open();
      const [data = Buffer.alloc(0), ...chunks] = splitBytes(bytes, CHUNK_BYTES);
      const generation = deps.random.id();
      const document = db.collection(CACHE_COLLECTION).doc(key);
      const leaseDocument = db.collection(LEASE_COLLECTION).doc(key);
      await db.runTransaction(async (transaction) => {
        const leastAgeMs = ageMs();
        const compared = holder === null ? [document] : [document, leaseDocument];
        const [current, lease] = await transaction.getAll(...compared, { fieldMask: COMPARED });
        if (current === undefined) throw new TypeError('a snapshot for each document');
        const mostAgeMs = ageMs();
        if (mostAgeMs - leastAgeMs > MAX_DATING_MS)
          throw new Error('the store was too slow to date an answer');
        const computedAtMs = current.readTime.toMillis() - mostAgeMs;
        if (!isNewer(current, computedAtMs)) {
          const expiresAt = timestamps.fromMillis(computedAtMs + ttlSeconds * 1000);
          const head: StoredHead = { generation, data, chunks: chunks.length, computedAtMs, ttlSeconds };
          transaction.set(document, { ...head, expiresAt });
          for (const [index, chunk] of chunks.entries()) {
            transaction.set(chunkOf(db, key, index), { generation, data: chunk, expiresAt });
          }
        }
        if (lease !== undefined && holder !== null && isHeldBy(lease, holder))
          transaction.delete(leaseDocument);
      });
    },

    async acquire(key, durationMs) {
      const opened = await open();
      const document = opened.database.collection(LEASE_COLLECTION).doc(key);
      return acquireLease({ ...deps, ...opened, document, durationMs });
    },

    async readLease(key) {
      const { database: db } = await open();
      const snapshot = await db.collection(LEASE_COLLECTION).doc(key).get();
      return { holder: liveHolderOf(snapshot) };
    },
  };
}

/**
 * An answer is dated by what Firestore's clock showed while it was asked, and passes for older by as long as that took: no
 * longer than this, or of two answers the older one might pass for the newer.
 */
const MAX_DATING_MS = 2_000;

/** What is read of an answer and a lease before they are replaced. */
const COMPARED = ['computedAtMs', HOLDER_FIELD];

/**
 * Whether the document's answer was computed after that moment. One that is dated in the future was dated wrongly, and
 * keeps nothing out.
 */
function isNewer(current: DocumentSnapshot, computedAtMs: number): boolean {
  const currentMs: unknown = current.get('computedAtMs');
  return (
    typeof currentMs === 'number' &&
    currentMs > computedAtMs &&
    currentMs <= current.readTime.toMillis() + MAX_FUTURE_MS
  );
}

interface Reading {
  readonly stored: StoredAnswer | null;
  readonly storeTimeMs: number;
  /** Whether the parts belong to different writes. */
  readonly isTorn: boolean;
}

async function readOnce(db: Firestore, key: string): Promise<Reading> {
  const snapshot = await db.collection(CACHE_COLLECTION).doc(key).get();
  const storeTimeMs = snapshot.readTime.toMillis();
  const head = parseHead(snapshot.data());
  if (head === null || storeTimeMs >= head.computedAtMs + head.ttlSeconds * 1000) {
    return { stored: null, storeTimeMs, isTorn: false };
  }
  const references = Array.from({ length: head.chunks }, (_, index) => chunkOf(db, key, index));
  const chunks = references.length === 0 ? [] : await db.getAll(...references);
  const bytes = joinChunks(
    head,
    chunks.map((chunk) => chunk.data()),
  );
  if (bytes === null) return { stored: null, storeTimeMs, isTorn: true };
  const { computedAtMs, ttlSeconds } = head;
  return { stored: { bytes, computedAtMs, ttlSeconds }, storeTimeMs, isTorn: false };
}

function chunkOf(db: Firestore, key: string, index: number) {
  return db.collection(CHUNK_COLLECTION).doc(`${key}_${index + 1}`);
}
