import { parseLocation } from '../state/location.js';
import { parseWindow } from '../time/window.js';

/** @import { Catalogue } from '../editor/vocabulary.js' */
/** @import { Question } from '../state/location.js' */
/** @import { makeAccess } from './access.js' */
/** @import { makeHistogramPanel } from './histogram-panel.js' */
/** @import { makeProblemView } from './problem-view.js' */
/** @import { makeQueryPanel } from './query-panel.js' */
/** @import { makeRequestForm } from './request-form.js' */
/** @import { makeResultView } from './result-view.js' */
/** @import { makeRunner } from './runner.js' */
/** @import { SharedQuery } from './shared-queries.js' */

/**
 * The parts of the page that show another question.
 *
 * @typedef {object} NavigationPage
 * @property {ReturnType<typeof makeAccess>} access
 * @property {ReturnType<typeof makeRequestForm>} form
 * @property {ReturnType<typeof makeQueryPanel>} query
 * @property {ReturnType<typeof makeProblemView>} problem
 * @property {ReturnType<typeof makeHistogramPanel>} histogram
 * @property {ReturnType<typeof makeResultView>} result
 * @property {ReturnType<typeof makeRunner>} runner
 * @property {() => Question} question What the controls say.
 */

/**
 * Goes to the question that the address has, or a query of the team.
 *
 * @param {NavigationPage} page
 */
export function makeNavigation({ access, form, query, problem, histogram, result, runner, question }) {
  /** Asks what the address says: after a reload, a draft that has not run yet stays a draft. */
  function runAsAddressed() {
    const { language, query: text } = parseLocation(location.hash);
    return runner.run(query.isRestored() ? { ...question(), language, query: text } : question(), true);
  }

  /** Asks what the address says, if that can be asked. */
  function begun() {
    problem.clear();
    const { endpoint } = parseLocation(location.hash);
    if (endpoint === '' || access.catalogue()?.endpoints.some(({ name }) => name === endpoint))
      return void runAsAddressed();
    runner.abort();
    histogram.show(null);
    result.clear('');
    problem.tell(`There is no endpoint ${endpoint} for this access token. Choose another one, and run.`);
  }

  function showEndpoint() {
    const endpoint = form.endpoint();
    const catalogue = access.catalogue();
    if (endpoint !== null && catalogue !== null) query.setEndpoint(endpoint, catalogue.functions);
  }

  /** @param {Catalogue} catalogue @param {Question} target */
  function showTarget(catalogue, target) {
    form.show(catalogue, target);
    showEndpoint();
  }

  return {
    begun,
    showEndpoint,
    showTarget,
    /** The address became another one, by the browser's back or by hand. */
    showAddressed() {
      if (access.takeLink()) return void access.begin();
      const target = parseLocation(location.hash);
      query.show(target);
      const catalogue = access.catalogue();
      if (catalogue !== null) showTarget(catalogue, target);
      begun();
    },
    /** Puts a query of the team in place of what is written, with the endpoint and the window that it is about. @param {SharedQuery} shared */
    putShared({ endpoint, language, query: text, window }) {
      const catalogue = access.catalogue();
      if (catalogue === null) return;
      const asked = question();
      const about = window === null ? null : parseWindow(new URLSearchParams(window));
      showTarget(catalogue, { ...asked, endpoint, window: about ?? asked.window });
      query.put({ language, query: text });
    },
  };
}
