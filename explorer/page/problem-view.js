import { byId, element } from './elements.js';

/** @import { QueryError } from '../../client/client.d.ts' */

/** What a person can do about an error that the query's author did not make. */
const ADVICE = /** @type {Readonly<Record<string, string>>} */ ({
  UNREACHABLE: 'Is the service running, and are you connected? Then try again.',
  RESOURCE_EXHAUSTED: 'A narrower window or fewer columns read less.',
  UNAVAILABLE: 'The service runs, but the warehouse or a store does not answer. Try again shortly.',
  DEADLINE_EXCEEDED: 'A narrower window or fewer sources take less time.',
  INTERNAL: 'The service’s operator finds the reason by the request id.',
});

/** The place that says what went wrong. @param {{ readonly goTo: () => void, readonly again: () => void }} page */
export function makeProblemView({ goTo, again }) {
  const host = byId('problem', HTMLDivElement);
  return {
    clear: () => host.replaceChildren(),
    /** @param {string} message */
    tell: (message) => host.replaceChildren(element('div', { class: 'problem' }, element('p', {}, message))),
    /** @param {QueryError} error @param {boolean} hasPlace Whether the query shows where. */
    show(error, hasPlace) {
      const { code, status, message, requestId, retryAfterSeconds } = error;
      const wait = retryAfterSeconds === null ? '' : ` It may work again in ${retryAfterSeconds} s.`;
      const advice = `${ADVICE[status] ?? ''}${wait}`.trim();
      const isOthers = code === 0 || code === 429 || code >= 500;
      const facts = [
        code === 0 ? '' : `${code} ${status}`,
        requestId === null ? '' : `request ${requestId}`,
      ].filter((text) => text !== '');
      host.replaceChildren(
        element(
          'div',
          { class: 'problem' },
          element('p', {}, element('strong', {}, message)),
          advice !== '' && element('p', {}, advice),
          element(
            'p',
            { class: 'note' },
            facts.length > 0 && element('span', {}, facts.join(' · ')),
            facts.length > 0 && ' ',
            hasPlace &&
              element('button', { type: 'button', class: 'quiet', onclick: goTo }, 'Go to the place'),
            isOthers && element('button', { type: 'button', class: 'quiet', onclick: again }, 'Try again'),
          ),
        ),
      );
    },
  };
}
