/** @import { Language } from './location.js' */
/** @typedef {{ readonly language: Language, readonly query: string }} PastQuery */
/** @typedef {{ readonly language: Language, readonly sql: string, readonly lql: string }} Drafts The language that is shown, and what is written in each. */

/** A query under a name. @typedef {PastQuery & { readonly name: string }} SavedQuery */

const SAVED = 'lqe.saved';
const MAX_SAVED = 200;
const TOKEN = 'lqe.token';
const HISTORY = 'lqe.history';
const DRAFTS = 'lqe.drafts';
const PROJECTS = 'lqe.projects';
const CHOICES = 'lqe.choices';
const MAX_QUERIES = 100;
const MAX_PROJECTS = 20;
/** Longer queries are not kept: the browser's whole store is 5 MiB. */
const MAX_QUERY_CHARACTERS = 20_000;

/** The access token, kept by this tab alone and gone with it. */
export const tokenStore = {
  /** @returns {string} Empty for none. */
  read: () => read(() => sessionStorage.getItem(TOKEN)) ?? '',
  /** @param {string} token Empty to forget it. */
  write: (token) =>
    write(() => (token === '' ? sessionStorage.removeItem(TOKEN) : sessionStorage.setItem(TOKEN, token))),
};

/** What is being written, kept by this tab alone, so that it outlives a reload. @returns {Drafts | null} */
export function readDrafts() {
  try {
    const { language, sql, lql } = JSON.parse(read(() => sessionStorage.getItem(DRAFTS)) ?? '{}');
    const isDrafts = isPastQuery({ language, query: sql }) && typeof lql === 'string';
    return isDrafts ? { language, sql, lql } : null;
  } catch {
    // Whatever stands there is not ours.
    return null;
  }
}

/** @param {Drafts} drafts */
export function saveDrafts({ language, sql, lql }) {
  const [keptSql, keptLql] = [sql, lql].map((text) => (text.length > MAX_QUERY_CHARACTERS ? '' : text));
  write(() => sessionStorage.setItem(DRAFTS, JSON.stringify({ language, sql: keptSql, lql: keptLql })));
}

/** Past queries, the oldest first. @returns {readonly PastQuery[]} */
export function readHistory() {
  return readList(HISTORY).filter(isPastQuery);
}

/** @param {PastQuery} past */
export function addToHistory(past) {
  if (past.query.trim() === '' || past.query.length > MAX_QUERY_CHARACTERS) return;
  const others = readHistory().filter(
    ({ language, query }) => language !== past.language || query !== past.query,
  );
  save(HISTORY, [...others, past].slice(-MAX_QUERIES));
}

/** Forgets all past queries in this browser. Saved queries and drafts stay. */
export function clearHistory() {
  write(() => localStorage.removeItem(HISTORY));
}

/** The queries that were saved in this browser, by name. @returns {readonly SavedQuery[]} */
export function readSaved() {
  return readList(SAVED).filter(isSaved);
}

/** Saves a query; one of the same name is replaced. @param {SavedQuery} saved */
export function saveQuery(saved) {
  const others = readSaved().filter(({ name }) => name !== saved.name);
  const all = [...others, saved].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  save(SAVED, all.slice(0, MAX_SAVED));
}

/** @param {string} name */
export function removeSaved(name) {
  save(
    SAVED,
    readSaved().filter((one) => one.name !== name),
  );
}

/** @param {unknown} value @returns {value is SavedQuery} */
function isSaved(value) {
  return isPastQuery(value) && 'name' in value && typeof value.name === 'string';
}

/** Projects that gave rows, the last one first. @returns {readonly string[]} */
export function readProjects() {
  return readList(PROJECTS).filter((one) => typeof one === 'string');
}

/** @param {string} project */
export function addProject(project) {
  save(PROJECTS, [project, ...readProjects().filter((one) => one !== project)].slice(0, MAX_PROJECTS));
}

/** What somebody chose once for all: the theme, the zone. @param {string} name @returns {string | null} */
export function readChoice(name) {
  return read(() => localStorage.getItem(`${CHOICES}.${name}`));
}

/** @param {string} name @param {string} value */
export function saveChoice(name, value) {
  write(() => localStorage.setItem(`${CHOICES}.${name}`, value));
}

/** @param {unknown} value @returns {value is PastQuery} */
function isPastQuery(value) {
  if (typeof value !== 'object' || value === null) return false;
  const { language, query } = /** @type {Record<string, unknown>} */ (value);
  return (language === 'sql' || language === 'lql') && typeof query === 'string';
}

/** @param {string} name @returns {readonly unknown[]} */
function readList(name) {
  try {
    const value = JSON.parse(localStorage.getItem(name) ?? '[]');
    return Array.isArray(value) ? value : [];
  } catch {
    // Whatever stands there is not ours, or the browser keeps nothing.
    return [];
  }
}

/** @param {string} name @param {readonly unknown[]} list */
function save(name, list) {
  write(() => localStorage.setItem(name, JSON.stringify(list)));
}

/** @param {() => string | null} get */
function read(get) {
  try {
    return get();
  } catch {
    // The browser keeps nothing for this page; it works without.
    return null;
  }
}

/** @param {() => void} set */
function write(set) {
  try {
    set();
  } catch {
    // As above; a full store loses no more than the convenience.
  }
}
