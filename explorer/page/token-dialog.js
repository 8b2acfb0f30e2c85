import { byId } from './elements.js';

/**
 * Asks for an access token. `use` is given each one that is entered and answers what is wrong with it, or null when
 * it is good, which closes the dialog; it is given the empty text when the token should be forgotten.
 *
 * @param {(token: string) => Promise<Error | null>} use
 */
export function makeTokenDialog(use) {
  const dialog = byId('token-dialog', HTMLDialogElement);
  const input = byId('token', HTMLInputElement);
  const problem = byId('token-problem', HTMLParagraphElement);
  const forget = byId('token-forget', HTMLButtonElement);

  const complain = (/** @type {string} */ message) => {
    problem.textContent = message;
    input.setAttribute('aria-invalid', String(message !== ''));
    input.focus();
    input.select();
  };
  byId('token-form', HTMLFormElement).addEventListener('submit', async (event) => {
    event.preventDefault();
    const error = await use(input.value.trim());
    if (error !== null) return complain(error.message);
    input.value = '';
    dialog.close();
  });
  byId('token-cancel', HTMLButtonElement).addEventListener('click', () => dialog.close());
  forget.addEventListener('click', async () => {
    await use('');
    dialog.close();
  });

  return {
    close: () => dialog.close(),
    /** @param {string} message Why it is asked for; may be empty. @param {boolean} hasToken */
    open(message, hasToken) {
      forget.hidden = !hasToken;
      if (!dialog.open) dialog.showModal();
      complain(message);
    },
  };
}
