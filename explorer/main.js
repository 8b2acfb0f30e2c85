import { makeClient, QueryError } from '../client/client.js';
import { showHistogram } from './chart/histogram.js';
import { makeEditor } from './editor/editor.js';
import { errorPlace } from './editor/error-place.js';
import { ask, countEntries } from './page/ask.js';
import { fetchCatalogue } from './page/catalogue.js';
import { byId, element } from './page/elements.js';
import { examplesFor } from './page/examples.js';
import { COMMAND, makeHelpDialog } from './page/help-dialog.js';
import { makeProblemView } from './page/problem-view.js';
import { missingParameter, ownQuery, requestParameters, takesWindow } from './page/request.js';
import { makeRequestForm } from './page/request-form.js';
import { makeResultView } from './page/result-view.js';
import { showSources } from './page/sources-panel.js';
import { startTheme } from './page/theme.js';
import { makeTokenDialog } from './page/token-dialog.js';
import { toCurl } from './result/curl.js';
import { formatLocation, parseLocation } from './state/location.js';
import { makeHistoryWalk } from './state/query-history.js';
import { addProject, addToHistory, tokenStore } from './state/session.js';
import { between } from './time/window.js';

/** @import { Answer, Asked, Counts } from './page/ask.js' */
/** @import { Catalogue } from './editor/vocabulary.js' */
/** @import { Language, Question } from './state/location.js' */
/** @import { TimeWindow } from './time/window.js' */

const baseUrl = new URL('.', document.baseURI).href;
const WIDER = /** @type {const} */ ([
  ['Last 24 hours', { kind: 'last', seconds: 86_400 }],
  ['Last 7 days', { kind: 'last', seconds: 604_800 }],
  ['All time', { kind: 'all' }],
]);

/** @type {Catalogue | null} */
let catalogue = null;
/** What the service's clock is ahead of this one's. */
let aheadMs = 0;
/** @type {AbortController | null} */
let running = null;
/** @type {Counts | null} */
let counts = null;
/** @type {Language} */
let language = 'sql';

const nowMs = () => Date.now() + aheadMs;
const walk = makeHistoryWalk();
const form = makeRequestForm({ nowMs, submit: run, endpointChanged: showEndpoint, zoneChanged: showZone });
const result = makeResultView();
const help = makeHelpDialog();
const editorHost = byId('editor-host', HTMLDivElement);
const editor = makeEditor(editorHost, { run, recall, change: () => editor.markError(null, '') });
const problem = makeProblemView({ goTo: () => editor.focus(markedAt), again: run });
const tokens = makeTokenDialog(useToken);
const runButton = byId('run', HTMLButtonElement);
const cancelButton = byId('cancel', HTMLButtonElement);
const examples = byId('examples', HTMLSelectElement);
const histogram = byId('histogram', HTMLElement);
let markedAt = 0;

/** @returns {Question} */
function question() {
  return { ...form.read(), language, query: editor.text() };
}

/** Takes a new token: answers what is wrong with it, or null. @param {string} token */
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
    if (error instanceof QueryError) return error.message;
    throw error;
  }
  tokenStore.write(token);
  problem.clear();
  void run();
  return null;
}

/** @param {string} token */
async function connect(token) {
  catalogue = await fetchCatalogue(baseUrl, token);
  aheadMs = catalogue.nowMicros / 1000 - Date.now();
  // Below this the difference is the request's own time.
  if (Math.abs(aheadMs) < 5000) aheadMs = 0;
  if (catalogue.endpoints.length === 0)
    throw new QueryError('This token may use no endpoint.', { code: 403, status: 'PERMISSION_DENIED' });
  showQuestion(parseLocation(location.hash));
}

/** @param {Question} asked */
function showQuestion(asked) {
  if (catalogue === null) return;
  form.show(catalogue, asked);
  setLanguage(asked.language);
  if (editor.text() !== asked.query) editor.setText(asked.query);
  showEndpoint();
}

/** What hangs on the endpoint: completion, examples, the list of sources. */
function showEndpoint() {
  const endpoint = form.endpoint();
  if (endpoint === null || catalogue === null) return;
  const { sources } = endpoint;
  const hint = !endpoint.sandbox
    ? 'This endpoint runs its own query only.'
    : language === 'sql'
      ? `GoogleSQL over ${sources.map(({ name }) => name).join(', ')}. Left empty, the endpoint’s own query runs.`
      : 'LQL, for example f:edge_logs m.response.status_code:>=500. Left empty, the endpoint’s own query runs.';
  editor.setLanguage(language, { sources, functions: catalogue.functions }, hint);
  const offered = examplesFor(language, sources);
  examples.replaceChildren(
    element('option', { value: '' }, 'Examples'),
    ...offered.map(({ title }, index) => element('option', { value: index }, title)),
  );
  examples.disabled = offered.length === 0;
  showSources(byId('source-tree', HTMLDivElement), sources, editor.insert);
}

/** @param {Language} next */
function setLanguage(next) {
  language = next;
  for (const radio of document.querySelectorAll('input[name="language"]')) {
    if (radio instanceof HTMLInputElement) radio.checked = radio.value === next;
  }
}

