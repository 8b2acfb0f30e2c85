import { MAX_ENTRY_BYTES, type RawEntry } from '../loading/raw-entry.ts';
import { lineEntry } from '../loading/read-lines.ts';
import { MARK_BYTES, markOf } from './content-mark.ts';
import type { ReadPosition } from './read-position.ts';

/** The entries of the lines that were read. */
export interface ReadLines {
  readonly entries: readonly RawEntry[];
  /** Where reading goes on when the entries are durable. */
  readonly next: ReadPosition;
}

const NEWLINE = 0x0a;

/**
 * The whole lines of the bytes that begin at a position. A line without an end is left for later; with `isLast` it is a line too. Of a line that is too
 * long, the first part is a problem, and the rest is passed over.
 */
export function splitLines(bytes: Buffer, from: ReadPosition, isLast: boolean): ReadLines {
  const entries: RawEntry[] = [];
  let { lines, isInLongLine } = from;
  let start = 0;
  const add = (line: Buffer | null) => {
    const entry = lineEntry(line, lines + 1);
    if (entry !== null) entries.push(entry);
  };
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    if (!isInLongLine) add(end - start > MAX_ENTRY_BYTES ? null : bytes.subarray(start, end));
    isInLongLine = false;
    lines += 1;
    start = end + 1;
  }
  const rest = bytes.length - start;
  if (rest > MAX_ENTRY_BYTES || (rest > 0 && isInLongLine)) {
    if (!isInLongLine) add(null);
    isInLongLine = true;
    start = bytes.length;
  } else if (rest > 0 && isLast) {
    add(bytes.subarray(start));
    start = bytes.length;
  }
  return { entries, next: advanced(from, bytes.subarray(0, start), { lines, isInLongLine }) };
}

function advanced(
  from: ReadPosition,
  taken: Buffer,
  changed: Pick<ReadPosition, 'lines' | 'isInLongLine'>,
): ReadPosition {
  if (taken.length === 0) return { ...from, ...changed };
  // A mark of fewer bytes is as good: only as many are compared.
  const head = from.offset === 0 ? markOf(taken.subarray(0, MARK_BYTES)) : from.head;
  const tail = markOf(taken.subarray(-MARK_BYTES));
  return { ...from, ...changed, offset: from.offset + taken.length, head, tail };
}
