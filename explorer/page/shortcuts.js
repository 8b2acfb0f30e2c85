/**
 * What keys do wherever the focus is, unless a dialog is open or the focused thing takes the key itself.
 *
 * @param {{ readonly run: () => void, readonly cancel: () => boolean, readonly write: () => void, readonly help: () => void }} page
 *   `cancel` answers whether there was something to cancel.
 */
export function listenForShortcuts({ run, cancel, write, help }) {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || document.querySelector('dialog[open]') !== null) return;
    const isWriting = takesText(event.composedPath()[0]);
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run();
    else if (event.key === 'Escape' && cancel()) return event.preventDefault();
    else if (event.key === '/' && !isWriting) write();
    else if (event.key === '?' && !isWriting) help();
    else return;
    event.preventDefault();
  });
}

/** @param {EventTarget | undefined} target */
function takesText(target) {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, select, textarea'))
  );
}
