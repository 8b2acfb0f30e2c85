import { QueryError } from '../../client/client.js';
import { readHistory, readSaved, removeSaved, saveQuery } from '../state/session.js';
import { byId, element } from './elements.js';

/** @import { PastQuery } from '../state/session.js' */
/** @import { SharedQuery } from './shared-queries.js' */

const MOST_PAST = 20;
const MAX_LINE_CHARACTERS = 90;

/**
 * The menu of queries: those of the team, which are read anew each time it opens, those that were saved, and the latest ones.
 *
 * @param {object} page
 * @param {() => PastQuery} page.read
 * @param {(query: PastQuery) => void} page.put
 * @param {(query: SharedQuery) => void} page.putShared
 * @param {() => Promise<readonly SharedQuery[]>} page.shared Throws a QueryError.
 */
export function makeQueriesMenu({ read, put, putShared, shared }) {
  const menu = byId('queries', HTMLDetailsElement);
  const list = byId('queries-list', HTMLDivElement);
  const form = byId('queries-save', HTMLFormElement);
  const name = byId('queries-name', HTMLInputElement);
  /** What the service has for all, or why that is not known. @type {{ queries: readonly SharedQuery[], problem: string }} */
  let team = { queries: [], problem: '' };

  /** @param {{ readonly label: string, readonly about?: string }} words @param {PastQuery} query @param {() => void} choose @param {HTMLElement | null} more */
  function line({ label, about = '' }, { language, query }, choose, more) {
    const act = () => {
      menu.open = false;
      choose();
    };
    const button = element(
      'button',
      { type: 'button', class: 'query-line', title: query, onclick: act },
      element('span', { class: 'type' }, language.toUpperCase()),
      ' ',
      element('span', { class: 'text' }, label),
      about === '' ? null : ' ',
      about === '' ? null : element('span', { class: 'about' }, about),
    );
    return element('li', {}, button, more);
  }

  /** @param {string} title @param {readonly HTMLElement[]} lines @param {string} none */
  function section(title, lines, none) {
    if (lines.length === 0 && none === '') return [];
    return [
      element(
        'section',
        {},
        element('h2', {}, title),
        lines.length === 0 ? element('p', { class: 'note' }, none) : element('ul', {}, ...lines),
      ),
    ];
  }

  function draw() {
    const saved = readSaved().map((one) =>
      line(
        { label: one.name },
        one,
        () => put({ language: one.language, query: one.query }),
        element(
          'button',
          {
            type: 'button',
            class: 'quiet',
            'aria-label': `Remove ${one.name}`,
            title: `Remove ${one.name}`,
            onclick: () => {
              removeSaved(one.name);
              draw();
              name.focus();
            },
          },
          '×',
        ),
      ),
    );
    const past = readHistory()
      .toReversed()
      .slice(0, MOST_PAST)
      .map((one) => line({ label: oneLine(one.query) }, one, () => put(one), null));
    list.replaceChildren(
      ...section(
        'Of the team',
        team.queries.map((one) =>
          line({ label: one.name, about: one.description }, one, () => putShared(one), null),
        ),
        team.problem,
      ),
      ...section('Saved in this browser', saved, 'None yet.'),
      ...section('History', past, 'Queries that ran stand here.'),
    );
  }

  async function readTeam() {
    try {
      team = { queries: await shared(), problem: '' };
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      team = { queries: [], problem: `They cannot be read: ${error.message}` };
    }
    if (menu.open) draw();
  }

  menu.addEventListener('toggle', () => {
    if (!menu.open) return;
    draw();
    void readTeam();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const query = read();
    const isEmpty = query.query.trim() === '';
    name.setCustomValidity(isEmpty ? 'There is no query to save.' : '');
    if (isEmpty) return name.reportValidity();
    saveQuery({ name: name.value.trim(), ...query });
    name.value = '';
    draw();
  });
  name.addEventListener('input', () => name.setCustomValidity(''));
}

/** @param {string} query */
function oneLine(query) {
  const line = query.replace(/\s+/g, ' ').trim();
  return line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS)}…` : line;
}
