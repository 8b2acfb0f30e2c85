import { typeLabel } from '../editor/vocabulary.js';
import { isNested } from '../result/columns.js';
import { element } from './elements.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { Source } from '../editor/vocabulary.js' */

/**
 * What the list of sources can do.
 *
 * @typedef {object} SourceActs
 * @property {(text: string) => void} insert Puts a name into the query.
 * @property {(source: string, path: readonly string[]) => { readonly host: HTMLElement, readonly load: () => Promise<void> }} facet The top values of a field.
 */

/**
 * The sources with all their fields; pressing a field shows its top values, and `+` puts its name into the query.
 *
 * @param {HTMLElement} host
 * @param {readonly Source[]} sources
 * @param {SourceActs} acts
 */
export function showSources(host, sources, acts) {
  if (sources.length === 0) {
    host.replaceChildren(element('p', { class: 'note' }, 'This endpoint accepts no ad-hoc queries.'));
    return;
  }
  host.replaceChildren(
    element(
      'ul',
      { class: 'source-list' },
      ...sources.map(({ name, columns }) => branch(name, [], '', columns, { ...acts, source: name })),
    ),
  );
}

/** @typedef {SourceActs & { readonly source: string }} FieldActs */

/** @param {string} name @param {readonly string[]} path @param {string} type @param {readonly ColumnSchema[]} fields @param {FieldActs} acts @returns {HTMLElement} */
function branch(name, path, type, fields, acts) {
  const list = () => element('ul', {}, ...fields.map((field) => column(field, [...path, field.name], acts)));
  const details = element('details', {}, heading(name, type));
  details.addEventListener('toggle', () => details.childElementCount === 1 && details.append(list()));
  return element('li', {}, details, put(name, acts.insert));
}

/** @param {ColumnSchema} field @param {readonly string[]} path @param {FieldActs} acts @returns {HTMLElement} */
function column(field, path, acts) {
  if (field.fields !== undefined) return branch(field.name, path, typeLabel(field), field.fields, acts);
  if (isNested(field)) {
    const plain = element('span', { class: 'plain' }, ...heading(field.name, typeLabel(field)).childNodes);
    return element('li', {}, plain, put(field.name, acts.insert));
  }
  const details = element('details', { class: 'field-values' }, heading(field.name, typeLabel(field)));
  const facet = acts.facet(acts.source, path);
  details.append(facet.host);
  // Asked anew each time: the window or the query may be another one.
  details.addEventListener('toggle', () => details.open && void facet.load());
  return element('li', {}, details, put(field.name, acts.insert));
}

/** @param {string} name @param {string} type */
function heading(name, type) {
  return element(
    'summary',
    {},
    element('span', { class: 'name' }, name),
    ' ',
    element('span', { class: 'type' }, type),
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
