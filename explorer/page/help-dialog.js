import { clearHistory } from '../state/session.js';
import { byId, element } from './elements.js';

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The name of the key that stands for commands here. */
export const COMMAND = IS_MAC ? '⌘' : 'Ctrl';
const ALT = IS_MAC ? '⌥' : 'Alt';

/** @type {readonly (readonly [string, string])[]} */
const KEYS = [
  [`${COMMAND} Enter`, 'Run the query'],
  ['Escape', 'Cancel a query that runs'],
  [`${ALT} ↑ / ↓`, 'In the query: the previous or next query of the history'],
  ['Ctrl Space', 'In the query: possible completions'],
  ['/', 'Go to the query'],
  ['← → Enter', 'In the histogram: choose bars (Shift: more of them) and zoom in; − zooms out'],
  ['↑ ↓ Enter', 'In the rows, at the beginning of one: the one before or after it, and all of it'],
  ['?', 'This list'],
];

/** The list of keys. */
export function makeHelpDialog() {
  const dialog = byId('help-dialog', HTMLDialogElement);
  const clear = byId('history-clear', HTMLButtonElement);
  byId('help-keys', HTMLElement).append(
    ...KEYS.flatMap(([keys, what]) => [element('dt', {}, element('kbd', {}, keys)), element('dd', {}, what)]),
  );
  byId('help-close', HTMLButtonElement).addEventListener('click', () => dialog.close());
  clear.addEventListener('click', () => {
    clearHistory();
    clear.textContent = 'The history is empty';
  });
  return { open: () => dialog.open || dialog.showModal() };
}
