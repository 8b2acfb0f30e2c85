import { QueryError } from '../client/client.js';
import { makeAccess } from './page/access.js';
import { editQuery } from './page/edit-query.js';
import { byId } from './page/elements.js';
import { facetView } from './page/facet-view.js';
import { COMMAND, makeHelpDialog } from './page/help-dialog.js';
import { makeHistogramPanel } from './page/histogram-panel.js';
import { makeProblemView } from './page/problem-view.js';
import { makeQueryPanel } from './page/query-panel.js';
import { makeRequestForm } from './page/request-form.js';
import { makeResultView } from './page/result-view.js';
import { makeRunner } from './page/runner.js';
import { listenForShortcuts } from './page/shortcuts.js';
import { startTheme } from './page/theme.js';
import { parseLocation } from './state/location.js';
import { tokenStore } from './state/session.js';

/** @import { Catalogue } from './editor/vocabulary.js' */
/** @import { Question } from './state/location.js' */
/** @import { QueryEdit, ValueFilter } from './page/edit-query.js' */
/** @import { Answered } from './page/runner.js' */
/** @import { PastQuery } from './state/session.js' */
/** @import { TimeWindow } from './time/window.js' */

/* Puts the parts of the page together. */
const baseUrl = new URL('.', document.baseURI).href;
const access = makeAccess(baseUrl, {
  connected: (catalogue) => showTarget(catalogue, parseLocation(location.hash)),
  begun,
  say: (message) => result.clear(message),
  complain: (error) => problem.show(error, false),
});
const form = makeRequestForm({
  nowMs: access.nowMs,
  submit: run,
  endpointChanged: showEndpoint,
  zoneChanged: showZone,
});
const result = makeResultView();
const help = makeHelpDialog();
const query = makeQueryPanel({
  run,
  facet: (source, path) => facetView({ baseUrl, source, path, current: currentQuestion, filter }),
});
const problem = makeProblemView({ goTo: query.goToMark, again: run });
const histogram = makeHistogramPanel({
  zone: form.zone,
  window: () => form.read().window,
  nowMs: access.nowMs,
  zoomTo,
});
/** The query whose rows are shown. @type {Answered | null} */
let shown = null;
const runner = makeRunner({
  baseUrl,
  access,
  form,
  query,
  problem,
  result,
  histogram,
  zoomTo,
  filter,
  answered,
});

/** @returns {Question} */
function question() {
  return { ...form.read(), ...query.read() };
}

/** Asks what the page's controls say and shows the answer. */
function run() {
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

/** Has the query that is written ask for a value, or leave it out, and runs it. @param {ValueFilter} wanted */
async function filter(wanted) {
  const written = wanted.source === undefined ? query.read() : { ...query.read(), query: '' };
  if (await change(written, { action: 'filter', ...wanted })) await run();
}

/** Has the service change what is written; answers whether it did. @param {PastQuery} written @param {QueryEdit} edit */
async function change(written, edit) {
  const endpoint = form.endpoint();
  if (endpoint === null) return false;
  try {
    query.put(await editQuery(baseUrl, tokenStore.read(), endpoint.name, written, edit));
    return true;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const hasPlace = query.mark(written, error.details, error.message);
    problem.show(error, hasPlace);
    return false;
  }
}

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

/** @param {Catalogue} catalogue @param {Question} target */
function showTarget(catalogue, target) {
  form.show(catalogue, target);
  showEndpoint();
}

function showEndpoint() {
  const endpoint = form.endpoint();
  const catalogue = access.catalogue();
  if (endpoint !== null && catalogue !== null) query.setEndpoint(endpoint, catalogue.functions);
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

/** The address became another one, by the browser's back or by hand. */
function showAddressed() {
  if (access.takeLink()) return void access.begin();
  const target = parseLocation(location.hash);
  query.show(target);
  const catalogue = access.catalogue();
  if (catalogue !== null) showTarget(catalogue, target);
  begun();
}

function wire() {
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
  addEventListener('popstate', showAddressed);
  addEventListener('resize', () => {
    result.drawChart();
    histogram.draw();
  });
  const [navigation] = performance.getEntriesByType('navigation');
  const isReload = navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload';
  query.begin(parseLocation(location.hash), isReload);
}

wire();
await access.begin();
