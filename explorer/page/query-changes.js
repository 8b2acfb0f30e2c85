import { makeClient, QueryError } from '../../client/client.js';
import { requestIds } from '../result/request-ids.js';
import { tokenStore } from '../state/session.js';
import { toMicros } from '../time/format-time.js';
import { between } from '../time/window.js';
import { editQuery } from './edit-query.js';
import { requestParameters } from './request.js';

/** @import { Row } from '../result/columns.js' */
/** @import { EntryAct } from '../result/table.js' */
/** @import { PastQuery } from '../state/session.js' */
/** @import { TimeWindow } from '../time/window.js' */
/** @import { QueryEdit, ValueFilter } from './edit-query.js' */
/** @import { makeProblemView } from './problem-view.js' */
/** @import { makeQueryPanel } from './query-panel.js' */
/** @import { makeRequestForm } from './request-form.js' */
/** @import { Answered } from './runner.js' */

/** How far before and after an entry its surroundings reach. */
const CONTEXT_MS = 6 * 3_600_000;

/** How much is shown up to the newest entry. */
const NEWEST_MS = 3_600_000;

/**
 * What other parts of the page need for changing the query by clicks.
 *
 * @typedef {object} ChangesPage
 * @property {string} baseUrl With a slash at its end.
 * @property {() => number} nowMs
 * @property {ReturnType<typeof makeRequestForm>} form
 * @property {ReturnType<typeof makeQueryPanel>} query
 * @property {ReturnType<typeof makeProblemView>} problem
 * @property {() => Answered | null} shown
 * @property {() => Promise<void>} run
 * @property {(window: TimeWindow) => void} zoomTo Takes a window and runs.
 * @property {(id: string | null) => void} markRow
 */

/**
 * Changes the query by clicks: for a value, for what is around an entry, for the newest entries.
 *
 * @param {ChangesPage} page
 */
export function makeQueryChanges({ baseUrl, nowMs, form, query, problem, shown, run, zoomTo, markRow }) {
  /** The text of the query that was written last for what is around an entry. @type {string | null} */
  let ofEntry = null;

  /** Has the service change what is written; answers whether it did. @param {PastQuery} written @param {QueryEdit} edit */
  async function change(written, edit) {
    const endpoint = form.endpoint();
    if (endpoint === null) return false;
    try {
      query.put(await editQuery(baseUrl, tokenStore.read(), endpoint.name, written, edit));
      return true;
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      const hasPlace = query.mark(written, error.details, error.message);
      problem.show(error, hasPlace);
      return false;
    }
  }

  /** Has the query that is written ask for a value, or leave it out, and runs it. @param {ValueFilter} wanted */
  async function filter(wanted) {
    const written = wanted.source === undefined ? query.read() : { ...query.read(), query: '' };
    if (await change(written, { action: 'filter', ...wanted })) await run();
  }

  /**
   * What can be done with a row: to see what came before and after an entry, and all that its request left anywhere.
   *
   * @param {Row} row
   * @param {string | null} source The entry's, for a row that is one.
   * @returns {readonly EntryAct[]}
   */
  function entryActs(row, source) {
    const micros = toMicros(row.timestamp);
    if (micros === null) return [];
    const atMs = Number(micros / 1000n);
    const ids = requestIds(row);
    const open = async (/** @type {QueryEdit} */ edit) => {
      if (!(await change({ language: 'sql', query: '' }, edit))) return;
      ofEntry = query.read().query;
      markRow(typeof row.id === 'string' ? row.id : null);
      zoomTo(between(atMs - CONTEXT_MS, atMs + CONTEXT_MS) ?? form.read().window);
    };
    return [
      ...(source === null
        ? []
        : [
            {
              label: 'Before and after',
              act: () => void open({ action: 'around', source, micros: String(micros) }),
            },
          ]),
      ...(ids.length === 0
        ? []
        : [{ label: 'Same request in all sources', act: () => void open({ action: 'related', ids }) }]),
    ];
  }

  /** Shows the hour up to the newest entry of the source that is read. */
  async function showNewest() {
    const endpoint = form.endpoint();
    const source = shown()?.explanation?.sources[0] ?? endpoint?.sources[0]?.name;
    if (endpoint === null || source === undefined) return;
    const asked = { ...form.read(), ...query.read(), window: /** @type {const} */ ({ kind: 'all' }) };
    const sql = `SELECT timestamp FROM \`${source}\` ORDER BY timestamp DESC LIMIT 1`;
    try {
      const { rows } = await makeClient({ baseUrl, token: tokenStore.read() }).query(
        /** @type {string} */ (endpoint.name),
        requestParameters(endpoint, asked, nowMs()),
        { sql },
      );
      const micros = toMicros(rows[0]?.timestamp);
      if (micros === null) return problem.tell(`There are no entries in ${source}.`);
      const endMs = Math.floor(Number(micros / 1_000_000n)) * 1000 + 1000;
      zoomTo(between(endMs - NEWEST_MS, endMs) ?? form.read().window);
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      problem.show(error, false);
    }
  }

  return {
    change,
    filter,
    entryActs,
    showNewest,
    /** Whether a query is the one that was written for an entry, and not by a person. @param {PastQuery} asked */
    isOfPage: (asked) => asked.language === 'sql' && asked.query === ofEntry,
  };
}
