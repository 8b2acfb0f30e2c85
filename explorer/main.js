import { makeClient } from '../client/client.js';
import { makeAccess } from './page/access.js';
import { makeQueryCheck } from './page/check-query.js';
import { copyOnClick } from './page/copy.js';
import { byId } from './page/elements.js';
import { facetView } from './page/facet-view.js';
import { COMMAND, makeHelpDialog } from './page/help-dialog.js';
import { makeHistogramPanel } from './page/histogram-panel.js';
import { makeLive } from './page/live.js';
import { makeLqlHelp } from './page/lql-help.js';
import { wireMenus } from './page/menus.js';
import { makeNavigation } from './page/navigation.js';
import { makeProblemView } from './page/problem-view.js';
import { makeQueriesMenu } from './page/queries-menu.js';
import { makeQueryChanges } from './page/query-changes.js';
import { makeQueryPanel } from './page/query-panel.js';
import { adHocQuery, missingParameter, requestParameters } from './page/request.js';
import { makeRequestForm } from './page/request-form.js';
import { makeResultView } from './page/result-view.js';
import { makeRunner } from './page/runner.js';
import { fetchSharedQueries } from './page/shared-queries.js';
import { listenForShortcuts } from './page/shortcuts.js';
import { startTheme } from './page/theme.js';
import { makeToolsMenu } from './page/tools-menu.js';
import { parseLocation } from './state/location.js';
import { tokenStore } from './state/session.js';
import { shareLink } from './state/share-link.js';

/** @import { Question } from './state/location.js' */
/** @import { Answered } from './page/runner.js' */
/** @import { TimeWindow } from './time/window.js' */

/* Puts the parts of the page together. */
const baseUrl = new URL('.', document.baseURI).href;
const access = makeAccess(baseUrl, {
  connected: (catalogue) => navigation.showTarget(catalogue, parseLocation(location.hash)),
  begun: () => navigation.begun(),
  say: (message) => result.clear(message),
  complain: (error) => problem.show(error, false),
});
const form = makeRequestForm({
  nowMs: access.nowMs,
  submit: run,
  newest: () => void changes.showNewest(),
  endpointChanged: () => navigation.showEndpoint(),
  zoneChanged: showZone,
});
const result = makeResultView();
const help = makeHelpDialog();
const query = makeQueryPanel({
  run,
  written: () => check.changed(),
  facet: (source, path) =>
    facetView({
      baseUrl,
      source,
      path,
      current: currentQuestion,
      filter: (wanted) => void changes.filter(wanted),
    }),
});
const problem = makeProblemView({ goTo: query.goToMark, again: run });
const histogram = makeHistogramPanel({
  zone: form.zone,
  window: () => form.read().window,
  nowMs: access.nowMs,
  zoomTo,
});
const check = makeQueryCheck({
  read: query.read,
  explain(written, signal) {
    const endpoint = form.endpoint();
    const asked = { ...question(), ...written };
    if (endpoint === null || !endpoint.sandbox || missingParameter(endpoint, asked) !== undefined)
      return null;
    const client = makeClient({ baseUrl, token: tokenStore.read() });
    const parameters = requestParameters(endpoint, asked, access.nowMs());
    return client.explain(endpoint.name, parameters, { ...adHocQuery(endpoint, asked), signal });
  },
  mark: (written, error) => void query.mark(written, error.details, error.message),
});
/** The query whose rows are shown. @type {Answered | null} */
let shown = null;
const changes = makeQueryChanges({
  baseUrl,
  nowMs: access.nowMs,
  form,
  query,
  problem,
  shown: () => shown,
  run,
  zoomTo,
  markRow: result.mark,
});
const runner = makeRunner({
  baseUrl,
  access,
  form,
  query,
  problem,
  result,
  histogram,
  zoomTo,
  filter: changes.filter,
  entryActs: changes.entryActs,
  isOfPage: changes.isOfPage,
  answered,
});

const navigation = makeNavigation({ access, form, query, problem, histogram, result, runner, question });

/** @returns {Question} */
function question() {
  return { ...form.read(), ...query.read() };
}

/** Asks what the page's controls say and shows the answer. */
function run() {
  check.stop();
  return runner.run(question());
}

/** @param {Answered | null} next */
function answered(next) {
  shown = next;
}

/** What is asked now: the query that is shown, over the window and the project that the form says. */
function currentQuestion() {
  const endpoint = form.endpoint();
  if (endpoint === null || shown === null || shown.context.endpoint.name !== endpoint.name) return null;
  const { parameters, window } = form.read();
  const context = {
    ...shown.context,
    question: { ...shown.context.question, parameters, window },
    nowMs: access.nowMs(),
  };
  return { ...shown, context };
}

function showZone() {
  result.setZone(form.zone());
  histogram.draw();
}

/** @param {TimeWindow} window */
function zoomTo(window) {
  form.setWindow(window);
  void run();
}

function wire() {
  makeToolsMenu();
  wireMenus();
  makeLqlHelp();
  makeQueriesMenu({
    read: query.read,
    put: query.put,
    putShared: navigation.putShared,
    shared: async () => (tokenStore.read() === '' ? [] : fetchSharedQueries(baseUrl, tokenStore.read())),
  });
  copyOnClick(byId('copy-link', HTMLButtonElement), () => shareLink(question(), null));
  copyOnClick(byId('copy-fixed', HTMLButtonElement), () => shareLink(question(), access.nowMs()));
  const rewrite = (/** @type {'format' | 'to_sql'} */ action) => () =>
    void changes.change(query.read(), { action });
  byId('format', HTMLButtonElement).addEventListener('click', rewrite('format'));
  byId('to-sql', HTMLButtonElement).addEventListener('click', rewrite('to_sql'));
  makeLive({
    button: byId('live', HTMLButtonElement),
    rows: byId('rows', HTMLDivElement),
    refresh: async (signal) => {
      if (shown !== null) await runner.refresh(shown, signal);
    },
    complain: (error) => problem.show(error, false),
  });
  startTheme(byId('theme', HTMLButtonElement));
  const sources = byId('sources', HTMLDetailsElement);
  sources.open = matchMedia('(min-width: 70rem)').matches;
  const runButton = byId('run', HTMLButtonElement);
  runButton.querySelector('kbd')?.append(`${COMMAND} ⏎`);
  runButton.addEventListener('click', () => void run());
  byId('cancel', HTMLButtonElement).addEventListener('click', runner.cancel);
  byId('access', HTMLButtonElement).addEventListener('click', access.openDialog);
  byId('help', HTMLButtonElement).addEventListener('click', help.open);
  listenForShortcuts({ run, cancel: runner.cancel, write: query.focus, help: help.open });
  addEventListener('popstate', navigation.showAddressed);
  addEventListener('resize', () => {
    result.drawChart();
    histogram.draw();
  });
  const [loading] = performance.getEntriesByType('navigation');
  const isReload = loading instanceof PerformanceNavigationTiming && loading.type === 'reload';
  query.begin(parseLocation(location.hash), isReload);
}

wire();
await access.begin();
