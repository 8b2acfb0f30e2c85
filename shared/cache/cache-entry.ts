import { type Clock, elapsedMs } from '../concurrency/clock.ts';
import { type CachedAnswer, contentHashOf } from './answer.ts';
import type { DatedAnswer } from './shared-level.ts';

/** Most encodings of one answer that are kept beside it. */
const MAX_BODIES = 12;
/** What an entry and a row cost besides their characters; measured on the heap of Node 24, rounded up. */
const ENTRY_BYTES = 1024;
const ROW_BYTES = 48;

/** The bodies made of an answer, by format and content coding, each made once and sent many times. */
export interface EncodedBodies {
  get(representation: string): Buffer | undefined;
  /** Keeps a body; beyond a dozen it is not kept. The bytes count towards the cache's limit. */
  set(representation: string, body: Buffer): void;
}

/** An answer with what the process knows of it. */
export interface CacheEntry extends DatedAnswer {
  /** Of `contentHashOf`, for `etagOf`. */
  readonly contentHash: string;
  readonly bodies: EncodedBodies;
  /** When this process ended computing it, on the monotonic clock; null where another instance did. */
  readonly completedAtMs: number | null;
  /** When other instances' answers were last compared with it, on the monotonic clock. */
  checkedAtMs: number;
  /** What it takes of the heap, about, with the bodies that it has by now. */
  sizeBytes(): number;
}

/** What an entry is made of; the content hash is computed where it is not known. */
export interface EntryOptions extends DatedAnswer {
  readonly checkedAtMs: number;
  readonly completedAtMs?: number | null;
  /** Called when a body has been added, so that the level can measure the entry again. */
  readonly onGrowth: (entry: CacheEntry) => void;
}

/**
 * An entry without bodies. Its size is computed when it is first asked for, and so is its content hash where none is
 * given; either takes a pass over all rows.
 */
export function makeEntry(options: EntryOptions): CacheEntry {
  const { answer, computedAt, ttlSeconds, completedAtMs = null } = options;
  const bodies = new Map<string, Buffer>();
  // Both only of answers that are kept, or large: for the others there is no need to go through all rows.
  let answerBytes: number | undefined;
  let contentHash = options.contentHash;
  let bodyBytes = 0;
  const entry: CacheEntry = {
    answer,
    get contentHash() {
      contentHash ??= contentHashOf(answer);
      return contentHash;
    },
    computedAt,
    ttlSeconds,
    completedAtMs,
    checkedAtMs: options.checkedAtMs,
    sizeBytes() {
      answerBytes ??= heapBytesOf(answer);
      return answerBytes + bodyBytes;
    },
    bodies: {
      get: (representation) => bodies.get(representation),
      set(representation, body) {
        if (bodies.has(representation) || bodies.size >= MAX_BODIES) return;
        bodies.set(representation, body);
        bodyBytes += body.length;
        options.onGrowth(entry);
      },
    },
  };
  return entry;
}

/** Whether an entry may be served still, where the caller takes none older than so many seconds. */
export function isFresh(
  entry: Pick<CacheEntry, 'computedAt' | 'ttlSeconds'>,
  ttlSeconds: number,
  clock: Clock,
): boolean {
  return elapsedMs(entry.computedAt, clock) < Math.min(entry.ttlSeconds, ttlSeconds) * 1000;
}

function heapBytesOf(answer: CachedAnswer): number {
  const rowBytes = answer.rows.reduce((sum, row) => sum + stringBytes(row), 0);
  return ENTRY_BYTES + answer.rows.length * ROW_BYTES + rowBytes + 2 * JSON.stringify(answer.facts).length;
}

/** V8 keeps a text in one byte a character when all fit, else in two. What is not ASCII counts as not fitting. */
function stringBytes(text: string): number {
  return Buffer.byteLength(text) === text.length ? text.length : 2 * text.length;
}
