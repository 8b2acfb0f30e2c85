import { bucketQuery, bucketSeconds, rangeQuery } from '../chart/buckets.js';
import { lqlCounts } from '../chart/lql-counts.js';
import { columnsOf } from '../result/columns.js';
import { windowRange } from '../time/window.js';
import { ownQuery, requestParameters, takesWindow } from './request.js';

/** @import { Client, ColumnSchema, Explanation, OwnQuery, QueryResult } from '../../client/client.d.ts' */
/** @import { EndpointEntry } from '../editor/vocabulary.js' */
/** @import { Row } from '../result/columns.js' */
/** @import { Question } from '../state/location.js' */

/**
 * One question as it was asked, which stays what it is while the page's controls move on.
 *
 * @typedef {object} Asked
 * @property {EndpointEntry} endpoint
 * @property {Question} question
 * @property {number} nowMs The service's present at that time.
 * @property {AbortSignal} signal
 *
 * @typedef {object} Answer
 * @property {QueryResult<Row>} result
 * @property {readonly ColumnSchema[]} columns
 * @property {Explanation | null} explanation Null where the service does not tell.
 *
 * @typedef {object} Counts
 * @property {string} title What is counted.
 * @property {readonly { readonly startMs: number, readonly entries: number }[]} buckets
 * @property {number} widthMs
 * @property {number} startMs
 * @property {number} endMs
 */

/**
 * Asks what a question reads and answers. Null where the service does not tell: the rows show without it, and why
 * there is none the query itself says.
 *
 * @param {Client} client
 * @param {Asked} asked
 * @returns {Promise<Explanation | null>}
 */
export function explain(client, { endpoint, question, nowMs, signal }) {
  const parameters = requestParameters(endpoint, question, nowMs);
  const options = { ...ownQuery(endpoint, question), signal };
  return client.explain(endpoint.name, parameters, options).catch(() => null);
}

/** Asks for the rows. @param {Client} client @param {Asked} asked @param {Promise<Explanation | null>} explaining @returns {Promise<Answer>} */
export async function ask(client, { endpoint, question, nowMs, signal }, explaining) {
  const parameters = requestParameters(endpoint, question, nowMs);
  const options = { ...ownQuery(endpoint, question), signal };
  const result = await client.query(/** @type {string} */ (endpoint.name), parameters, options);
  const explanation = await explaining;
  return { result, explanation, columns: columnsOf(explanation?.columns ?? null, result.rows) };
}

/**
 * Counts entries over the question's window: those that an LQL query finds, else all of the first source that the
 * query reads. Null where there is nothing to count.
 *
 * @param {Client} client
 * @param {Asked} asked
 * @param {Explanation | null} explanation
 * @returns {Promise<Counts | null>}
 */
export async function countEntries(client, asked, explanation) {
  const { endpoint, question, nowMs } = asked;
  const [source] = explanation?.sources ?? [];
  if (source === undefined || !endpoint.sandbox || !takesWindow(endpoint)) return null;
  const range = windowRange(question.window, nowMs);
  const found = question.language === 'lql' ? await countFound(client, asked, range) : null;
  return found === null
    ? await countAll(client, asked, source, range)
    : { ...found, title: `${source}, what the query finds` };
}

/** @typedef {{ readonly startMs: number, readonly endMs: number } | null} Range */

/** @param {Client} client @param {Asked} asked @param {Range} range @returns {Promise<Omit<Counts, 'title'> | null>} */
async function countFound(client, asked, range) {
  const rangeSeconds = range === null ? null : (range.endMs - range.startMs) / 1000;
  const wanted = bucketSeconds(rangeSeconds ?? 0);
  const counting = lqlCounts(asked.question.query, rangeSeconds, wanted);
  if (counting === null || asked.question.query.trim() === '') return null;
  const rows = await rowsOf(client, asked, { lql: counting.query });
  const widthMs = Math.max(wanted, counting.seconds) * 1000;
  /** @type {Map<number, number>} */
  const bars = new Map();
  for (const { timestamp, count } of rows) {
    const startMs = Math.floor(Number(timestamp) / 1000 / widthMs) * widthMs;
    bars.set(startMs, (bars.get(startMs) ?? 0) + Number(count));
  }
  const buckets = [...bars].map(([startMs, entries]) => ({ startMs, entries }));
  return { ...spanOf(buckets, widthMs, range), buckets, widthMs };
}

/** @param {Client} client @param {Asked} asked @param {string} source @param {Range} window @returns {Promise<Counts | null>} */
async function countAll(client, asked, source, window) {
  const range = window ?? (await findRange(client, asked, source));
  if (range === null) return null;
  const seconds = bucketSeconds((range.endMs - range.startMs) / 1000);
  const rows = await rowsOf(client, asked, { sql: bucketQuery(source, seconds) });
  const buckets = rows.map(({ bucket, entries }) => ({
    startMs: Number(bucket) * 1000,
    entries: Number(entries),
  }));
  const widthMs = seconds * 1000;
  return { title: source, ...spanOf(buckets, widthMs, range), buckets, widthMs };
}

/** The range, and what came in since it was worked out. @param {Counts['buckets']} buckets @param {number} widthMs @param {Range} range */
function spanOf(buckets, widthMs, range) {
  const starts = buckets.map(({ startMs }) => startMs);
  return {
    startMs: range?.startMs ?? Math.min(...starts),
    endMs: Math.max(range?.endMs ?? 0, ...starts.map((startMs) => startMs + (range === null ? widthMs : 1))),
  };
}

/** From the first to the last entry. @param {Client} client @param {Asked} asked @param {string} source */
async function findRange(client, asked, source) {
  const [row] = await rowsOf(client, asked, { sql: rangeQuery(source) });
  if (row?.first === null || row?.first === undefined) return null;
  return { startMs: Number(row.first) * 1000, endMs: (Number(row.last) + 1) * 1000 };
}

/** @param {Client} client @param {Asked} asked @param {OwnQuery} own @returns {Promise<readonly Row[]>} */
async function rowsOf(client, { endpoint, question, nowMs, signal }, own) {
  const parameters = requestParameters(endpoint, question, nowMs);
  const { rows } = await client.query(/** @type {string} */ (endpoint.name), parameters, { ...own, signal });
  return rows;
}
