import type { CacheState } from '../../cache/result-cache.ts';
import type { Coding } from '../formats/coding.ts';

/** A header that answers carry besides those that frame the message. */
export interface AnswerHeader {
  /** What it reports, for the API's documentation. */
  readonly description: string;
  /** The form of its value as a JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** The routes whose answers have it: all, those that need a token, or those of queries. */
  readonly routes: 'all' | 'with_token' | 'queries';
  /** The codes of the answers that have it; null for all. */
  readonly codes: readonly number[] | null;
  /** Whether each of those answers has it. */
  readonly isAlways: boolean;
  /** Whether scripts in browsers need leave to read it (Fetch standard, section 3.2.3). */
  readonly isExposed: boolean;
}

const CACHE_STATES = ['HIT', 'MISS', 'REFRESH', 'BYPASS'] as const satisfies readonly CacheState[];
const CODINGS = ['br', 'gzip'] as const satisfies readonly Coding[];

/** Answers with metadata of rows. */
const RESULTS = [200, 304];

const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };
const SWITCH_ON = { type: 'string', const: 'true' };

const ofResults = (description: string, schema: AnswerHeader['schema']): AnswerHeader => ({
  description,
  schema,
  routes: 'queries',
  codes: RESULTS,
  isAlways: false,
  isExposed: true,
});

const ofQuota = (description: string): AnswerHeader => ({
  description: `Where the token has a number of requests per minute: ${description}. With 429 for the CPU time of its queries: the same in CPU seconds`,
  schema: COUNT,
  routes: 'with_token',
  codes: null,
  isAlways: false,
  isExposed: true,
});

const onEveryAnswer = (description: string, schema: AnswerHeader['schema']): AnswerHeader => ({
  description,
  schema,
  routes: 'all',
  codes: null,
  isAlways: true,
  isExposed: false,
});

const ofPreflights = (description: string, schema: AnswerHeader['schema']): AnswerHeader => ({
  ...onEveryAnswer(description, schema),
  codes: [204],
});

/** Every header of an answer by its name. What browsers may read and what the documentation lists is this table. */
export const ANSWER_HEADERS: Readonly<Record<string, AnswerHeader>> = {
  'X-Row-Count': ofResults('The number of rows in the answer', COUNT),
  'X-Truncated': ofResults(
    '`true` when the query had more rows than the answer may hold; otherwise not there',
    SWITCH_ON,
  ),
  Link: ofResults(
    'With `X-Truncated`, where the rest is kept: `<…>; rel="next"`, the address of the rows that follow',
    TEXT,
  ),
  'X-Ignored-Parameters': ofResults(
    'The parameters that the endpoint does not declare: names percent-encoded, comma between them',
    TEXT,
  ),
  'X-Cache': ofResults(
    'Where the answer comes from: the cache (`HIT`), or the warehouse, since the cache had none (`MISS`), since the request said `Cache-Control: no-cache` (`REFRESH`), or since the endpoint has no cache (`BYPASS`)',
    { type: 'string', enum: CACHE_STATES },
  ),
  Age: ofResults('Unless `X-Cache` is `BYPASS`: seconds since the query was run', COUNT),
  'X-Time-Window': ofResults(
    'The bounds of time as they were understood, with those of `t:` in LQL: after `<start>`, up to `<end>`, as `<start>/<end>`; `..` for none',
    TEXT,
  ),
  'X-Bytes-Processed': ofResults('The bytes that the query read, where the warehouse counts them', COUNT),
  'X-Bytes-Billed': ofResults(
    'The bytes that the query billed when it ran, where the warehouse counts them; a kept answer bills nothing again',
    COUNT,
  ),
  'X-Rows-Scanned': ofResults(
    'The rows of the log tables that the embedded engine read, by row groups: for an ad-hoc query, and for a stored one where the request has `X-Count-Rows-Scanned: true`; not there where it has not counted them',
    COUNT,
  ),
  'X-Hint': ofResults(
    'Where an answer has no rows because of the bounds of time: that they exclude each other, or when the newest entry of its source was that the token may read',
    TEXT,
  ),
  'X-Redactions': ofResults('How many places were redacted, where redaction was on', COUNT),
  ETag: ofResults('With a cache: a tag of these bytes, for `If-None-Match`', TEXT),
  'Cache-Control': {
    description: 'For how long the caller may keep the answer; `no-store` for not at all',
    schema: TEXT,
    routes: 'all',
    codes: null,
    isAlways: false,
    isExposed: false,
  },
  Vary: {
    description: 'The request headers that the answer depends on',
    schema: TEXT,
    routes: 'with_token',
    codes: RESULTS,
    isAlways: true,
    isExposed: false,
  },
  'Content-Encoding': {
    description: 'The coding of the body, where it is compressed',
    schema: { type: 'string', enum: CODINGS },
    routes: 'with_token',
    codes: [200],
    isAlways: false,
    isExposed: false,
  },
  'Server-Timing': {
    description: 'Milliseconds by phase, as far as it came',
    schema: TEXT,
    routes: 'with_token',
    codes: null,
    isAlways: false,
    isExposed: true,
  },
  'X-Request-Id': {
    ...onEveryAnswer("The id of the request in the service's log", TEXT),
    isExposed: true,
  },
  Allow: {
    description: 'The methods that the address takes',
    schema: TEXT,
    routes: 'all',
    codes: [204, 405],
    isAlways: true,
    isExposed: true,
  },
  'RateLimit-Limit': ofQuota('that number'),
  'RateLimit-Remaining': ofQuota('how many are left'),
  'RateLimit-Reset': ofQuota('seconds until one more is let through'),
  'Retry-After': {
    description: 'Seconds after which to try again, where waiting helps',
    schema: COUNT,
    routes: 'all',
    codes: [429, 503],
    isAlways: false,
    isExposed: true,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate',
    schema: TEXT,
    routes: 'with_token',
    codes: [401],
    isAlways: true,
    isExposed: true,
  },
  'Accept-Encoding': {
    description: 'The coding that the body of a request may have, where it had another',
    schema: { type: 'string', enum: ['identity', 'gzip, identity'] },
    routes: 'with_token',
    codes: [415],
    isAlways: false,
    isExposed: true,
  },
  'X-Content-Type-Options': onEveryAnswer('Clients must not guess the type of the body', {
    type: 'string',
    const: 'nosniff',
  }),
  'Access-Control-Allow-Origin': onEveryAnswer('Pages of any origin may call', {
    type: 'string',
    const: '*',
  }),
  'Access-Control-Expose-Headers': onEveryAnswer('The headers that scripts in browsers may read', TEXT),
  'Access-Control-Allow-Methods': ofPreflights('The methods that scripts in browsers may use', TEXT),
  'Access-Control-Allow-Headers': ofPreflights('The headers that scripts in browsers may send', TEXT),
  'Access-Control-Max-Age': ofPreflights('Seconds for which browsers keep this answer', COUNT),
};

/** The names of those that scripts in browsers may read only with leave. */
export const EXPOSED_HEADERS: readonly string[] = Object.entries(ANSWER_HEADERS)
  .filter(([, { isExposed }]) => isExposed)
  .map(([name]) => name)
  .sort();
