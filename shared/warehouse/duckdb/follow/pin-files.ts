import { type FileHandle, open } from 'node:fs/promises';
import type { TableSchemas } from '../../../schema/table-schema.ts';
import type { PinnedFiles } from '../loading/entry-input.ts';
import { readProblem } from '../loading/read-lines.ts';
import { bySource, type FoundFile, listLogFolder, type PinnedFile } from '../loading/source-files.ts';
import { MARK_BYTES, markOf } from './content-mark.ts';
import { hasIds, withId } from './entry-id.ts';
import { contentOf, type ReadContent } from './file-content.ts';
import type { FollowState } from './follow-state.ts';
import { type ReadPosition, startOf } from './read-position.ts';

/** The files of a folder as they are at one moment, to be loaded up to there and read on later. */
export interface PinnedFolder extends PinnedFiles {
  /** How far all of them have been read when they are loaded. */
  positions(): FollowState;
  /** What was named by a warning, by path. */
  readonly faults: ReadonlyMap<string, string>;
}

type Pinned = FoundFile & { readonly pinned: PinnedFile; readonly position: ReadPosition };

/**
 * Looks for the log files of a folder. Lines that have no end yet are left for later. What cannot be loaded is named by a warning,
 * and may be repaired while the files are followed.
 */
export async function pinLogFiles(
  directory: string,
  schemas: TableSchemas,
  warn: (message: string) => void,
): Promise<PinnedFolder> {
  const sources = [...schemas.keys()];
  const { files, faults } = await listLogFolder(directory, sources);
  const withIds = new Set([...schemas].flatMap(([source, schema]) => (hasIds(schema) ? source : [])));
  const named = new Map(faults.map(({ path, message }) => [path, message]));
  for (const message of named.values()) warn(message);
  const pinned: Pinned[] = [];
  for (const file of files) {
    try {
      pinned.push(file.format === 'ndjson' ? await pinLines(file) : pinWhole(file));
    } catch (error) {
      warn(`${file.path}: ${readProblem(error)}`);
    }
  }
  const positions = new Map(pinned.map(({ path, position }) => [path, position]));
  return {
    files: bySource(pinned, sources),
    entryOfLine: ({ path }, text, line) => {
      const position = positions.get(path);
      return position !== undefined && withIds.has(position.source)
        ? (withId(text, { content: position.content, line }) ?? text)
        : text;
    },
    onContent: ({ path, format }, { bytes, lines }) => {
      const position = positions.get(path);
      if (position === undefined) return;
      positions.set(path, { ...position, lines, offset: format === 'ndjson' ? position.offset : bytes });
    },
    positions: () => [...positions.values()],
    faults: named,
  };
}

function pinWhole(file: FoundFile): Pinned {
  const { device, inode, bytes, modifiedMs } = file;
  return {
    ...file,
    pinned: { device, inode },
    position: { ...startOf(file), complete: { bytes, modifiedMs } },
  };
}

async function pinLines(file: FoundFile): Promise<Pinned> {
  const handle = await open(file.path);
  try {
    const { dev: device, ino: inode, size } = await handle.stat({ bigint: true });
    const upTo = await endOfLines(handle, Number(size));
    const read = contentOf(handle);
    const found = { ...file, device, inode, bytes: upTo };
    const position = { ...startOf(found), offset: upTo, ...(await marksOf(upTo, read)) };
    return { ...found, pinned: { device, inode, upTo }, position };
  } finally {
    await handle.close();
  }
}

async function marksOf(offset: number, read: ReadContent): Promise<Pick<ReadPosition, 'head' | 'tail'>> {
  const length = Math.min(offset, MARK_BYTES);
  return { head: markOf(await read(0, length)), tail: markOf(await read(offset - length, length)) };
}

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** The byte after the last end of a line. */
async function endOfLines(handle: FileHandle, size: number): Promise<number> {
  const read = contentOf(handle);
  for (let end = size; end > 0; end = Math.max(0, end - CHUNK_BYTES)) {
    const start = Math.max(0, end - CHUNK_BYTES);
    const last = (await read(start, end - start)).lastIndexOf(NEWLINE);
    if (last !== -1) return start + last + 1;
  }
  return 0;
}
