import { showCategories } from '../chart/category-chart.js';
import { categoriesOf, seriesOf } from '../chart/series.js';
import { bestKind, CHART_KINDS, showSeries } from '../chart/series-chart.js';
import { formatBytes } from '../result/format-bytes.js';
import { showTable } from '../result/table.js';
import { readColumns, saveColumns } from '../state/columns-store.js';
import { formatDuration, formatSeconds } from '../time/format-time.js';
import { makeColumnsMenu } from './columns-menu.js';
import { copyOnClick } from './copy.js';
import { byId, element } from './elements.js';
import { makeExportMenu } from './export-menu.js';

/** @import { AnswerFacts, ColumnSchema } from '../../client/client.d.ts' */
/** @import { ChartKind } from '../chart/series-chart.js' */
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

const CACHE_STATES = /** @type {Readonly<Record<string, string>>} */ ({
  BYPASS: 'not cached',
  MISS: 'computed now',
  REFRESH: 'computed anew',
  HIT: 'from the cache',
});

/** The lower part of the page: what came back. */
export function makeResultView() {
  const section = byId('result', HTMLElement);
  const facts = byId('facts', HTMLParagraphElement);
  const actions = byId('actions', HTMLSpanElement);
  const notices = byId('notices', HTMLDivElement);
  const chart = byId('chart', HTMLDivElement);
  const rows = byId('rows', HTMLDivElement);
  /** @type {Shown | null} */
  let shown = null;
  /** The id of the entry that is marked. @type {string | null} */
  let marked = null;
  /** What somebody chose for charts. @type {ChartKind | null} */
  let kindOfChart = null;
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
    const series = shown === null ? null : seriesOf(shown.columns, shown.rows);
    const categories = shown === null || series !== null ? null : categoriesOf(shown.columns, shown.rows);
    chart.hidden = series === null && categories === null;
    if (categories !== null) showCategories(chart, categories);
    if (series === null) return;
    const kind = kindOfChart ?? bestKind(series);
    const chooser = element(
      'select',
      { 'aria-label': 'Kind of chart', class: 'chart-kind' },
      ...CHART_KINDS.map(([value, label]) => element('option', { value, selected: value === kind }, label)),
    );
    chooser.addEventListener('change', () => {
      kindOfChart = CHART_KINDS.find(([value]) => value === chooser.value)?.[0] ?? null;
      drawChart();
      const next = chart.querySelector('.chart-kind');
      if (next instanceof HTMLElement) next.focus();
    });
    showSeries(chart, series, { zone: series.hasZone ? zone : 'utc', kind, chooser });
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
      chart.hidden = true;
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

/** @param {Shown} shown @returns {readonly HTMLElement[]} */
function factsOf({ rows, facts }) {
  const { cache, ageSeconds, bytesProcessed, bytesBilled, rowsScanned } = facts;
  const { durationMs, requestId, redactions, timingMs } = facts;
  const isKept = cache === 'HIT';
  const age = isKept && ageSeconds !== null ? `, ${formatSeconds(ageSeconds)} old` : '';
  const phases = Object.entries(timingMs).map(([phase, ms]) => `${phase} ${ms} ms`);
  const fact = (/** @type {string} */ text, title = '', kind = '') =>
    element('span', { title: title === '' ? null : title, class: kind === '' ? null : kind }, text);
  return [
    element('strong', {}, `${rows.length.toLocaleString('en-US')} ${rows.length === 1 ? 'row' : 'rows'}`),
    fact(formatDuration(durationMs), phases.join(', ')),
    ...(cache === null
      ? []
      : [fact((CACHE_STATES[cache] ?? cache.toLowerCase()) + age, `X-Cache: ${cache}`)]),
    ...(bytesProcessed === null ? [] : [fact(`${formatBytes(bytesProcessed)} read`)]),
    ...(rowsScanned === null
      ? []
      : [
          fact(
            `${rowsScanned.toLocaleString('en-US')} ${rowsScanned === 1 ? 'row' : 'rows'} scanned`,
            'Rows of the tables that the engine read, in groups of 16,384; groups that cannot match are left out',
          ),
        ]),
    ...(bytesBilled === null || isKept ? [] : [fact(`${formatBytes(bytesBilled)} billed`)]),
    ...(redactions === null || redactions === 0 ? [] : [fact(`${redactions} redacted`)]),
    ...(requestId === null ? [] : [fact(requestId, 'Request id', 'request-id')]),
  ];
}

/** @param {Shown} shown @returns {readonly HTMLElement[]} */
function noticesOf({ facts, warnings, maxRows, rows, more }) {
  const cut = facts.truncated
    ? `There are more rows than the ${rows.length.toLocaleString('en-US')} shown: one answer holds ${maxRows.toLocaleString('en-US')} at most. Narrow the window or the query${more === null ? '.' : ', or load the next ones.'}`
    : '';
  const ignored =
    facts.ignoredParameters.length > 0
      ? `Nothing uses these parameters: ${facts.ignoredParameters.join(', ')}.`
      : '';
  const button =
    facts.truncated && more !== null && element('button', { type: 'button', onclick: more }, 'Next rows');
  return [
    ...(cut === '' ? [] : [element('p', { class: 'notice' }, cut, ' ', button)]),
    ...[ignored, facts.hint ?? '', ...warnings]
      .filter((text) => text !== '')
      .map((text) => element('p', { class: 'notice' }, text)),
  ];
}

/** @param {Shown} shown */
function emptyState({ ways }) {
  return element(
    'div',
    { class: 'empty' },
    element('p', {}, 'No rows. No entry of this window and project matches the query.'),
    ways.length > 0 &&
      element(
        'p',
        {},
        'Look further: ',
        ...ways.map(({ label, act }) => element('button', { type: 'button', onclick: act }, label)),
      ),
  );
}
