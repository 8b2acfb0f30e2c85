import { readFacts, readNext } from './answer-facts.js';
import { QueryError, toQueryError } from './query-error.js';

export { QueryError } from './query-error.js';

/** @import { AnswerFacts, Client, ClientOptions, Explanation, Parameters, ParameterValue, QueryOptions, QueryResult, RequestOptions } from './client.d.ts' */

/** Longer URLs go as POST: proxies cut them at 8 KiB, and this leaves room for the address in front. */
const MAX_GET_CHARACTERS = 6000;

/**
 * What can be sent to one service with one token; client.d.ts says what each method promises.
 *
 * @param {ClientOptions} options
 * @returns {Client}
 */
export function makeClient({ baseUrl, token, fetch: send = (url, init) => globalThis.fetch(url, init) }) {
  const base = new URL(baseUrl);
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  checkToken(token);

  /** @param {string} endpoint @param {Parameters} parameters @param {QueryOptions & { format?: string, explain?: boolean }} [options] */
  async function ask(
    endpoint,
    parameters,
    { sql, lql, histogram, histogramBy, facet, timestamps, format, explain, ...request } = {},
  ) {
    const asked = {
      sql,
      lql,
      histogram,
      histogram_by: histogramBy,
      facet,
      timestamps,
      format,
      explain: explain === true ? true : undefined,
    };
    // An option that is not given leaves a parameter of its name as it is.
    const given = Object.entries(asked).filter(([, value]) => value !== undefined);
    const values = formValues({ ...parameters, ...Object.fromEntries(given) });
    const url = new URL(`api/endpoints/query/${encodeURIComponent(endpoint)}`, base);
    const query = new URLSearchParams(values).toString();
    if (url.href.length + query.length <= MAX_GET_CHARACTERS) {
      url.search = query;
      return call(url, { method: 'GET' }, request);
    }
    const body = JSON.stringify(Object.fromEntries(values));
    return call(url, { method: 'POST', body }, request);
  }

  /** @param {URL} url @param {RequestInit} init @param {RequestOptions} options */
  async function call(url, init, { signal, redactPii = false, countRows = false }) {
    /** @type {Record<string, string>} */
    const headers = { 'X-API-KEY': token };
    if (init.body !== undefined) headers['Content-Type'] = 'application/json';
    if (redactPii) headers['LF-ENDPOINT-REDACT-PII'] = 'true';
    if (countRows) headers['X-Count-Rows-Scanned'] = 'true';
    const startMs = performance.now();
    try {
      const response = await send(url.href, {
        ...init,
        headers,
        ...(signal === undefined ? {} : { signal }),
      });
      const text = await response.text();
      if (!response.ok) throw toQueryError(response, text);
      const facts = readFacts(response.headers, performance.now() - startMs);
      return { text, facts, next: readNext(response.headers, url), response };
    } catch (error) {
      if (error instanceof QueryError) throw error;
      if (signal?.aborted) throw signal.reason;
      throw new QueryError(
        `The service at ${base.origin} cannot be reached; check the address and the network.`,
        {
          code: 0,
          status: 'UNREACHABLE',
          cause: error,
        },
      );
    }
  }

  /** @param {{ next: string | null }} answer @param {RequestOptions} options */
  function follow({ next }, options) {
    if (next === null) throw new TypeError('This result has no next page; see `next`.');
    const url = new URL(next);
    // The token is for this service alone, whatever an answer names.
    if (url.origin !== base.origin) throw new TypeError('The next page is on another server.');
    return call(url, { method: 'GET' }, options);
  }

  return {
    query: async (
      /** @type {string} */ endpoint,
      /** @type {Parameters} */ parameters,
      /** @type {QueryOptions} */ options = {},
    ) => rowsOf(await ask(endpoint, parameters, options)),
    next: async (result, options = {}) => rowsOf(await follow(result, options)),
    explain: async (endpoint, parameters, options = {}) => {
      const answer = await ask(endpoint, parameters, { ...options, explain: true });
      return /** @type {Explanation} */ (readMember(answer, 'explain'));
    },
    text: async (endpoint, parameters, options) => {
      const { text, facts, next } = await ask(endpoint, parameters, options);
      return { text, facts, next };
    },
    nextText: async (answer, options = {}) => {
      const { text, facts, next } = await follow(answer, options);
      return { text, facts, next };
    },
  };
}

/** A header takes no other text, and fetch reports it as it does a service that is away. @param {unknown} token */
function checkToken(token) {
  if (typeof token === 'string' && !/[^\t\x20-\x7e\x80-\xff]/.test(token)) return;
  throw new TypeError(
    typeof token === 'string'
      ? 'The token has characters that no header can have; copy it again.'
      : 'The token is missing; give `token` the access token, a string.',
  );
}

/** @param {Readonly<Record<string, ParameterValue>>} parameters @returns {[string, string][]} */
function formValues(parameters) {
  /** @type {[string, string][]} */
  const values = [];
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === null || value === '') continue;
    values.push([name, value instanceof Date ? value.toISOString() : String(value)]);
  }
  return values;
}

/**
 * @template Row
 * @param {{ text: string, facts: AnswerFacts, next: string | null, response: Response }} answer
 * @returns {QueryResult<Row>}
 */
function rowsOf(answer) {
  const rows = readMember(answer, 'result');
  if (!Array.isArray(rows)) throw toQueryError(answer.response, answer.text);
  return { rows, facts: answer.facts, next: answer.next };
}

/** @param {{ text: string, response: Response }} answer @param {string} name @returns {unknown} */
function readMember({ text, response }, name) {
  try {
    const value = JSON.parse(text)[name];
    if (value !== undefined) return value;
  } catch {
    // Something else than the service answered: a proxy's page, a file server.
  }
  throw toQueryError(response, text);
}
