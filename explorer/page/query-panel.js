import { makeEditor } from '../editor/editor.js';
import { errorPlace } from '../editor/error-place.js';
import { makeHistoryWalk } from '../state/query-history.js';
import { readDrafts, saveDrafts } from '../state/session.js';
import { byId, element } from './elements.js';
import { examplesFor } from './examples.js';
import { showSources } from './sources-panel.js';

/** @import { ErrorDetail } from '../../client/client.d.ts' */
/** @import { EndpointEntry, FunctionEntry, Source } from '../editor/vocabulary.js' */
/** @import { Language } from '../state/location.js' */
/** @import { SourceActs } from './sources-panel.js' */
/** @import { PastQuery } from '../state/session.js' */

/**
 * Where queries are written: the editor with its language, the examples, and the list of sources.
 *
 * @param {{ readonly run: () => void, readonly facet: SourceActs['facet'], readonly written: () => void }} page
 */
export function makeQueryPanel({ run, facet, written }) {
  const host = byId('editor-host', HTMLDivElement);
  const examples = byId('examples', HTMLSelectElement);
  const radios = [...document.querySelectorAll('input[name="language"]')].filter(
    (one) => one instanceof HTMLInputElement,
  );
  const walk = makeHistoryWalk();
  const editor = makeEditor(host, { run, recall, change: changed });
  /** @type {Language} */
  let language = 'sql';
  /** @type {{ endpoint: EndpointEntry, functions: readonly FunctionEntry[] } | null} */
  let target = null;
  let marked = { language: /** @type {Language} */ ('sql'), at: 0 };
  /** Whether what is shown is what a reload found, untouched since. */
  let isRestored = false;

  /** Everything that depends on the language and the endpoint. */
  function arrange() {
    editor.show(language);
    for (const id of ['to-sql', 'lql-help']) byId(id, HTMLButtonElement).hidden = language !== 'lql';
    for (const radio of radios) radio.checked = radio.value === language;
    if (target === null) return;
    const { endpoint, functions } = target;
    editor.setLanguage(language, { sources: endpoint.sources, functions }, hintFor(endpoint, language));
    const offered = examplesFor(language, endpoint.sources);
    examples.replaceChildren(
      element('option', { value: '' }, 'Examples'),
      ...offered.map(({ title }, index) => element('option', { value: index }, title)),
    );
    examples.disabled = offered.length === 0;
  }

  /** @param {boolean} isByHand */
  function changed(isByHand) {
    editor.markError(null, '');
    isRestored = false;
    if (!isByHand) return;
    walk.end();
    written();
  }

  /** @param {-1 | 1} step */
  function recall(step) {
    const past = walk.step(step, { language, query: editor.text() });
    if (past !== null) show(past);
  }

  /** @param {Language} next */
  function changeLanguage(next) {
    if (next === language) return;
    language = next;
    isRestored = false;
    walk.end();
    arrange();
  }

  /** @param {PastQuery} past */
  function show(past) {
    changeLanguage(past.language);
    if (editor.text() !== past.query) editor.setText(past.query);
  }

  host.addEventListener('focus', () => editor.focus());
  examples.addEventListener('change', () => {
    const example = examplesFor(language, target?.endpoint.sources ?? [])[Number(examples.value)];
    if (example !== undefined && examples.value !== '') editor.setText(example.query);
    examples.value = '';
    editor.focus();
  });
  for (const radio of radios) {
    radio.addEventListener('change', () => changeLanguage(radio.value === 'lql' ? 'lql' : 'sql'));
  }

  return {
    /** @returns {PastQuery} */
    read: () => ({ language, query: editor.text() }),
    show,
    /**
     * Has the drafts stay with the tab, and puts in those that it has: after a reload all that was being written, else
     * what the address says in its language and the tab's draft in the other one.
     *
     * @param {PastQuery} addressed
     * @param {boolean} isReload
     */
    begin(addressed, isReload) {
      const drafts = readDrafts();
      for (const one of /** @type {const} */ (['sql', 'lql'])) {
        const isAddressed = one === addressed.language && !(isReload && drafts !== null);
        show({ language: one, query: isAddressed ? addressed.query : (drafts?.[one] ?? '') });
      }
      changeLanguage((isReload ? drafts?.language : null) ?? addressed.language);
      isRestored = isReload;
      addEventListener('pagehide', () =>
        saveDrafts({ language, sql: editor.text('sql'), lql: editor.text('lql') }),
      );
    },
    /** Puts a query in place of what is written, as if by hand: it can be undone. @param {PastQuery} next */
    put(next) {
      show(next);
      isRestored = false;
    },
    /** Whether the text comes from a reload and was not run since. */
    isRestored: () => isRestored,
    /** @param {EndpointEntry} endpoint @param {readonly FunctionEntry[]} functions */
    setEndpoint(endpoint, functions) {
      target = { endpoint, functions };
      arrange();
      showSources(byId('source-tree', HTMLDivElement), endpoint.sources, { insert: editor.insert, facet });
    },
    /** What stands there is run: walking through the history begins after it. */
    endWalk: walk.end,
    focus: () => editor.focus(),
    /** Goes to what was marked last. */
    goToMark() {
      changeLanguage(marked.language);
      editor.focus(marked.at);
    },
    clearMark: () => editor.markError(null, ''),
    /**
     * Marks what an error in a query is about; answers whether it does, which is not so for a query that is not shown.
     *
     * @param {PastQuery} pastQuery
     * @param {readonly ErrorDetail[]} details
     * @param {string} message
     */
    mark(pastQuery, details, message) {
      const isShown = pastQuery.language === language && pastQuery.query === editor.text();
      const place = isShown ? errorPlace(pastQuery.query, details, language) : null;
      editor.markError(place, message);
      marked = { language, at: place?.from ?? 0 };
      return place !== null;
    },
  };
}

/** @param {EndpointEntry} endpoint @param {Language} language */
function hintFor({ sandbox, sources }, language) {
  if (!sandbox) return 'This endpoint accepts no ad-hoc queries.';
  const what =
    language === 'sql' ? `GoogleSQL over ${fewOf(sources)}.` : `LQL, for example ${lqlExample(sources)}.`;
  return `${what} If the field is empty, the stored query runs.`;
}

/** The first sources by name, of which the list at the side has all. @param {readonly Source[]} sources */
function fewOf(sources) {
  const names = sources.map(({ name }) => name);
  return names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(', ');
}

/** @param {readonly Source[]} sources */
function lqlExample(sources) {
  return examplesFor('lql', sources)[0]?.query ?? `f:${sources[0]?.name ?? ''} timeout`;
}
