import { QueryError } from '../../client/client.js';
import { ExportProblem, gatheredFile, pickFile } from '../result/export-file.js';
import { exportPieces, MEDIA_TYPES } from '../result/export-rows.js';
import { formatBytes } from '../result/format-bytes.js';
import { byId, element } from './elements.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { Row } from '../result/columns.js' */
/** @import { ExportFile } from '../result/export-file.js' */
/** @import { ExportFormat } from '../result/export-rows.js' */

/**
 * What is exported.
 *
 * @typedef {object} Exported
 * @property {string} name
 * @property {readonly ColumnSchema[]} columns
 * @property {readonly Row[]} rows Those that are shown.
 * @property {((signal: AbortSignal) => AsyncIterable<readonly Row[]>) | null} all Loads all rows, a page after the other; null where these are all.
 */

/**
 * The menu that saves rows as a file: those that are shown, or those of all pages, of which it keeps one at a time.
 *
 * @param {() => Exported | null} current
 */
export function makeExportMenu(current) {
  const menu = byId('export', HTMLDetailsElement);
  const status = byId('export-status', HTMLParagraphElement);
  const all = byId('export-all', HTMLInputElement);
  const cancel = byId('export-cancel', HTMLButtonElement);
  /** @type {AbortController | null} */
  let running = null;

  /** @param {ExportFormat} format */
  async function start(format) {
    const exported = current();
    if (exported === null) return;
    running?.abort();
    const own = new AbortController();
    running = own;
    const isAll = all.checked && exported.all !== null;
    const pages = isAll && exported.all !== null ? exported.all(own.signal) : [exported.rows];
    const name = `${exported.name}.${format}`;
    const file =
      (isAll ? await pickFile(name) : null) ??
      gatheredFile((content) => download(name, content), MEDIA_TYPES[format]);
    if (own.signal.aborted) return;
    if (file === 'dismissed') return say('Nothing was exported: no file was chosen.');
    cancel.hidden = !isAll;
    try {
      const { rows, bytes } = await writeAll(file, exportPieces(format, exported.columns), pages, own.signal);
      if (own.signal.aborted) return await file.abort();
      await file.close();
      say(`${count(rows)} exported, ${formatBytes(bytes)}.`);
    } catch (error) {
      await file.abort();
      if (own.signal.aborted) return;
      if (!(error instanceof QueryError || error instanceof ExportProblem)) throw error;
      say(`Nothing was exported: ${error.message}`);
    } finally {
      if (running === own) {
        cancel.hidden = true;
        running = null;
      }
    }
  }

  /** @param {ExportFile} file @param {ReturnType<typeof exportPieces>} pieces @param {AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>} pages @param {AbortSignal} signal */
  async function writeAll(file, pieces, pages, signal) {
    const encoder = new TextEncoder();
    let rows = 0;
    let bytes = 0;
    const write = async (/** @type {string} */ text) => {
      if (text === '') return;
      const piece = encoder.encode(text);
      bytes += piece.length;
      await file.write(piece);
    };
    await write(pieces.start);
    for await (const page of pages) {
      if (signal.aborted) break;
      await write(pieces.page(page));
      rows += page.length;
      say(`Loading… ${count(rows)}, ${formatBytes(bytes)}`);
    }
    await write(pieces.end);
    return { rows, bytes };
  }

  /** @param {string} text */
  function say(text) {
    status.textContent = text;
  }

  for (const button of menu.querySelectorAll('button[data-format]')) {
    if (!(button instanceof HTMLButtonElement)) continue;
    button.addEventListener('click', () => void start(/** @type {ExportFormat} */ (button.dataset.format)));
  }
  cancel.addEventListener('click', () => {
    running?.abort();
    cancel.hidden = true;
    say('Cancelled: nothing was exported.');
  });
  menu.addEventListener('toggle', () => {
    if (!menu.open) return;
    const hasMore = current()?.all !== null;
    all.disabled = !hasMore;
    all.checked = hasMore;
    if (running === null) say('');
  });
}

/** @param {number} rows */
function count(rows) {
  return `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`;
}

/** @param {string} name @param {Blob} content */
function download(name, content) {
  const url = URL.createObjectURL(content);
  element('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
