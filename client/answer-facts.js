/** @import { AnswerFacts } from './client.d.ts' */

/** @param {Headers} headers @param {number} durationMs @returns {AnswerFacts} */
export function readFacts(headers, durationMs) {
  return {
    rowCount: readNumber(headers, 'x-row-count'),
    truncated: headers.get('x-truncated') === 'true',
    cache: headers.get('x-cache'),
    ageSeconds: readNumber(headers, 'age'),
    bytesProcessed: readNumber(headers, 'x-bytes-processed'),
    bytesBilled: readNumber(headers, 'x-bytes-billed'),
    rowsScanned: readNumber(headers, 'x-rows-scanned'),
    timeWindow: headers.get('x-time-window'),
    redactions: readNumber(headers, 'x-redactions'),
    hint: headers.get('x-hint'),
    ignoredParameters: (headers.get('x-ignored-parameters') ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    requestId: headers.get('x-request-id'),
    timingMs: readTiming(headers.get('server-timing') ?? ''),
    durationMs,
  };
}

/**
 * The address of the next page: `Link: <…>; rel="next"` (RFC 8288), read against the request's own.
 *
 * @param {Headers} headers
 * @param {URL} requestUrl
 */
export function readNext(headers, requestUrl) {
  for (const [, target = '', attributes = ''] of (headers.get('link') ?? '').matchAll(LINK)) {
    if (/;\s*rel\s*=\s*"?next"?\s*(?:;|$)/i.test(attributes)) return new URL(target, requestUrl).href;
  }
  return null;
}

const LINK = /<([^>]*)>((?:[^,"]|"[^"]*")*)/g;

/** @param {Headers} headers @param {string} name */
function readNumber(headers, name) {
  const text = headers.get(name);
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

/** `auth;dur=0.05, query;dur=1.2` (Server Timing, section 3). @param {string} header */
function readTiming(header) {
  /** @type {Record<string, number>} */
  const timing = {};
  for (const [, name = '', duration = ''] of header.matchAll(/([\w-]+)\s*;\s*dur=([\d.]+)/g)) {
    timing[name] = Number(duration);
  }
  return timing;
}
