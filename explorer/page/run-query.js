import { bucketSeconds } from '../chart/buckets.js';
import { columnsOf } from '../result/columns.js';
import { windowRange } from '../time/window.js';
import { adHocQuery, requestParameters, takesWindow } from './request.js';

/** @import { Client, ColumnSchema, Explanation, OwnQuery, QueryResult } from '../../client/client.d.ts' */
/** @import { EndpointEntry } from '../editor/vocabulary.js' */
/** @import { Bucket } from '../chart/histogram.js' */
/** @import { Row } from '../result/columns.js' */
/** @import { Question } from '../state/location.js' */

/**
 * One question as it was asked, which stays what it is while the page's controls move on.
 *
 * @typedef {object} QueryContext
 * @property {EndpointEntry} endpoint
 * @property {Question} question
 * @property {number} nowMs The service's present at that time.
 * @property {AbortSignal} signal
 *
 * @typedef {object} Answer
 * @property {QueryResult<Row>} result
 * @property {readonly ColumnSchema[]} columns
 * @property {Explanation | null} explanation Null where the service does not say.
 *
 * @typedef {object} Counts
 * @property {string} source The source whose entries are counted.
 * @property {string} about Which of them are.
 * @property {readonly Bucket[]} buckets
 * @property {number} widthMs
 * @property {number} startMs
 * @property {number} endMs
 */

/**
 * Asks what a question reads and answers. Null where the service does not say: the rows show without it, and why
 * there is none the query itself says.
 *
 * @param {Client} client
 * @param {QueryContext} context
 * @returns {Promise<Explanation | null>}
 */
export function explain(client, { endpoint, question, nowMs, signal }) {
  const parameters = requestParameters(endpoint, question, nowMs);
  const options = { ...adHocQuery(endpoint, question), signal };
  return client.explain(endpoint.name, parameters, options).catch(() => null);
}

/**
 * Asks for the rows.
 *
 * @param {Client} client
 * @param {QueryContext} context
 * @param {Promise<Explanation | null>} explaining
 * @param {{ readonly countRows: boolean }} counting Whether the rows that a stored query reads are counted, which takes time.
 * @returns {Promise<Answer>}
 */
export async function runQuery(client, { endpoint, question, nowMs, signal }, explaining, { countRows }) {
  const parameters = requestParameters(endpoint, question, nowMs);
  const options = { ...adHocQuery(endpoint, question), signal, countRows };
  const result = await client.query(/** @type {string} */ (endpoint.name), parameters, options);
  const explanation = await explaining;
  return { result, explanation, columns: columnsOf(explanation?.columns ?? null, result.rows) };
}

/**
 * Counts entries over the question's window: those that the query selects, else all of the first source that it reads.
 * Null where there is nothing to count.
 *
 * @param {Client} client
 * @param {QueryContext} context
 * @param {Explanation | null} explanation
 * @returns {Promise<Counts | null>}
 */
export async function countEntries(client, context, explanation) {
  const { endpoint, question, nowMs } = context;
  const selected = explanation?.entriesOf ?? null;
  const source = selected ?? explanation?.sources[0];
  if (source === undefined || !endpoint.sandbox || !takesWindow(endpoint)) return null;
  const adHoc =
    selected === null ? { sql: `SELECT timestamp FROM \`${source}\`` } : adHocQuery(endpoint, question);
  const range = windowRange(question.window, nowMs);
  const count = (/** @type {number} */ seconds) => bucketsOf(client, context, adHoc, seconds);
  const { seconds, buckets } = range === null ? await countAllTime(count) : await countRange(count, range);
  const where = range === null ? 'all entries' : 'all entries in this window';
  return {
    source,
    about:
      selected === null
        ? `${where}, whatever the query’s conditions`
        : 'entries that meet the query’s conditions',
    ...spanOf(buckets, seconds * 1000, range),
    buckets,
    widthMs: seconds * 1000,
  };
}

/** @typedef {Counts['buckets']} Buckets */
/** @typedef {{ readonly startMs: number, readonly endMs: number }} Range */
/** @typedef {(seconds: number) => Promise<Buckets>} Count */

/** @param {Count} count @param {Range} range */
async function countRange(count, { startMs, endMs }) {
  const seconds = bucketSeconds((endMs - startMs) / 1000);
  return { seconds, buckets: await count(seconds) };
}

/** Wide bars first, which show where entries are; then narrower ones, until there are as many as can be distinguished. @param {Count} count */
async function countAllTime(count) {
  let seconds = WIDEST_BAR_SECONDS;
  for (;;) {
    const buckets = await count(seconds);
    const { startMs, endMs } = spanOf(buckets, seconds * 1000, null);
    const narrower = bucketSeconds((endMs - startMs) / 1000);
    if (buckets.length === 0 || narrower >= seconds) return { seconds, buckets };
    seconds = narrower;
  }
}

/** With bars of 30 days an answer's thousand rows hold eighty years. */
const WIDEST_BAR_SECONDS = 2_592_000;

/** The range, and what came in since it was worked out. @param {Buckets} buckets @param {number} widthMs @param {Range | null} range */
function spanOf(buckets, widthMs, range) {
  const starts = buckets.map(({ startMs }) => startMs);
  return {
    startMs: range?.startMs ?? Math.min(...starts),
    endMs: Math.max(range?.endMs ?? 0, ...starts.map((startMs) => startMs + (range === null ? widthMs : 1))),
  };
}

/** @param {Client} client @param {QueryContext} context @param {OwnQuery} adHoc @param {number} histogram @returns {Promise<Buckets>} */
async function bucketsOf(client, { endpoint, question, nowMs, signal }, adHoc, histogram) {
  const parameters = requestParameters(endpoint, question, nowMs);
  const options = { ...adHoc, histogram, histogramBy: /** @type {const} */ ('severity'), signal };
  const { rows } = await client.query(/** @type {string} */ (endpoint.name), parameters, options);
  /** @type {Map<number, Bucket>} */
  const buckets = new Map();
  for (const { timestamp, severity, count } of rows) {
    const startMs = Number(timestamp) / 1000;
    const { entries, parts } = buckets.get(startMs) ?? { entries: 0, parts: {} };
    const part = { [String(severity ?? 'none')]: Number(count) };
    buckets.set(startMs, { startMs, entries: entries + Number(count), parts: { ...parts, ...part } });
  }
  return [...buckets.values()];
}

/** All rows of a result, a page after the other; the first page is there already. Throws a QueryError. @param {Client} client @param {QueryResult<Row>} first @param {AbortSignal} signal */
export async function* allPages(client, first, signal) {
  yield first.rows;
  for (let page = first; page.next !== null; ) {
    page = await client.next(page, { signal });
    yield page.rows;
  }
}