function showZone() {
  result.setZone(form.zone());
  drawHistogram();
}

/** @param {-1 | 1} step */
function recall(step) {
  const past = walk.step(step, { language, query: editor.text() });
  if (past === null) return;
  if (past.language !== language) {
    setLanguage(past.language);
    showEndpoint();
  }
  editor.setText(past.query);
}

/** Asks what the page's controls say and shows the answer. */
async function run() {
  const endpoint = form.endpoint();
  const token = tokenStore.read();
  if (catalogue === null || endpoint === null || token === '') return tokens.open('', false);
  const asked = { endpoint, question: question(), nowMs: nowMs(), signal: start() };
  remember(asked.question);
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
  try {
    const answer = await ask(client, asked);
    if (asked.signal.aborted) return;
    problem.clear();
    editor.markError(null, '');
    showAnswer(asked, answer);
    if (asked.question.parameters.project) addProject(asked.question.parameters.project);
    counts = await countEntries(client, asked, answer.explanation).catch((error) => {
      if (asked.signal.aborted) throw error;
      // The rows are there; a source without these columns has no histogram.
      return null;
    });
    if (!asked.signal.aborted) drawHistogram();
  } catch (error) {
    if (!asked.signal.aborted) showError(error);
  } finally {
    stop(asked.signal);
  }
}

/** Ends what runs and begins something new. */
function start() {
  running?.abort();
  running = new AbortController();
  walk.end();
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

function cancel() {
  if (running === null) return;
  running.abort();
  stop(running.signal);
  result.clear('Cancelled. Run it again when you like.');
  runButton.focus();
}

/** Puts the question into the address and the history. @param {Question} asked */
function remember(asked) {
  addToHistory(asked);
  const hash = formatLocation(asked);
  if (hash !== location.hash) history.pushState(null, '', hash);
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
    ways: takesWindow(endpoint) ? widerWindows(asked.question.window) : [],
  });
}

/** @param {Asked} asked @param {Answer} answer */
async function loadMore(asked, answer) {
  const signal = start();
  try {
    const page = await makeClient({ baseUrl, token: tokenStore.read() }).next(answer.result, { signal });
    showAnswer(asked, { ...answer, result: { ...page, rows: [...answer.result.rows, ...page.rows] } });
  } catch (error) {
    if (!signal.aborted) showError(error);
  } finally {
    stop(signal);
  }
}

/** @param {TimeWindow} window */
function widerWindows(window) {
  const wider = WIDER.filter(
    ([, one]) =>
      window.kind !== 'all' &&
      (one.kind === 'all' || window.kind === 'between' || one.seconds > window.seconds),
  );
  return wider.map(([label, one]) => ({ label, act: () => zoomTo(one) }));
}

function drawHistogram() {
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

/** @param {unknown} error */
function showError(error) {
  counts = null;
  drawHistogram();
  result.clear('');
  if (!(error instanceof QueryError)) throw error;
  if (error.code === 401) {
    tokenStore.write('');
    tokens.open(error.message, false);
    return;
  }
  const place = errorPlace(editor.text(), error.details);
  editor.markError(place, error.message);
  markedAt = place?.from ?? 0;
  form.markInvalid(
    error.details.find(({ parameter }) => parameter !== undefined && !['sql', 'lql'].includes(parameter))
      ?.parameter ?? null,
  );
  problem.show(error, place !== null);
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const [target] = event.composedPath();
  const isWriting =
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, select, textarea'));
  if (event.defaultPrevented || document.querySelector('dialog[open]') !== null) return;
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void run();
  else if (event.key === 'Escape' && running !== null) cancel();
  else if (event.key === '/' && !isWriting) editor.focus();
  else if (event.key === '?' && !isWriting) help.open();
  else return;
  event.preventDefault();
}

async function begin() {
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
  editorHost.addEventListener('focus', () => editor.focus());
  document.addEventListener('keydown', onKey);
  examples.addEventListener('change', () => {
    const example = examplesFor(language, form.endpoint()?.sources ?? [])[Number(examples.value)];
    if (example !== undefined && examples.value !== '') editor.setText(example.query);
    examples.value = '';
    editor.focus();
  });
  for (const radio of document.querySelectorAll('input[name="language"]')) {
    radio.addEventListener('change', () => {
      setLanguage(/** @type {HTMLInputElement} */ (radio).value === 'lql' ? 'lql' : 'sql');
      showEndpoint();
    });
  }
  addEventListener('popstate', () => {
    showQuestion(parseLocation(location.hash));
    void run();
  });
  addEventListener('resize', () => {
    result.drawChart();
    drawHistogram();
  });
  setLanguage(parseLocation(location.hash).language);
  editor.setText(parseLocation(location.hash).query);
  const token = tokenStore.read();
  const message = token === '' ? '' : await useToken(token);
  if (message !== null) {
    result.clear('Enter an access token to begin.');
    tokens.open(message, false);
  }
}

await begin();
