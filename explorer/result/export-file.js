/**
 * A file that is being written. `abort` leaves nothing behind.
 *
 * @typedef {object} ExportFile
 * @property {(piece: Uint8Array<ArrayBuffer>) => Promise<void>} write Throws an ExportProblem.
 * @property {() => Promise<void>} close
 * @property {() => Promise<void>} abort
 */

/** What the page's types lack of the File System API. @typedef {{ readonly createWritable: () => Promise<FileSystemWritableFileStream> }} FileHandle */

/** Most bytes of a file that the browser gathers before it saves it: it may do so in memory. */
export const MAX_GATHERED_BYTES = 256 * 1024 * 1024;

/** Why a file cannot be written, in words for a person. */
export class ExportProblem extends Error {}

/**
 * Asks the person where to save, where the browser can write as it goes, so that a long export takes no memory. Null where the browser
 * cannot, or the person does not want to. Call it while a click is handled.
 *
 * @param {string} name
 * @returns {Promise<ExportFile | 'dismissed' | null>}
 */
export async function pickFile(name) {
  const pick = /** @type {{ showSaveFilePicker?: (options: unknown) => Promise<FileHandle> }} */ (
    /** @type {unknown} */ (globalThis)
  ).showSaveFilePicker;
  if (pick === undefined) return null;
  try {
    const handle = await pick.call(globalThis, { suggestedName: name });
    return streamedFile(await handle.createWritable());
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return 'dismissed';
    // The browser has it and does not allow it here, as in a frame.
    return null;
  }
}

/** @param {FileSystemWritableFileStream} stream @returns {ExportFile} */
function streamedFile(stream) {
  return {
    write: (piece) =>
      stream.write(piece).catch((cause) => {
        throw new ExportProblem('The file cannot be written; is there room on the disk?', { cause });
      }),
    close: () => stream.close(),
    abort: () => stream.abort(),
  };
}

/**
 * A file that the browser gathers and then saves as a download.
 *
 * @param {(content: Blob) => void} save
 * @param {string} type
 * @param {number} [maxBytes]
 * @returns {ExportFile}
 */
export function gatheredFile(save, type, maxBytes = MAX_GATHERED_BYTES) {
  /** Each page is a Blob, which the browser may keep on the disk, while arrays would stay in the page's memory. @type {Blob[]} */
  const pages = [];
  let bytes = 0;
  return {
    async write(piece) {
      bytes += piece.length;
      if (bytes > maxBytes) {
        pages.length = 0;
        throw new ExportProblem(
          `The file would have more than ${maxBytes / 1024 / 1024} MiB, the most that this browser gathers. Narrow the window, or use "Copy as curl" with format=csv or format=ndjson.`,
        );
      }
      pages.push(new Blob([piece]));
    },
    close: async () => save(new Blob(pages, { type })),
    async abort() {
      pages.length = 0;
    },
  };
}
