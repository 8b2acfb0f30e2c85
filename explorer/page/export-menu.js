import { QueryError } from '../../client/client.js';
import { exportRows, MEDIA_TYPES } from '../result/export-rows.js';
import { byId, element } from './elements.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { Row } from '../result/columns.js' */
/** @import { ExportFormat } from '../result/export-rows.js' */

/**
 * What is exported.
 *
 * @typedef {object} Exported
 * @property {string} name
 * @property {readonly ColumnSchema[]} columns
 * @property {readonly Row[]} rows Those that are shown.
 * @property {((progress: (rows: number) => void, signal: AbortSignal) => Promise<readonly Row[]>) | null} all Loads the rows of all pages; null where these are all.
 */

/**
 * The menu that downloads rows: those that are shown, or those of all pages.
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
    cancel.hidden = !isAll;
    try {
      const rows = isAll && exported.all !== null ? await exported.all(progress, own.signal) : exported.rows;
      if (own.signal.aborted) return;
      download(`${exported.name}.${format}`, exportRows(format, exported.columns, rows), MEDIA_TYPES[format]);
      status.textContent = `${rows.length.toLocaleString('en-US')} rows exported.`;
    } catch (error) {
      if (own.signal.aborted) return;
      if (!(error instanceof QueryError)) throw error;
      status.textContent = `Nothing was exported: ${error.message}`;
    } finally {
      if (running === own) cancel.hidden = true;
    }
  }

  /** @param {number} rows */
  function progress(rows) {
    status.textContent = `Loading… ${rows.toLocaleString('en-US')} rows`;
  }

  for (const button of menu.querySelectorAll('button[data-format]')) {
    if (!(button instanceof HTMLButtonElement)) continue;
    button.addEventListener('click', () => void start(/** @type {ExportFormat} */ (button.dataset.format)));
  }
  cancel.addEventListener('click', () => {
    running?.abort();
    cancel.hidden = true;
    status.textContent = 'Cancelled: nothing was exported.';
  });
  menu.addEventListener('toggle', () => {
    if (!menu.open) return;
    const hasMore = current()?.all !== null;
    all.disabled = !hasMore;
    all.checked = hasMore;
    if (running === null || cancel.hidden) status.textContent = '';
  });
}

/** @param {string} name @param {string} text @param {string} type */
function download(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  element('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
