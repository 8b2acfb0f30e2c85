import type { RunOptions } from './warehouse.ts';

/** Counts the memory that the rows of an answer take. */
export interface RowMeter {
  /** Counts a row; where there may be no room for more, what to wait for. */
  add(row: string): Promise<void> | null;
  /** What the rows take by now, in bytes, with the body that is made of them. */
  readonly bytes: number;
}

/** Room is asked for ahead, in steps of this part of what is there, and of this many bytes at least. */
const STEP_PART = 0.25;
const LEAST_STEP_BYTES = 256 * 1024;
const FREE_BYTES = 128 * 1024;

/** V8 keeps a text in one byte a character where all fit, else in two; its body has one for each byte of UTF-8. */
function memoryOf(text: string): number {
  const bytes = Buffer.byteLength(text);
  return bytes === text.length ? 2 * bytes : 2 * text.length + bytes;
}

/** Makes a meter that calls `grow` before the rows take more than it was called for. */
export function makeRowMeter(grow: RunOptions['grow']): RowMeter {
  let bytes = 0;
  // So little is not counted.
  let granted = FREE_BYTES;
  return {
    get bytes() {
      return bytes;
    },
    add(row) {
      if (grow === undefined) return null;
      bytes += memoryOf(row);
      if (bytes <= granted) return null;
      granted = Math.ceil(bytes + Math.max(LEAST_STEP_BYTES, bytes * STEP_PART));
      return grow(granted);
    },
  };
}
