import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, LanguageSupport } from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, Prec } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { completeLql } from './lql-completion.js';
import { lqlLanguage } from './lql-language.js';
import { completeSql } from './sql-completion.js';
import { googleSql } from './sql-language.js';
import { theme } from './theme.js';

/** @import { CompletionContext, CompletionResult } from '@codemirror/autocomplete' */
/** @import { Transaction } from '@codemirror/state' */
/** @import { Language } from '../state/location.js' */
/** @import { Proposals, Vocabulary } from './vocabulary.js' */

/**
 * The text field for queries, which holds a draft in each language: its text, its cursor and what can be undone.
 *
 * @typedef {object} Editor
 * @property {(language?: Language) => string} text Of the draft that is shown, or of the one in a language.
 * @property {(text: string) => void} setText
 * @property {(language: Language) => void} show Shows the draft in a language.
 * @property {(text: string) => void} insert Puts text in at the cursor.
 * @property {(language: Language, vocabulary: Vocabulary, hint: string) => void} setLanguage
 * @property {(place: { from: number, to: number } | null, message: string) => void} markError Null takes the mark away.
 * @property {(position?: number) => void} focus
 */

/**
 * What keys do outside the text.
 *
 * @typedef {object} EditorKeys
 * @property {() => void} run
 * @property {(step: -1 | 1) => void} recall The query before or after this one in the history.
 * @property {(isByHand: boolean) => void} change Called whenever the text has changed.
 */

const NAMES = /** @type {const} */ ({ sql: 'Query in GoogleSQL', lql: 'Query in LQL' });

/**
 * Makes the editor in a shadow root below `host`: there its styles are adopted sheets, which the page's strict policy
 * allows, while a `<style>` element would not be.
 *
 * @param {HTMLElement} host
 * @param {EditorKeys} keys
 * @returns {Editor}
 */
export function makeEditor(host, keys) {
  const root = host.attachShadow({ mode: 'open' });
  const language = new Compartment();
  const empty = EditorState.create({
    extensions: [
      Prec.highest(keymap.of(pageKeys(keys))),
      lineNumbers(),
      history(),
      drawSelection(),
      bracketMatching(),
      closeBrackets(),
      highlightActiveLine(),
      autocompletion({ icons: false, maxRenderedOptions: 60 }),
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap]),
      EditorView.lineWrapping,
      EditorView.updateListener.of((update) => {
        if (update.docChanged) keys.change(update.transactions.some(isByHand));
      }),
      theme,
      language.of([]),
    ],
  });
  const view = new EditorView({ root, parent: root, state: empty });
  /** @type {Language} */
  let shown = 'sql';
  /** The states of the drafts that are not shown. @type {Record<Language, EditorState>} */
  const away = { sql: empty, lql: empty };

  return {
    text: (name = shown) => (name === shown ? view.state : away[name]).doc.toString(),
    show(name) {
      if (name === shown) return;
      away[shown] = view.state;
      view.setState(away[name]);
      shown = name;
    },
    setText(text) {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: text.length },
      });
    },
    insert(text) {
      view.dispatch(view.state.replaceSelection(text));
      view.focus();
    },
    setLanguage(name, vocabulary, hint) {
      const support = name === 'sql' ? sqlSupport(vocabulary) : lqlSupport(vocabulary);
      const label = EditorView.contentAttributes.of({ 'aria-label': NAMES[name] });
      view.dispatch({ effects: language.reconfigure([support, label, placeholder(hint)]) });
    },
    markError(place, message) {
      const marks = place === null ? [] : [{ ...place, severity: /** @type {const} */ ('error'), message }];
      view.dispatch(setDiagnostics(view.state, marks));
    },
    focus(position) {
      const anchor = Math.min(position ?? 0, view.state.doc.length);
      if (position !== undefined) view.dispatch({ selection: { anchor }, scrollIntoView: true });
      view.focus();
    },
  };
}

/** @param {Transaction} transaction */
function isByHand(transaction) {
  return ['input', 'delete', 'move', 'undo', 'redo'].some((event) => transaction.isUserEvent(event));
}

/** @param {EditorKeys} keys */
function pageKeys({ run, recall }) {
  // Proposals that are still open would take the next Escape, which is meant for the query that runs.
  /** @param {() => void} act */
  const binding = (act) => (/** @type {EditorView} */ view) => {
    closeCompletion(view);
    act();
    return true;
  };
  return [
    { key: 'Mod-Enter', run: binding(run) },
    { key: 'Alt-ArrowUp', run: binding(() => recall(-1)) },
    { key: 'Alt-ArrowDown', run: binding(() => recall(1)) },
  ];
}

/** @param {Vocabulary} vocabulary */
function sqlSupport(vocabulary) {
  const { language } = googleSql(vocabulary.functions);
  const complete = completion(/^\w*$/, (text, at, isExplicit) =>
    completeSql(text, at, isExplicit, vocabulary),
  );
  return new LanguageSupport(language, [language.data.of({ autocomplete: complete })]);
}

/** @param {Vocabulary} vocabulary */
function lqlSupport({ sources }) {
  const complete = completion(/^[\w.]*$/, (text, at, isExplicit) =>
    completeLql(text, at, isExplicit, sources),
  );
  return new LanguageSupport(lqlLanguage, [lqlLanguage.data.of({ autocomplete: complete })]);
}

/**
 * @param {RegExp} validFor What may be typed on before the proposals are made anew.
 * @param {(text: string, position: number, isExplicit: boolean) => Proposals | null} propose
 * @returns {(context: CompletionContext) => CompletionResult | null}
 */
function completion(validFor, propose) {
  return ({ state, pos, explicit }) => {
    const proposals = propose(state.doc.toString(), pos, explicit);
    if (proposals === null) return null;
    const options = proposals.options.map(({ apply, ...option }) => ({
      ...option,
      ...(apply === undefined ? {} : { apply: applying(apply) }),
    }));
    return { from: proposals.from, options, validFor };
  };
}

/** Puts the text in, and goes on proposing where it leads further. @param {string} text */
function applying(text) {
  return (
    /** @type {EditorView} */ view,
    /** @type {unknown} */ _option,
    /** @type {number} */ from,
    /** @type {number} */ to,
  ) => {
    view.dispatch({ changes: { from, to, insert: text }, selection: { anchor: from + text.length } });
    if (/[:(]$/.test(text)) startCompletion(view);
  };
}
