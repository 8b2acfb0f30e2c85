import { DEFAULT_WINDOW, formatWindow, parseWindow } from '../time/window.js';

/** @import { TimeWindow } from '../time/window.js' */
/** @typedef {'sql' | 'lql'} Language */

/**
 * What the page asks: all of it stands in the address after `#`, where it can be shared and reaches no server. The
 * token is no part of it.
 *
 * @typedef {object} Question
 * @property {string} endpoint Empty for the first one there is.
 * @property {Readonly<Record<string, string>>} parameters The endpoint's, without the time bounds.
 * @property {TimeWindow} window
 * @property {Language} language
 * @property {string} query Empty for the endpoint's own.
 */

const PARAMETER = 'p.';

/** Reads the part of an address after `#`; what is missing or malformed has its default. @param {string} hash @returns {Question} */
export function parseLocation(hash) {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  const language = values.has('lql') ? 'lql' : 'sql';
  const parameters = [...values].filter(([name]) => name.startsWith(PARAMETER));
  return {
    endpoint: values.get('endpoint') ?? '',
    parameters: {
      ...(values.has('project') ? { project: values.get('project') ?? '' } : {}),
      ...Object.fromEntries(parameters.map(([name, value]) => [name.slice(PARAMETER.length), value])),
    },
    window: parseWindow(values) ?? DEFAULT_WINDOW,
    language,
    query: values.get(language) ?? '',
  };
}

/** @param {Question} question */
export function formatLocation({ endpoint, parameters, window, language, query }) {
  const values = new URLSearchParams({ endpoint });
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== '') values.set(name === 'project' ? name : PARAMETER + name, value);
  }
  for (const [name, value] of formatWindow(window)) values.set(name, value);
  if (query !== '' || language === 'lql') values.set(language, query);
  return `#${values}`;
}
