/** The two halves of a request target, both still percent-encoded. */
export interface RequestTarget {
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
}

/** `http://host/path`, which servers must accept as well as `/path` (RFC 9112, section 3.2.2). */
const ABSOLUTE_FORM = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** Splits a request target at its first question mark; scheme and host of the absolute form are dropped. */
export function splitTarget(url: string): RequestTarget {
  const local = url.startsWith('/') ? url : url.replace(ABSOLUTE_FORM, '');
  const mark = local.indexOf('?');
  const path = mark < 0 ? local : local.slice(0, mark);
  return { path: path === '' ? '/' : path, query: mark < 0 ? '' : local.slice(mark + 1) };
}

export const QUERY_ROUTE = '/api/endpoints/query';

/** Whether a path belongs to the endpoints, whatever comes after the prefix. */
export function isQueryPath(path: string): boolean {
  return path === QUERY_ROUTE || path.startsWith(`${QUERY_ROUTE}/`);
}

/**
 * The endpoint's id or name in `/api/endpoints/query/<id or name>`, percent-decoded once; a slash at the end is
 * tolerated. Undefined for every other path and for malformed percent escapes.
 */
export function endpointKey(path: string): string | undefined {
  if (!path.startsWith(`${QUERY_ROUTE}/`)) return undefined;
  const segment = path.slice(QUERY_ROUTE.length + 1).replace(/\/$/, '');
  if (segment === '' || segment.includes('/')) return undefined;
  return decodePercent(segment);
}

/** Percent-decodes once; undefined where an escape is malformed or the bytes are not UTF-8 (RFC 3986, RFC 3629). */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
