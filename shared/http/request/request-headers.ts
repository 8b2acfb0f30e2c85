/** A header of requests that the service reads. */
export interface RequestHeader {
  /** What it does, for the API's documentation. */
  readonly description: string;
  /**
   * What it belongs to: the caller's credentials, the choice of a format, the body of a POST, the endpoint's answer, or
   * any request.
   */
  readonly role: 'credential' | 'format' | 'body' | 'answer' | 'request';
  /** Whether scripts in browsers ask for leave to send it, and get it (Fetch standard, section 3.2.3). */
  readonly isForScripts: boolean;
  readonly example?: string;
  /** The form of its value as a JSON Schema; without it no value is refused. */
  readonly schema?: Readonly<Record<string, unknown>>;
}

/** Every header by its name. What browsers may send and what the documentation lists is this table. */
export const REQUEST_HEADERS: Readonly<Record<string, RequestHeader>> = {
  'X-API-KEY': { description: 'The access token', role: 'credential', isForScripts: true },
  Authorization: {
    description: '`Bearer <access token>`, in place of `X-API-KEY`',
    role: 'credential',
    isForScripts: true,
  },
  Accept: { description: 'The format of the answer', role: 'format', isForScripts: true },
  'Content-Type': { description: 'Of a body: `application/json`', role: 'body', isForScripts: true },
  'Content-Encoding': {
    description: 'Of a body: none; a compressed body answers 415',
    role: 'body',
    isForScripts: false,
    schema: { type: 'string', enum: ['identity', ''] },
  },
  'Accept-Encoding': {
    description: '`br` and `gzip` are known; an answer of some length is compressed where one of them may be',
    role: 'answer',
    isForScripts: false,
    example: 'br, gzip',
  },
  'Cache-Control': {
    description: '`no-cache` runs the query whatever the cache holds',
    role: 'answer',
    isForScripts: true,
  },
  'If-None-Match': {
    description: 'Tags of answers that the caller has, from their `ETag`',
    role: 'answer',
    isForScripts: true,
  },
  'LF-ENDPOINT-REDACT-PII': {
    description:
      "`true` redacts this answer, in any case and wherever it stands in a list. Any other value leaves the endpoint's own setting, so the header can never turn redaction off",
    role: 'answer',
    isForScripts: true,
    example: 'true',
  },
  'X-Count-Rows-Scanned': {
    description:
      '`true` asks for `X-Rows-Scanned` with the answer of a stored query on the embedded engine, which then takes about twice as long where the cache does not have it. Any other value asks for nothing',
    role: 'answer',
    isForScripts: true,
    example: 'true',
  },
  'X-Request-Id': {
    description:
      'Letters, digits, `.`, `_` and `-`, at most 128: the id of the request in the log and in the answer. Anything else is not used',
    role: 'request',
    isForScripts: true,
    example: 'my-request-1',
  },
  'X-Cloud-Trace-Context': {
    description: 'The trace that the request belongs to, `TRACE_ID/SPAN_ID;o=OPTIONS`',
    role: 'request',
    isForScripts: true,
    example: '105445aa7843bc8bf206b12000100000/1;o=1',
  },
  traceparent: {
    description: 'The trace that the request belongs to, as W3C Trace Context has it',
    role: 'request',
    isForScripts: true,
    example: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  },
};

/** The names of those that scripts in browsers may send. */
export const SCRIPT_HEADERS: readonly string[] = Object.entries(REQUEST_HEADERS)
  .filter(([, { isForScripts }]) => isForScripts)
  .map(([name]) => name);
