import { QueryError } from '../../client/client.js';
import { tokenStore } from '../state/session.js';
import { fetchCatalogue } from './catalogue.js';
import { exchangeCode, takeSignInCode } from './sign-in.js';
import { makeTokenDialog } from './token-dialog.js';

/** @import { Catalogue } from '../editor/vocabulary.js' */

/** Below this the difference of two clocks is the request's own time. */
const SAME_CLOCK_MS = 5000;

/**
 * @typedef {object} AccessPage
 * @property {(catalogue: Catalogue) => void} connected A token is good: what there is to ask is known.
 * @property {() => void} begun The tab keeps that token.
 * @property {(message: string) => void} say What stands in place of rows.
 * @property {(error: QueryError) => void} complain
 */

/**
 * Who asks, and what they may ask: the tab's token, the link that stands for one, the catalogue and the service's clock.
 *
 * @param {string} baseUrl With a slash at its end.
 * @param {AccessPage} page
 */
export function makeAccess(baseUrl, page) {
  /** Of a link that signs in, until it was exchanged for the token. */
  let signInCode = takeSignInCode();
  /** @type {Catalogue | null} */
  let catalogue = null;
  /** What the service's clock is ahead of this one's. */
  let aheadMs = 0;
  const dialog = makeTokenDialog(useToken);

  /** Takes a token and begins with it: answers what is in the way, or null. @param {string} token */
  async function useToken(token) {
    if (token === '') {
      tokenStore.write('');
      catalogue = null;
      page.say('No access token.');
      return null;
    }
    try {
      await connect(token);
    } catch (error) {
      if (error instanceof QueryError) return error;
      throw error;
    }
    tokenStore.write(token);
    page.begun();
    return null;
  }

  /** @param {string} token */
  async function connect(token) {
    catalogue = await fetchCatalogue(baseUrl, token);
    aheadMs = catalogue.nowMicros / 1000 - Date.now();
    if (Math.abs(aheadMs) < SAME_CLOCK_MS) aheadMs = 0;
    if (catalogue.endpoints.length === 0)
      throw new QueryError('This token may use no endpoint.', { code: 403, status: 'PERMISSION_DENIED' });
    page.connected(catalogue);
  }

  /** Has the tab keep the token for which the link's code stands: answers what is in the way, or null. */
  async function signIn() {
    if (signInCode === null) return null;
    try {
      tokenStore.write(await exchangeCode(baseUrl, signInCode));
      signInCode = null;
      dialog.close();
      return null;
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      if (error.code !== 0) signInCode = null;
      return error;
    }
  }

  return {
    /** Null until a token was good. */
    catalogue: () => catalogue,
    /** The service's present. */
    nowMs: () => Date.now() + aheadMs,
    /** Goes on with the token of the link or of the tab, and asks for one where there is none or a bad one. */
    async begin() {
      const failure = await signIn();
      const token = tokenStore.read();
      const error = token === '' ? failure : await useToken(token);
      if (token !== '' && error === null) return;
      if (error !== null && error.code !== 401) return page.complain(error);
      tokenStore.write('');
      page.say('Enter an access token to begin.');
      dialog.open(error?.message ?? '', false);
    },
    /** Takes the code of a link that was put into the address of the open page; answers whether one waits. */
    takeLink() {
      signInCode = takeSignInCode() ?? signInCode;
      return signInCode !== null;
    },
    /** The service takes the token no more. @param {string} message */
    refused(message) {
      tokenStore.write('');
      dialog.open(message, false);
    },
    openDialog: () => dialog.open('', tokenStore.read() !== ''),
  };
}
