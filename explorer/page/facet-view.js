import { makeClient, QueryError } from '../../client/client.js';
import { tokenStore } from '../state/session.js';
import { element } from './elements.js';
import { adHocQuery, requestParameters } from './request.js';

/** @import { ValueFilter } from './edit-query.js' */
/** @import { QueryContext } from './run-query.js' */

/** The most values that are shown at first. */
const FEW = 10;

/**
 * The top values of one field over the window, asked for when the list is opened.
 *
 * @param {object} facet
 * @param {string} facet.baseUrl
 * @param {string} facet.source
 * @param {readonly string[]} facet.path
 * @param {() => { readonly context: QueryContext, readonly entriesOf: string | null } | null} facet.current What is asked now.
 * @param {(filter: ValueFilter) => void} facet.filter
 */
export function facetView({ baseUrl, source, path, current, filter }) {
  const host = element('div', { class: 'facet', role: 'status' });

  async function load() {
    const asked = current();
    if (asked === null) return host.replaceChildren(note('Fill in the form above first.'));
    const { endpoint, question, nowMs } = asked.context;
    const isOfQuery = asked.entriesOf === source;
    const own = isOfQuery ? adHocQuery(endpoint, question) : { sql: `SELECT id FROM \`${source}\`` };
    host.replaceChildren(note('Counting…'));
    try {
      const { rows } = await makeClient({ baseUrl, token: tokenStore.read() }).query(
        /** @type {string} */ (endpoint.name),
        requestParameters(endpoint, question, nowMs),
        { ...own, facet: path.join('.') },
      );
      show(rows, isOfQuery);
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      host.replaceChildren(note(error.message));
    }
  }

  /** @param {readonly Readonly<Record<string, unknown>>[]} rows @param {boolean} isOfQuery @param {boolean} [hasAll] */
  function show(rows, isOfQuery, hasAll = false) {
    if (rows.length === 0) return host.replaceChildren(note('No entries in this window.'));
    const total = rows.reduce((sum, { count }) => sum + Number(count), 0);
    const shown = hasAll ? rows : rows.slice(0, FEW);
    const more = rows.length - shown.length;
    host.replaceChildren(
      note(isOfQuery ? 'Of entries that match the query' : 'Of all entries in this window'),
      element('ul', {}, ...shown.map(({ value, count }) => line(value, Number(count), total, isOfQuery))),
      ...(more > 0 ? [moreButton(more, () => show(rows, isOfQuery, true))] : []),
    );
  }

  /** @param {unknown} value @param {number} count @param {number} total @param {boolean} isOfQuery */
  function line(value, count, total, isOfQuery) {
    const text = value === null ? 'null' : String(value);
    const act = (/** @type {boolean} */ negated) => () =>
      filter({
        of: 'source',
        path,
        value,
        negated,
        type: '',
        ...(isOfQuery ? {} : { source }),
      });
    const bar = element('span', { class: 'share', 'aria-hidden': 'true' });
    bar.style.width = `${Math.round((100 * count) / total)}%`;
    const name = `${path.join('.')} = ${text}`;
    return element(
      'li',
      {},
      bar,
      element(
        'button',
        { type: 'button', class: 'facet-value', title: `Only ${name}`, onclick: act(false) },
        element('span', { class: value === null ? 'null' : 'text' }, text),
        ' ',
        element('span', { class: 'count' }, count.toLocaleString('en-US')),
      ),
      element(
        'button',
        {
          type: 'button',
          class: 'facet-out',
          title: `Without ${name}`,
          'aria-label': `Without ${name}`,
          onclick: act(true),
        },
        '−',
      ),
    );
  }

  return { host, load };
}

/** @param {string} text */
function note(text) {
  return element('p', { class: 'note' }, text);
}

/** @param {number} more @param {() => void} act */
function moreButton(more, act) {
  return element('button', { type: 'button', class: 'quiet', onclick: act }, `${more} more`);
}
