import { showTable } from '../result/table.js';
import { readColumns, saveColumns } from '../state/columns-store.js';
import { factsOf } from './answer-line.js';
import { makeChartView } from './chart-view.js';
import { makeColumnsMenu } from './columns-menu.js';
import { copyOnClick } from './copy.js';
import { byId } from './elements.js';
import { makeExportMenu } from './export-menu.js';
import { emptyState, noticesOf } from './notices.js';

/** @import { AnswerFacts, ColumnSchema } from '../../client/client.d.ts' */
/** @import { ColumnsChoice } from '../result/columns-choice.js' */
/** @import { TableResult } from '../result/table.js' */
/** @import { ValueActs } from '../result/value-tools.js' */
/** @import { Source } from '../editor/vocabulary.js' */
/** @import { Severities } from '../severity/severity.js' */
/** @import { Row } from '../result/columns.js' */
/** @import { Zone } from '../time/format-time.js' */

/**
 * @typedef {object} Shown
 * @property {readonly Row[]} rows
 * @property {readonly ColumnSchema[]} columns
 * @property {Source | null} source The source that the rows are of, where it is known.
 * @property {Severities | null} severities
 * @property {ValueActs | null} acts
 * @property {TableResult['entryActs']} entryActs
 * @property {AnswerFacts} facts
 * @property {readonly string[]} warnings
 * @property {number} maxRows Of one answer.
 * @property {string} endpoint
 * @property {string} curl
 * @property {(() => void) | null} more Loads the rows after these; null where it cannot.
 * @property {import('./export-menu.js').Exported['all']} all Loads the rows of all pages.
 * @property {readonly { readonly label: string, readonly act: () => void }[]} ways What may help where there are no rows.
 */

/** The lower part of the page: what came back. */
export function makeResultView() {
  const section = byId('result', HTMLElement);
  const facts = byId('facts', HTMLParagraphElement);
  const actions = byId('actions', HTMLSpanElement);
  const notices = byId('notices', HTMLDivElement);
  const chart = makeChartView(byId('chart', HTMLDivElement));
  const rows = byId('rows', HTMLDivElement);
  /** @type {Shown | null} */
  let shown = null;
  /** The id of the entry that is marked. @type {string | null} */
  let marked = null;
  /** @type {Zone} */
  let zone = 'utc';

  copyOnClick(byId('copy-curl', HTMLButtonElement), () => shown?.curl ?? null);
  makeExportMenu(() => {
    if (shown === null) return null;
    return { name: shown.endpoint, columns: shown.columns, rows: shown.rows, all: shown.all };
  });

  const menu = makeColumnsMenu(choose);

  /** @param {ColumnsChoice} choice */
  function choose(choice) {
    if (shown === null) return;
    saveColumns(shown.columns, choice);
    draw();
  }

  function drawChart() {
    if (shown === null) chart.hide();
    else chart.show(shown.columns, shown.rows, zone);
  }

  function draw() {
    if (shown === null) return;
    drawChart();
    if (shown.rows.length === 0) rows.replaceChildren(emptyState(shown));
    else showTable(rows, { ...shown, zone, choice: readColumns(shown.columns), choose, marked });
    menu.show(shown.columns, readColumns(shown.columns));
  }

  return {
    /** @param {Shown} next */
    show(next) {
      shown = next;
      section.classList.remove('stale');
      facts.replaceChildren(...factsOf(next).flatMap((fact) => [fact, ' ']));
      notices.replaceChildren(...noticesOf(next));
      actions.hidden = false;
      draw();
    },
    /** Nothing came back: what stands there, dimmed, is the answer to an earlier question. @param {string} text @param {string} [alone] What stands there without one. */
    keep(text, alone = text) {
      if (shown === null) return this.clear(alone);
      section.classList.add('stale');
      facts.textContent = `${text} The rows below are of the query before.`.trim();
    },
    /** There is nothing to show. @param {string} text */
    clear(text) {
      shown = null;
      section.classList.remove('stale');
      facts.textContent = text;
      actions.hidden = true;
      chart.hide();
      notices.replaceChildren();
      rows.replaceChildren();
    },
    /** @param {boolean} isBusy */
    setBusy(isBusy) {
      if (isBusy) facts.textContent = 'Running…';
      section.setAttribute('aria-busy', String(isBusy));
    },
    /** Marks the row of an entry in the answers from now on. @param {string | null} id */
    mark(id) {
      marked = id;
    },
    /** @param {Zone} next */
    setZone(next) {
      zone = next;
      draw();
    },
    drawChart,
  };
}
