import type { FoundFile } from '../loading/source-files.ts';
import { hasMark, MARK_BYTES } from './content-mark.ts';
import type { ReadContent } from './file-content.ts';
import { type ReadPosition, startOf } from './read-position.ts';

/**
 * Where a file is read from that is not known by device and inode, or has other content than before: after what was
 * read of the same content, where it begins with that, else from its start. So copies, compressed ones too, and files that
 * were put back are not read twice.
 */
export async function findPosition(
  file: FoundFile,
  known: Iterable<ReadPosition>,
  read: ReadContent,
): Promise<ReadPosition> {
  const start = await read(0, MARK_BYTES);
  const candidates = [...known]
    .filter(({ source, head, tail }) => source === file.source && head.length > 0 && tail.length > 0)
    .filter(({ head }) => hasMark(start.subarray(0, head.length), head))
    .sort((a, b) => b.offset - a.offset);
  for (const candidate of candidates) {
    if (!(await isContinued(candidate, read))) continue;
    const { content, offset, lines, head, tail, isInLongLine } = candidate;
    return { ...startOf(file), content, offset, lines, head, tail, isInLongLine };
  }
  return startOf(file);
}

/** Whether a file still has what was read of it, as far as the last bytes before the position show. */
export async function isContinued({ offset, tail }: ReadPosition, read: ReadContent): Promise<boolean> {
  return hasMark(await read(offset - tail.length, tail.length), tail);
}
