import type { IncomingHttpHeaders } from 'node:http';
import { invalidParameter } from '../../errors/service-error.ts';
import { type Coding, chooseCoding } from '../formats/coding.ts';
import { chooseFormat, type Format } from '../formats/format.ts';
import { TIMESTAMP_STYLES, type TimestampStyle } from '../formats/timestamps.ts';
import type { RequestParameters } from './request-parameters.ts';

/** How a caller wants the answer to its query, apart from what is asked. */
export interface AnswerOptions {
  readonly format: Format;
  readonly coding: Coding;
  readonly timestamps: TimestampStyle;
  /** Whether the envelope has metadata besides the rows. */
  readonly hasMeta: boolean;
  /** Whether the caller wants the present, whatever the cache holds. */
  readonly bypassCache: boolean;
  /** Whether the caller asks for redaction; whatever it says, the endpoint's own setting holds. */
  readonly asksForRedaction: boolean;
  /** Whether the caller wants to know how many rows of the log tables were read. */
  readonly countsRows: boolean;
}

/** The request's parameters that say how to answer. */
export const ANSWER_PARAMETERS: ReadonlySet<string> = new Set(['format', 'timestamps', 'meta']);

/** Matches a directive among those of Cache-Control (RFC 9111, section 5.2.1). */
const NO_CACHE = /(?:^|[\s,])no-(?:cache|store)(?:$|[\s,=])/i;

/** Reads what a request says of the form of its answer. Throws a ServiceError: invalid_argument, not_acceptable. */
export function readAnswerOptions(headers: IncomingHttpHeaders, request: RequestParameters): AnswerOptions {
  const format = chooseFormat(optional(request, 'format'), headers);
  const hasMeta = readSwitch(request, 'meta');
  if (hasMeta && format !== 'json') {
    throw invalidParameter(
      'meta',
      `Parameter 'meta' goes with JSON only; leave it out, or send format=json.`,
    );
  }
  return {
    format,
    timestamps: readTimestampStyle(request),
    hasMeta,
    coding: chooseCoding(headers),
    bypassCache: NO_CACHE.test(headers['cache-control'] ?? ''),
    asksForRedaction: hasTrueMember(headers['lf-endpoint-redact-pii']),
    countsRows: hasTrueMember(headers['x-count-rows-scanned']),
  };
}

function readTimestampStyle(request: RequestParameters): TimestampStyle {
  const text = optional(request, 'timestamps');
  const style = text === null ? 'us' : TIMESTAMP_STYLES.find((name) => name === text);
  if (style !== undefined) return style;
  throw invalidParameter('timestamps', "Parameter 'timestamps' is not valid. It accepts iso, ms or us.");
}

/** Whether a parameter is given and not empty. */
export function isGiven(request: RequestParameters, name: string): boolean {
  return request.get(name)?.some((value) => value !== '') ?? false;
}

/** The one value of a parameter; throws a ServiceError (invalid_argument) where it has several. */
export function single(request: RequestParameters, name: string): string {
  const [value = '', ...more] = request.get(name) ?? [];
  if (more.length === 0) return value;
  throw invalidParameter(name, `Parameter '${name}' is given ${more.length + 1} times; give it once.`);
}

/** A parameter that is `true` or `false`, false where it is not given. */
export function readSwitch(request: RequestParameters, name: string): boolean {
  const text = optional(request, name);
  if (text === null || text === 'false') return false;
  if (text === 'true') return true;
  throw invalidParameter(name, `Parameter '${name}' is not valid. It accepts true or false.`);
}

/**
 * Whether one of a list's members is `true`, in any case. A header that is sent twice arrives as such a list (RFC 9110,
 * section 5.3). No other member takes anything back.
 */
function hasTrueMember(header: string | readonly string[] | undefined): boolean {
  const members = [header ?? []].flat().flatMap((value) => value.split(','));
  return members.some((member) => member.trim().toLowerCase() === 'true');
}

function optional(request: RequestParameters, name: string): string | null {
  return isGiven(request, name) ? single(request, name) : null;
}
