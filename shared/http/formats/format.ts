import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';
import { invalidParameter, ServiceError } from '../../errors/service-error.ts';

/** How an answer's rows can be written. */
export type Format = 'json' | 'ndjson' | 'csv';

/** The media type of each format, in the order in which a caller without a preference gets them. */
export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
};

/** The media types that `Accept` may name; some stand for the same format. */
const ACCEPTED: ReadonlyMap<string, Format> = new Map([
  ['application/json', 'json'],
  ['application/x-ndjson', 'ndjson'],
  ['application/jsonl', 'ndjson'],
  ['text/csv', 'csv'],
]);

const NAMES = Object.keys(MEDIA_TYPES) as readonly Format[];

/** Longer ones are not taken apart: no client has that much to say about four types. */
const MAX_ACCEPT_CHARACTERS = 2048;

/**
 * The format of an answer: what `format` says, else what `Accept` prefers (RFC 9110, section 12.5.1), else JSON.
 * Throws a ServiceError: invalid_argument for an unknown `format`, not_acceptable when no format suits `Accept`.
 */
export function chooseFormat(parameter: string | null, headers: IncomingHttpHeaders): Format {
  if (parameter !== null) {
    const format = NAMES.find((name) => name === parameter);
    if (format !== undefined) return format;
    throw invalidParameter('format', "Parameter 'format' is not valid. It accepts json, ndjson or csv.");
  }
  const { accept } = headers;
  if (accept === undefined || accept === '' || accept === '*/*') return 'json';
  if (accept.length > MAX_ACCEPT_CHARACTERS) return refuse();
  const type = new Negotiator({ headers: { accept } }).mediaType([...ACCEPTED.keys()]);
  return ACCEPTED.get(type ?? '') ?? refuse();
}

function refuse(): never {
  throw new ServiceError(
    'not_acceptable',
    `The header Accept names no type that there is; it takes ${[...ACCEPTED.keys()].join(', ')}, or send the parameter format=${NAMES.join('|')}.`,
  );
}
