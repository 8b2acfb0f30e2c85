import { readHistory, readSaved, removeSaved, saveQuery } from '../state/session.js';
import { byId, element } from './elements.js';

/** @import { PastQuery, SavedQuery } from '../state/session.js' */

const MOST_PAST = 20;
const MAX_LINE_CHARACTERS = 90;

/**
 * The menu of queries: those that were saved, and the latest ones.
 *
 * @param {{ readonly read: () => PastQuery, readonly put: (query: PastQuery) => void }} page
 */
export function makeQueriesMenu({ read, put }) {
  const menu = byId('queries', HTMLDetailsElement);
  const list = byId('queries-list', HTMLDivElement);
  const form = byId('queries-save', HTMLFormElement);
  const name = byId('queries-name', HTMLInputElement);
  /** Those that the service has for all. @type {readonly SavedQuery[]} */
  let shared = [];

  /** @param {PastQuery} query */
  function choose({ language, query }) {
    menu.open = false;
    put({ language, query });
  }

  /** @param {string} label @param {PastQuery} query @param {HTMLElement | null} more */
  function line(label, query, more) {
    const button = element(
      'button',
      { type: 'button', class: 'query-line', title: query.query, onclick: () => choose(query) },
      element('span', { class: 'type' }, query.language.toUpperCase()),
      ' ',
      element('span', { class: 'text' }, label),
    );
    return element('li', {}, button, more);
  }

  /** @param {string} title @param {readonly HTMLElement[]} lines @param {string} none */
  function section(title, lines, none) {
    if (lines.length === 0 && none === '') return [];
    return [
      element('h2', {}, title),
      lines.length === 0 ? element('p', { class: 'note' }, none) : element('ul', {}, ...lines),
    ];
  }

  function draw() {
    const saved = readSaved().map((one) =>
      line(
        one.name,
        one,
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
      .map((one) => line(oneLine(one.query), one, null));
    list.replaceChildren(
      ...section(
        'Of the team',
        shared.map((one) => line(one.name, one, null)),
        '',
      ),
      ...section('Saved in this browser', saved, 'None yet.'),
      ...section('History', past, 'Queries that ran stand here.'),
    );
  }

  menu.addEventListener('toggle', () => menu.open && draw());
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

  return {
    /** @param {readonly SavedQuery[]} queries */
    setShared(queries) {
      shared = queries;
    },
  };
}

/** @param {string} query */
function oneLine(query) {
  const line = query.replace(/\s+/g, ' ').trim();
  return line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS)}…` : line;
}
