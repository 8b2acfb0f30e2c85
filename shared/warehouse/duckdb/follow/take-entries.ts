import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../../errors/service-error.ts';
import type { LogSink } from '../../../ingest/log-sink.ts';
import type { EntryProblem } from '../loading/malformed-entry.ts';
import type { RawEntry } from '../loading/raw-entry.ts';
import { withId } from './entry-id.ts';

/** Where the entries of a file go. */
export interface EntryTarget {
  readonly sink: LogSink;
  readonly source: string;
  /** Whether entries of the source have an id, by which one that is read again is known. */
  readonly hasId: boolean;
  /** What the lines are of. */
  readonly content: string;
  /** Receives each malformed entry, by its line from 1. */
  readonly refuse: (line: number, problem: EntryProblem) => void;
  /** Receives why entries cannot be stored now, once until they can be. */
  readonly onWait: (error: ServiceError) => void;
  readonly signal: AbortSignal;
}

/** Most characters of the entries that are stored at once. */
const BATCH_CHARS = 4 * 1024 * 1024;
const BATCH_ENTRIES = 5_000;

interface LineText {
  readonly line: number;
  readonly text: string;
}

/**
 * Stores entries, malformed ones left out. Resolves when all are durable. While the sink has no room, or cannot write, it is
 * asked again; throws when the signal is aborted meanwhile, and what else the sink throws.
 */
export async function takeEntries(entries: readonly RawEntry[], target: EntryTarget): Promise<void> {
  const problems: [line: number, problem: EntryProblem][] = [];
  // They are found in two ways, and named in the order of their lines.
  const refuse = (line: number, problem: EntryProblem) => void problems.push([line, problem]);
  await storeAll(entries, { ...target, refuse });
  for (const problem of problems.sort(([a], [b]) => a - b)) target.refuse(...problem);
}

async function storeAll(entries: readonly RawEntry[], target: EntryTarget): Promise<void> {
  let batch: LineText[] = [];
  let chars = 0;
  for (const entry of entries) {
    const text = 'text' in entry ? textOf(entry, target) : refused(entry, entry.problem, target);
    if (text === null) continue;
    batch.push({ line: entry.position, text });
    chars += text.length;
    if (chars < BATCH_CHARS && batch.length < BATCH_ENTRIES) continue;
    await storeValid(batch, target);
    batch = [];
    chars = 0;
  }
  await storeValid(batch, target);
}

function textOf(entry: RawEntry & { readonly text: string }, target: EntryTarget): string | null {
  const { hasId, content } = target;
  if (!hasId) return entry.text;
  const text = withId(entry.text, { content, line: entry.position });
  return text ?? refused(entry, notAnObject(entry.text), target);
}

function notAnObject(text: string): string {
  try {
    JSON.parse(text);
    return 'it is not a JSON object';
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `it is not JSON: ${reason.replaceAll(/\s+/g, ' ')}`;
  }
}

function refused({ position }: RawEntry, reason: string, { refuse }: EntryTarget): null {
  refuse(position, { path: '', reason });
  return null;
}

/** The sink takes a batch as a whole and names its first malformed entry: those before it are stored, and the rest is tried. */
async function storeValid(batch: readonly LineText[], target: EntryTarget): Promise<void> {
  let rest = batch;
  while (rest.length > 0) {
    const problem = await store(rest, target);
    if (problem === null) return;
    const { index } = problem;
    target.refuse(rest[index]?.line ?? 0, problem);
    if (index > 0) await store(rest.slice(0, index), target);
    rest = rest.slice(index + 1);
  }
}

type BatchProblem = EntryProblem & { readonly index: number };

const WAIT_MS = 500;

async function store(batch: readonly LineText[], target: EntryTarget): Promise<BatchProblem | null> {
  const { sink, source, onWait, signal } = target;
  for (let isFirst = true; ; isFirst = false) {
    signal.throwIfAborted();
    try {
      await sink.append(
        source,
        batch.map(({ text }) => text),
      );
      return null;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const problem = problemOf(error, batch.length);
      if (problem !== null) return problem;
      if (error.kind !== 'resource_exhausted' && error.kind !== 'unavailable') throw error;
      if (isFirst && error.kind === 'unavailable') onWait(error);
    }
    await sleep(WAIT_MS, undefined, { signal });
  }
}

function problemOf({ kind, details }: ServiceError, length: number): BatchProblem | null {
  const [detail] = details;
  if (kind !== 'invalid_argument' || detail?.entry === undefined || detail.entry >= length) return null;
  return { index: detail.entry, path: detail.field ?? '', reason: detail.reason ?? 'it is malformed' };
}
