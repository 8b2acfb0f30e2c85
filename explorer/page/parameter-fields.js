import { readProjects } from '../state/session.js';
import { element, option } from './elements.js';

/** @import { ParameterEntry } from '../editor/vocabulary.js' */

/** The controls of a place that has such fields. @param {HTMLElement} fields */
export function controlsIn(fields) {
  return /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */ (
    fields.querySelectorAll('input, select')
  );
}

/**
 * The control of a parameter: a choice where its values are known, else a text.
 *
 * @param {ParameterEntry} parameter
 * @param {string | undefined} value
 * @param {{ readonly limitedTo: readonly string[] | null } | null} project Of the parameter that is the project: those that the token is limited to.
 */
export function parameterField({ name, allowed, required, example, description }, value, project) {
  const label = element('span', {}, name.replaceAll('_', ' '));
  const attributes = { name, required, title: description, 'aria-invalid': 'false' };
  const isProject = project !== null;
  const choices = allowed ?? project?.limitedTo ?? null;
  if (choices !== null) {
    const select = element('select', attributes, ...choices.map((one) => option(one, one)));
    if (value !== undefined && choices.includes(value)) select.value = value;
    return element('label', { class: 'field' }, label, ' ', select);
  }
  const known = isProject ? readProjects() : [];
  const input = element('input', {
    ...attributes,
    type: 'text',
    placeholder: example,
    autocomplete: 'off',
    spellcheck: 'false',
    list: isProject && 'projects',
    maxlength: 4096,
  });
  input.value = value ?? known[0] ?? '';
  const list = isProject && element('datalist', { id: 'projects' }, ...known.map((one) => option(one, one)));
  return element('label', { class: 'field' }, label, ' ', input, list);
}
