import { typeLabel } from '../editor/vocabulary.js';
import { element } from './elements.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { Source } from '../editor/vocabulary.js' */

/**
 * The sources with all their fields; pressing a name puts it into the query.
 *
 * @param {HTMLElement} host
 * @param {readonly Source[]} sources
 * @param {(text: string) => void} insert
 */
export function showSources(host, sources, insert) {
  if (sources.length === 0) {
    host.replaceChildren(element('p', { class: 'note' }, 'This endpoint accepts no ad-hoc queries.'));
    return;
  }
  host.replaceChildren(
    element(
      'ul',
      { class: 'source-list' },
      ...sources.map(({ name, columns }) => branch(name, '', columns, insert)),
    ),
  );
}

/** @param {string} name @param {string} type @param {readonly ColumnSchema[]} fields @param {(text: string) => void} insert @returns {HTMLElement} */
function branch(name, type, fields, insert) {
  const list = () => element('ul', {}, ...fields.map((field) => column(field, insert)));
  const details = element(
    'details',
    {},
    element(
      'summary',
      {},
      element('span', { class: 'name' }, name),
      ' ',
      element('span', { class: 'type' }, type),
    ),
  );
  details.addEventListener('toggle', () => details.childElementCount === 1 && details.append(list()));
  return element('li', {}, details, put(name, insert));
}

/** @param {ColumnSchema} field @param {(text: string) => void} insert @returns {HTMLElement} */
function column(field, insert) {
  if (field.fields !== undefined) return branch(field.name, typeLabel(field), field.fields, insert);
  return element(
    'li',
    {},
    element(
      'span',
      { class: 'plain' },
      element('span', { class: 'name' }, field.name),
      ' ',
      element('span', { class: 'type' }, typeLabel(field)),
    ),
    put(field.name, insert),
  );
}

/** @param {string} name @param {(text: string) => void} insert */
function put(name, insert) {
  return element(
    'button',
    {
      type: 'button',
      class: 'put',
      title: `Put ${name} into the query`,
      'aria-label': `Put ${name} into the query`,
      onclick: () => insert(name),
    },
    '+',
  );
}
