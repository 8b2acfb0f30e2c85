import { makeClient, QueryError } from '../../client/client.js';
import { addProject, tokenStore } from '../state/session.js';
import { byId } from './elements.js';
import { remember } from './remember.js';
import { missingParameter, takesWindow } from './request.js';
import { countEntries, explain, runQuery } from './run-query.js';
import { makeRunState } from './run-state.js';
import { shownAnswer } from './shown-answer.js';

/** @import { Explanation } from '../../client/client.d.ts' */
/** @import { Question } from '../state/location.js' */
/** @import { TimeWindow } from '../time/window.js' */
/** @import { EntryAct } from '../result/table.js' */
/** @import { PastQuery } from '../state/session.js' */
/** @import { Row } from '../result/columns.js' */
/** @import { ValueFilter } from './edit-query.js' */
/** @import { makeAccess } from './access.js' */
/** @import { Answer, QueryContext } from './run-query.js' */
/** @import { makeHistogramPanel } from './histogram-panel.js' */
/** @import { makeProblemView } from './problem-view.js' */
/** @import { makeQueryPanel } from './query-panel.js' */
/** @import { makeRequestForm } from './request-form.js' */
/** @import { makeResultView } from './result-view.js' */

/** The query that is shown, and the source whose entries it selects. @typedef {{ readonly context: QueryContext, readonly entriesOf: string | null, readonly explanation: Explanation | null }} Answered */

/**
 * The parts of the page that asking a question needs.
 *
 * @typedef {object} RunnerPage
 * @property {string} baseUrl
 * @property {ReturnType<typeof makeAccess>} access
 * @property {ReturnType<typeof makeRequestForm>} form
 * @property {ReturnType<typeof makeQueryPanel>} query
 * @property {ReturnType<typeof makeProblemView>} problem
 * @property {ReturnType<typeof makeResultView>} result
 * @property {ReturnType<typeof makeHistogramPanel>} histogram
 * @property {(window: TimeWindow) => void} zoomTo
 * @property {(filter: ValueFilter) => void} filter
 * @property {(row: Row, source: string | null) => readonly EntryAct[]} entryActs What can be done with a row, and with an entry of a source.
 * @property {(query: PastQuery) => boolean} isOfPage Whether the page has written a query for an entry.
 * @property {(answered: Answered | null) => void} answered Told which query is shown; null for none.
 */

/**
 * Asks questions, one at a time, and shows what comes back.
 *
 * @param {RunnerPage} page
 */
export function makeRunner({
  baseUrl,
  access,
  form,
  query,
  problem,
  result,
  histogram,
  zoomTo,
  filter,
  entryActs,
  isOfPage,
  answered,
}) {
  const runButton = byId('run', HTMLButtonElement);
  const state = makeRunState(result);

  /** Begins something new in place of what runs. */
  function start() {
    query.endWalk();
    return state.start();
  }

  /** @param {Question} question @param {boolean} isAddressed Whether the address says it already, if in other words. */
  async function run(question, isAddressed = false) {
    const endpoint = form.endpoint();
    const token = tokenStore.read();
    if (access.catalogue() === null || endpoint === null || token === '') return access.begin();
    const context = { endpoint, question, nowMs: access.nowMs(), signal: start() };
    remember(context.question, endpoint, isAddressed);
    const missing = missingParameter(endpoint, context.question);
    if (missing !== undefined) {
      state.stop(context.signal);
      form.markInvalid(missing.name);
      result.keep('');
      return problem.tell(
        `Fill in ${missing.name.replaceAll('_', ' ')}: ${missing.description.toLowerCase()}.`,
      );
    }
    form.markInvalid(null);
    const client = makeClient({ baseUrl, token });
    histogram.wait(endpoint.sandbox && takesWindow(endpoint));
    const explaining = explain(client, context);
    // A source without the columns to count by has no histogram; its rows are there.
    const counting = explaining
      .then((explanation) => countEntries(client, context, explanation))
      .catch(() => null);
    try {
      const answer = await runQuery(client, context, explaining, { countRows: true });
      if (context.signal.aborted) return;
      problem.clear();
      query.clearMark();
      showAnswer(context, answer);
      state.settle();
      const project = context.question.parameters[endpoint.projectParameter ?? ''];
      if (project) addProject(project);
      const counted = await counting;
      if (context.signal.aborted) return;
      histogram.show(counted);
    } catch (error) {
      if (!context.signal.aborted) showError(context.question, error);
    } finally {
      state.stop(context.signal);
    }
  }

  /** @param {QueryContext} context @param {Answer} answer */
  function showAnswer(context, { result: page, columns, explanation }) {
    const answer = { result: page, columns, explanation };
    answered({ context, explanation, entriesOf: explanation?.entriesOf ?? null });
    result.setZone(form.zone());
    result.show(
      shownAnswer(context, answer, {
        baseUrl,
        severities: access.catalogue()?.severities ?? null,
        filter,
        entryActs,
        isOfPage,
        zoomTo,
        more: () => void loadMore(context, answer),
      }),
    );
  }

  /** @param {QueryContext} context @param {Answer} answer */
  async function loadMore(context, answer) {
    const signal = start();
    try {
      const page = await makeClient({ baseUrl, token: tokenStore.read() }).next(answer.result, { signal });
      showAnswer(context, { ...answer, result: { ...page, rows: [...answer.result.rows, ...page.rows] } });
    } catch (error) {
      if (!signal.aborted) showError(context.question, error);
    } finally {
      state.stop(signal);
    }
  }

  /** @param {Question} question @param {unknown} error */
  function showError(question, error) {
    histogram.keep();
    result.keep('This run failed.', '');
    if (!(error instanceof QueryError)) throw error;
    if (error.code === 401) return access.refused(error.message);
    const hasPlace = query.mark(question, error.details, error.message);
    form.markInvalid(
      error.details.find(({ parameter }) => parameter !== undefined && !['sql', 'lql'].includes(parameter))
        ?.parameter ?? null,
    );
    problem.show(error, hasPlace);
  }

  return {
    run,
    /**
     * Asks again what is shown, and shows what came: nothing moves meanwhile. Nothing while a query runs. Throws a QueryError.
     *
     * @param {Answered} shown
     * @param {AbortSignal} signal
     */
    async refresh({ context: before, explanation }, signal) {
      if (state.isRunning()) return;
      const client = makeClient({ baseUrl, token: tokenStore.read() });
      const context = { ...before, nowMs: access.nowMs(), signal };
      const counting = countEntries(client, context, explanation).catch(() => null);
      const answer = await runQuery(client, context, Promise.resolve(explanation), { countRows: false });
      const counted = await counting;
      if (signal.aborted || state.isRunning()) return;
      showAnswer(context, answer);
      if (counted !== null) histogram.show(counted);
    },
    /** Ends what runs, if something does, and leaves what is shown to the caller. */
    abort: state.abort,
    /** Ends what runs, as a person wants it; answers whether something ran. */
    cancel() {
      if (!state.cancel()) return false;
      histogram.keep();
      result.keep('Cancelled. Run it again when you like.');
      runButton.focus();
      return true;
    },
  };
}
