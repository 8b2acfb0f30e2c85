import { makeClient, QueryError } from '../client/client.js';
import { showHistogram } from './chart/histogram.js';
import { ask, countEntries, explain } from './page/ask.js';
import { fetchCatalogue } from './page/catalogue.js';
import { byId } from './page/elements.js';
import { COMMAND, makeHelpDialog } from './page/help-dialog.js';
import { makeProblemView } from './page/problem-view.js';
import { makeQueryPanel } from './page/query-panel.js';
import { missingParameter, ownQuery, requestParameters, takesWindow } from './page/request.js';
import { makeRequestForm } from './page/request-form.js';
import { makeResultView } from './page/result-view.js';
import { listenForShortcuts } from './page/shortcuts.js';
import { exchangeCode, takeSignInCode } from './page/sign-in.js';
import { startTheme } from './page/theme.js';
import { makeTokenDialog } from './page/token-dialog.js';
import { toCurl } from './result/curl.js';
import { formatLocation, parseLocation } from './state/location.js';
import { addProject, addToHistory, tokenStore } from './state/session.js';
import { between, widerWindows } from './time/window.js';

/** @import { Answer, Asked, Counts } from './page/ask.js' */
/** @import { Catalogue } from './editor/vocabulary.js' */
/** @import { Question } from './state/location.js' */
/** @import { TimeWindow } from './time/window.js' */

const baseUrl = new URL('.', document.baseURI).href;
/** Of a link that signs in, until it was exchanged for the token. */
let signInCode = takeSignInCode();
/** @type {Catalogue | null} */
let catalogue = null;
/** What the service's clock is ahead of this one's. */
let aheadMs = 0;
/** @type {AbortController | null} */
let running = null;
/** @type {Counts | null} */
let counts = null;

const nowMs = () => Date.now() + aheadMs;
const form = makeRequestForm({ nowMs, submit: run, endpointChanged: showEndpoint, zoneChanged: showZone });
const result = makeResultView();
const help = makeHelpDialog();
const query = makeQueryPanel(run);
const problem = makeProblemView({ goTo: query.goToMark, again: run });
const tokens = makeTokenDialog(useToken);
const runButton = byId('run', HTMLButtonElement);
const cancelButton = byId('cancel', HTMLButtonElement);
const histogram = byId('histogram', HTMLElement);

/** @returns {Question} */
function question() {
  return { ...form.read(), ...query.read() };
}

