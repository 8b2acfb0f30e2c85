import type { Store } from '../store/open-store.ts';
import { MAX_ENTRY_BYTES, type RawEntries, type RawEntry } from './raw-entry.ts';
import { readLines } from './read-lines.ts';
import { readParquet } from './read-parquet.ts';
import type { FileContent, SourceFile } from './source-files.ts';

/** A place that entries of one source come from. */
export interface EntryInput {
  /** What an error calls it: a path. */
  readonly name: string;
  /** What an error calls an entry of it. */
  readonly unit: 'line' | 'row' | 'entry';
  readonly bytes: number;
  /** Whether it can be read more than once. */
  readonly canRepeat: boolean;
  /** The entries from the first on, each time it is called; `onBytes` receives how much of `bytes` has been read. */
  read(onBytes: (bytes: number) => void): RawEntries;
}

/** Files by source that are loaded as they are at one moment, to be read on later. */
export interface PinnedFiles {
  readonly files: ReadonlyMap<string, readonly SourceFile[]>;
  /** The text of the entry that a line, numbered from 1, stands for. */
  entryOfLine(file: SourceFile, text: string, line: number): string;
  /** Receives what was in a file of lines each time that it was read. */
  onContent(file: SourceFile, content: FileContent): void;
}

/** A file of entries. */
export function fileInput(store: Store, file: SourceFile, pinned?: PinnedFiles): EntryInput {
  const { path: name, bytes } = file;
  if (file.format !== 'parquet') {
    const read: EntryInput['read'] = (onBytes) =>
      pinned === undefined ? readLines(file, onBytes) : readPinned(file, onBytes, pinned);
    return { name, unit: 'line', bytes, canRepeat: true, read };
  }
  return {
    name,
    unit: 'row',
    bytes,
    canRepeat: true,
    read: async function* read(onBytes) {
      const connection = await store.connect();
      try {
        yield* readParquet(connection, file, onBytes);
      } finally {
        connection.closeSync();
      }
    },
  };
}

async function* readPinned(
  file: SourceFile,
  onBytes: (bytes: number) => void,
  pinned: PinnedFiles,
): RawEntries {
  for await (const entries of readLines(file, onBytes, (content) => pinned.onContent(file, content))) {
    yield entries.map((entry) =>
      'text' in entry ? { ...entry, text: pinned.entryOfLine(file, entry.text, entry.position) } : entry,
    );
  }
}

const ENTRIES_AT_ONCE = 500;

/** Entries that are made while the program runs; they can be read once. */
export function generatedInput(source: string, lines: Iterable<string> | AsyncIterable<string>): EntryInput {
  return {
    name: source,
    unit: 'entry',
    bytes: 0,
    canRepeat: false,
    read: async function* read() {
      let position = 0;
      let entries: RawEntry[] = [];
      for await (const text of lines) {
        position += 1;
        const isLong = Buffer.byteLength(text) > MAX_ENTRY_BYTES;
        entries.push(isLong ? { position, problem: 'it is too long' } : { position, text });
        if (entries.length < ENTRIES_AT_ONCE) continue;
        yield entries;
        entries = [];
      }
      yield entries;
    },
  };
}
