import { windowBounds } from '../time/window.js';

/** @import { EndpointEntry } from '../editor/vocabulary.js' */
/** @import { Question } from '../state/location.js' */

const BOUNDS = ['iso_timestamp_start', 'iso_timestamp_end'];

/** Whether an endpoint's entries can be limited to a window. @param {EndpointEntry} endpoint */
export function takesWindow({ parameters }) {
  return BOUNDS.every((bound) => parameters.some(({ name }) => name === bound));
}

/** The parameters that the page asks for one by one: all but the window's. @param {EndpointEntry} endpoint */
export function askedParameters(endpoint) {
  const isBound = takesWindow(endpoint) ? new Set(BOUNDS) : new Set();
  return endpoint.parameters.filter(({ name }) => !isBound.has(name));
}

/** The first required parameter without a value. @param {EndpointEntry} endpoint @param {Question} question */
export function missingParameter(endpoint, { parameters }) {
  return askedParameters(endpoint).find(({ name, required }) => required && (parameters[name] ?? '') === '');
}

/** What is sent for a question, the query left out. @param {EndpointEntry} endpoint @param {Question} question @param {number} nowMs The service's present. @returns {Record<string, string>} */
export function requestParameters(endpoint, { parameters, window }, nowMs) {
  const declared = askedParameters(endpoint).map(({ name }) => [name, parameters[name] ?? '']);
  return { ...Object.fromEntries(declared), ...(takesWindow(endpoint) ? windowBounds(window, nowMs) : {}) };
}

/** The ad-hoc query, where there is one. @param {EndpointEntry} endpoint @param {Question} question @returns {{ sql?: string, lql?: string }} */
export function adHocQuery(endpoint, { language, query }) {
  return endpoint.sandbox && query.trim() !== '' ? { [language]: query } : {};
}