/** Takes a token and begins with it: answers what is in the way, or null. @param {string} token */
async function useToken(token) {
  if (token === '') {
    tokenStore.write('');
    catalogue = null;
    result.clear('No access token.');
    return null;
  }
  try {
    await connect(token);
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  tokenStore.write(token);
  begun();
  return null;
}

/** Asks what the address says, if that can be asked. */
function begun() {
  problem.clear();
  const { endpoint } = parseLocation(location.hash);
  if (endpoint === '' || catalogue?.endpoints.some(({ name }) => name === endpoint))
    return void runAsAddressed();
  running?.abort();
  counts = null;
  drawHistogram();
  result.clear('');
  problem.tell(`There is no endpoint ${endpoint} for this access token. Choose another one, and run.`);
}

/** @param {string} token */
async function connect(token) {
  catalogue = await fetchCatalogue(baseUrl, token);
  aheadMs = catalogue.nowMicros / 1000 - Date.now();
  // Below this the difference is the request's own time.
  if (Math.abs(aheadMs) < 5000) aheadMs = 0;
  if (catalogue.endpoints.length === 0)
    throw new QueryError('This token may use no endpoint.', { code: 403, status: 'PERMISSION_DENIED' });
  showTarget(parseLocation(location.hash));
}

/** @param {Question} asked */
function showTarget(asked) {
  if (catalogue === null) return;
  form.show(catalogue, asked);
  showEndpoint();
}

function showEndpoint() {
  const endpoint = form.endpoint();
  if (endpoint !== null && catalogue !== null) query.setEndpoint(endpoint, catalogue.functions);
}

function showZone() {
  result.setZone(form.zone());
  drawHistogram();
}

/** Asks what the page's controls say and shows the answer. */
function run() {
  return runQuestion(question());
}

/** Asks what the address says: after a reload, a draft that nobody has run yet stays a draft. */
function runAsAddressed() {
  const { language, query: text } = parseLocation(location.hash);
  return runQuestion(query.isRestored() ? { ...question(), language, query: text } : question(), true);
}

/** @param {Question} question @param {boolean} isAddressed Whether the address says it already, if in other words. */
async function runQuestion(question, isAddressed = false) {
  const endpoint = form.endpoint();
  const token = tokenStore.read();
  if (catalogue === null || endpoint === null || token === '') return begin();
  const asked = { endpoint, question, nowMs: nowMs(), signal: start() };
  remember(asked.question, isAddressed);
  const missing = missingParameter(endpoint, asked.question);
  if (missing !== undefined) {
    stop(asked.signal);
    form.markInvalid(missing.name);
    result.clear('');
    return problem.tell(
      `Fill in ${missing.name.replaceAll('_', ' ')}: ${missing.description.toLowerCase()}.`,
    );
  }
  form.markInvalid(null);
  const client = makeClient({ baseUrl, token });
  // Where a histogram will stand is kept free, so that nothing moves under the mouse.
  if (endpoint.sandbox && takesWindow(endpoint)) histogram.hidden = false;
  histogram.setAttribute('aria-busy', 'true');
  const explaining = explain(client, asked);
  // A source without the columns to count by has no histogram; its rows are there.
  const counting = explaining.then((told) => countEntries(client, asked, told)).catch(() => null);
  try {
    const answer = await ask(client, asked, explaining);
    if (asked.signal.aborted) return;
    problem.clear();
    query.clearMark();
    showAnswer(asked, answer);
    result.setBusy(false);
    if (asked.question.parameters.project) addProject(asked.question.parameters.project);
    const counted = await counting;
    if (asked.signal.aborted) return;
    counts = counted;
    drawHistogram();
  } catch (error) {
    if (!asked.signal.aborted) showError(asked.question, error);
  } finally {
    stop(asked.signal);
  }
}

/** Ends what runs and begins something new. */
function start() {
  running?.abort();
  running = new AbortController();
  query.endWalk();
  result.setBusy(true);
  result.say('Running…');
  cancelButton.hidden = false;
  return running.signal;
}

/** @param {AbortSignal} signal */
function stop(signal) {
  if (running?.signal !== signal) return;
  running = null;
  result.setBusy(false);
  cancelButton.hidden = true;
}

/** Answers whether something ran. */
function cancel() {
  if (running === null) return false;
  running.abort();
  stop(running.signal);
  drawHistogram();
  result.clear('Cancelled. Run it again when you like.');
  runButton.focus();
  return true;
}

/** Puts the question into the address and the history. @param {Question} asked @param {boolean} isAddressed */
function remember(asked, isAddressed) {
  addToHistory(asked);
  const hash = formatLocation(asked);
  if (location.hash === '' || isAddressed) history.replaceState(null, '', hash);
  else if (hash !== location.hash) history.pushState(null, '', hash);
  document.title = [asked.parameters.project, asked.endpoint, 'Log explorer'].filter(Boolean).join(' · ');
}

/** @param {Asked} asked @param {Answer} answer */
function showAnswer(asked, { result: page, columns, explanation }) {
  const { endpoint } = asked;
  const values = {
    ...requestParameters(endpoint, asked.question, asked.nowMs),
    ...ownQuery(endpoint, asked.question),
  };
  const more = page.next === null ? null : () => loadMore(asked, { result: page, columns, explanation });
  result.setZone(form.zone());
  result.show({
    rows: page.rows,
    columns,
    facts: page.facts,
    // What the endpoint's own query or a translated one does is not its caller's to mend.
    warnings: 'sql' in values ? (explanation?.warnings ?? []) : [],
    maxRows: endpoint.maxRows,
    endpoint: endpoint.name,
    curl: toCurl(baseUrl, endpoint.name, values),
    more,
    ways: takesWindow(endpoint)
      ? widerWindows(asked.question.window).map(([label, window]) => ({ label, act: () => zoomTo(window) }))
      : [],
  });
}

/** @param {Asked} asked @param {Answer} answer */
async function loadMore(asked, answer) {
  const signal = start();
  try {
    const page = await makeClient({ baseUrl, token: tokenStore.read() }).next(answer.result, { signal });
    showAnswer(asked, { ...answer, result: { ...page, rows: [...answer.result.rows, ...page.rows] } });
  } catch (error) {
    if (!signal.aborted) showError(asked.question, error);
  } finally {
    stop(signal);
  }
}

function drawHistogram() {
  histogram.setAttribute('aria-busy', 'false');
  histogram.hidden = counts === null || counts.buckets.length === 0;
  if (counts === null || histogram.hidden) return;
  showHistogram(histogram, { ...counts, zone: form.zone() }, (startMs, endMs) => {
    const window = between(startMs, endMs);
    if (window !== null) zoomTo(window);
  });
}

/** @param {TimeWindow} window */
function zoomTo(window) {
  form.setWindow(window);
  void run();
}

/** @param {Question} asked @param {unknown} error */
function showError(asked, error) {
  counts = null;
  drawHistogram();
  result.clear('');
  if (!(error instanceof QueryError)) throw error;
  if (error.code === 401) {
    tokenStore.write('');
    tokens.open(error.message, false);
    return;
  }
  const hasPlace = query.mark(asked, error.details, error.message);
  form.markInvalid(
    error.details.find(({ parameter }) => parameter !== undefined && !['sql', 'lql'].includes(parameter))
      ?.parameter ?? null,
  );
  problem.show(error, hasPlace);
}

/** Has the tab keep the token for which the link's code stands: answers what is in the way, or null. */
async function signIn() {
  if (signInCode === null) return null;
  try {
    tokenStore.write(await exchangeCode(baseUrl, signInCode));
    signInCode = null;
    tokens.close();
    return null;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    if (error.code !== 0) signInCode = null;
    return error;
  }
}

/** Goes on with the token of the link or of the tab, and asks for one where there is none or a bad one. */
async function begin() {
  const failure = await signIn();
  const token = tokenStore.read();
  const error = token === '' ? failure : await useToken(token);
  if (token !== '' && error === null) return;
  if (error !== null && error.code !== 401) return problem.show(error, false);
  tokenStore.write('');
  result.clear('Enter an access token to begin.');
  tokens.open(error?.message ?? '', false);
}

function wire() {
  startTheme(byId('theme', HTMLButtonElement));
  const sources = byId('sources', HTMLDetailsElement);
  sources.open = matchMedia('(min-width: 70rem)').matches;
  runButton.querySelector('kbd')?.append(`${COMMAND} ⏎`);
  runButton.addEventListener('click', () => void run());
  cancelButton.addEventListener('click', cancel);
  byId('access', HTMLButtonElement).addEventListener('click', () =>
    tokens.open('', tokenStore.read() !== ''),
  );
  byId('help', HTMLButtonElement).addEventListener('click', help.open);
  listenForShortcuts({ run, cancel, write: query.focus, help: help.open });
  addEventListener('popstate', () => {
    signInCode = takeSignInCode() ?? signInCode;
    if (signInCode !== null) return void begin();
    const asked = parseLocation(location.hash);
    query.show(asked);
    showTarget(asked);
    begun();
  });
  addEventListener('resize', () => {
    result.drawChart();
    drawHistogram();
  });
  const [navigation] = performance.getEntriesByType('navigation');
  const isReload = navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload';
  query.begin(parseLocation(location.hash), isReload);
}

wire();
await begin();
