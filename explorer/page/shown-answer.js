import { makeClient } from '../../client/client.js';
import { toCurl } from '../result/curl.js';
import { makeSeverities } from '../severity/severity.js';
import { tokenStore } from '../state/session.js';
import { widerWindows } from '../time/window.js';
import { adHocQuery, requestParameters, takesWindow } from './request.js';
import { allPages } from './run-query.js';

/** @import { Row } from '../result/columns.js' */
/** @import { EntryAct } from '../result/table.js' */
/** @import { SeverityTable } from '../severity/severity.js' */
/** @import { PastQuery } from '../state/session.js' */
/** @import { TimeWindow } from '../time/window.js' */
/** @import { ValueFilter } from './edit-query.js' */
/** @import { Shown } from './result-view.js' */
/** @import { Answer, QueryContext } from './run-query.js' */

/**
 * What can be done with an answer.
 *
 * @typedef {object} AnswerActs
 * @property {string} baseUrl
 * @property {SeverityTable | null} severities
 * @property {(filter: ValueFilter) => void} filter
 * @property {(row: Row, source: string | null) => readonly EntryAct[]} entryActs
 * @property {(window: TimeWindow) => void} zoomTo
 * @property {(query: PastQuery) => boolean} isOfPage Whether the page has written a query for an entry.
 * @property {() => void} more Loads the next page.
 */

/**
 * An answer with all that the page shows of it.
 *
 * @param {QueryContext} context
 * @param {Answer} answer
 * @param {AnswerActs} acts
 * @returns {Shown}
 */
export function shownAnswer(context, { result: page, columns, explanation }, acts) {
  const { endpoint, question, nowMs } = context;
  const { baseUrl, severities, filter, entryActs, isOfPage, zoomTo, more } = acts;
  const values = { ...requestParameters(endpoint, question, nowMs), ...adHocQuery(endpoint, question) };
  const entriesOf = explanation?.entriesOf ?? null;
  const source = entriesOf ?? explanation?.sources[0] ?? null;
  const hasMore = page.next !== null;
  return {
    rows: page.rows,
    columns,
    source: endpoint.sources.find(({ name }) => name === source) ?? null,
    acts: endpoint.sandbox ? { filter } : null,
    entryActs: endpoint.sandbox ? (row) => entryActs(row, entriesOf) : null,
    severities: severities === null ? null : makeSeverities(severities),
    facts: page.facts,
    // A caller cannot mend the endpoint's stored query, a translated one, or one that the page has written.
    warnings: 'sql' in values && !isOfPage(question) ? (explanation?.warnings ?? []) : [],
    maxRows: endpoint.maxRows,
    endpoint: endpoint.name,
    curl: toCurl(baseUrl, endpoint.name, values),
    more: hasMore ? more : null,
    all: hasMore
      ? (signal) => allPages(makeClient({ baseUrl, token: tokenStore.read() }), page, signal)
      : null,
    ways: takesWindow(endpoint)
      ? widerWindows(question.window).map(([label, window]) => ({ label, act: () => zoomTo(window) }))
      : [],
  };
}
