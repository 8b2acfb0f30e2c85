import { element } from './elements.js';

/**
 * A button that copies a text and says so. `text` is asked when it is pressed; null copies nothing.
 *
 * @param {HTMLButtonElement} button
 * @param {() => string | null} text
 */
export function copyOnClick(button, text) {
  const label = button.textContent;
  button.addEventListener('click', async () => {
    const copied = text();
    if (copied === null) return;
    button.textContent = (await copy(copied)) ? 'Copied' : 'The browser does not allow it';
    setTimeout(() => {
      button.textContent = label;
    }, 1500);
  });
}

/** @param {string} text */
async function copy(text) {
  // There is no clipboard where the page comes over plain HTTP from another machine.
  if (navigator.clipboard === undefined) return copySelected(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

/** @param {string} text */
function copySelected(text) {
  const area = element('textarea', { class: 'hidden', 'aria-hidden': 'true' });
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}
