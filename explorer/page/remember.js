import { formatLocation } from '../state/location.js';
import { addToHistory } from '../state/session.js';

/** @import { EndpointEntry } from '../editor/vocabulary.js' */
/** @import { Question } from '../state/location.js' */

/** Puts the question into the address and the history. @param {Question} question @param {EndpointEntry} endpoint @param {boolean} isAddressed */
export function remember(question, { projectParameter }, isAddressed) {
  addToHistory(question);
  const hash = formatLocation(question);
  if (location.hash === '' || isAddressed) history.replaceState(null, '', hash);
  else if (hash !== location.hash) history.pushState(null, '', hash);
  document.title = [question.parameters[projectParameter ?? ''], question.endpoint, 'Log explorer']
    .filter(Boolean)
    .join(' · ');
}
