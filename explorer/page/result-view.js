import { seriesOf } from '../chart/series.js';
import { showSeries } from '../chart/series-chart.js';
import { toCsv } from '../result/csv.js';
import { showTable } from '../result/table.js';
import { formatDuration, formatSeconds } from '../time/format-time.js';
import { copyOnClick } from './copy.js';
import { byId, element } from './elements.js';

/** @import { AnswerFacts, ColumnSchema } from '../../client/client.d.ts' */
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
 * @property {AnswerFacts} facts
 * @property {readonly string[]} warnings
 * @property {number} maxRows Of one answer.
 * @property {string} endpoint
 * @property {string} curl
 * @property {(() => void) | null} more Loads the rows after these; null where it cannot.
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
  /** @type {Zone} */
  let zone = 'utc';

  copyOnClick(byId('copy-curl', HTMLButtonElement), () => shown?.curl ?? null);
  byId('csv', HTMLButtonElement).addEventListener('click', () => {
    if (shown !== null) download(`${shown.endpoint}.csv`, toCsv(shown.columns, shown.rows));
  });

  function drawChart() {
    const series = shown === null ? null : seriesOf(shown.columns, shown.rows);
    chart.hidden = series === null;
    if (series !== null) showSeries(chart, series, series.hasZone ? zone : 'utc');
  }

  function draw() {
    if (shown === null) return;
    drawChart();
    if (shown.rows.length === 0) rows.replaceChildren(emptyState(shown));
    else showTable(rows, { ...shown, zone });
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
    /** Nothing came back: what stands there, dimmed, is the answer to an earlier question. @param {string} text */
    keep(text) {
      if (shown === null) return this.clear(text);
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
  const { cache, ageSeconds, bytesProcessed, bytesBilled, durationMs, requestId, redactions, timingMs } =
    facts;
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

/** @param {string} name @param {string} text */
function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  element('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** @param {number} bytes */
function formatBytes(bytes) {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const power = bytes < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}
