import { shortenMessage } from './excerpt.ts';

/**
 * Every way in which the service refuses or fails, with the HTTP code and the status word that the answer's
 * envelope carries, and when that happens, for readers of the API's documentation. The status words are those of
 * google.rpc.Code where it has one.
 */
export const ERROR_KINDS = {
  invalid_argument: {
    code: 400,
    status: 'INVALID_ARGUMENT',
    when: 'A parameter is missing, repeated or malformed; the body is not a JSON object, or an entry in it is malformed; the request is not valid HTTP',
  },
  unauthenticated: {
    code: 401,
    status: 'UNAUTHENTICATED',
    when: 'There is no token, or it is unknown, expired or revoked',
  },
  permission_denied: {
    code: 403,
    status: 'PERMISSION_DENIED',
    when: 'The token may not read this project, or not so long a time range at once; or it may only write, or not write to this source',
  },
  not_found: {
    code: 404,
    status: 'NOT_FOUND',
    when: 'The endpoint or address does not exist, or the token may not use it',
  },
  method_not_allowed: {
    code: 405,
    status: 'METHOD_NOT_ALLOWED',
    when: 'The method is not one of those in `Allow`',
  },
  not_acceptable: {
    code: 406,
    status: 'INVALID_ARGUMENT',
    when: 'The service has no format that the header `Accept` allows',
  },
  gone: {
    code: 410,
    status: 'NOT_FOUND',
    when: 'The rest of the result has expired: run the query again',
  },
  body_too_large: {
    code: 413,
    status: 'INVALID_ARGUMENT',
    when: 'The body is too large',
  },
  url_too_long: {
    code: 414,
    status: 'INVALID_ARGUMENT',
    when: 'The URL is too long: send the parameters with POST',
  },
  unsupported_media_type: {
    code: 415,
    status: 'INVALID_ARGUMENT',
    when: 'The body is compressed, of entries in another way than with gzip, or is not JSON in UTF-8',
  },
  expectation_failed: {
    code: 417,
    status: 'INVALID_ARGUMENT',
    when: 'The header `Expect` is not `100-continue`',
  },
  headers_too_large: {
    code: 431,
    status: 'INVALID_ARGUMENT',
    when: 'The headers are too large',
  },
  resource_exhausted: {
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    when: 'The query needs more memory or bytes than allowed; or the token has used up its requests or CPU time, or has too many queries or requests that write entries under way',
  },
  internal: {
    code: 500,
    status: 'INTERNAL',
    when: 'The service has a bug; the message has the request id to find the details in the log',
  },
  bad_gateway: {
    code: 502,
    status: 'UNAVAILABLE',
    when: 'The warehouse sent an invalid answer',
  },
  unavailable: {
    code: 503,
    status: 'UNAVAILABLE',
    when: 'The warehouse or the token store failed; or the service is stopping, or has no memory left for another answer',
  },
  deadline_exceeded: {
    code: 504,
    status: 'DEADLINE_EXCEEDED',
    when: 'The query ran longer than its deadline and was cancelled',
  },
} as const;

/** A kind of failure, which decides the HTTP code and status of the answer. */
export type ErrorKind = keyof typeof ERROR_KINDS;

/** What in the request an error is about: a parameter by name, or a place in the text of the consumer query. */
export interface ErrorDetail {
  readonly parameter?: string;
  /** 1-based line in the consumer's text. */
  readonly line?: number;
  /** 1-based column in the consumer's text, counted in characters. */
  readonly column?: number;
  readonly reason?: string;
  /** The place of a malformed entry in a batch of log entries, from 0. */
  readonly entry?: number;
  /** The field that is at fault in it, names joined by dots; absent where the entry as a whole is. Without `entry`, a field of the body. */
  readonly field?: string;
  /** What the query would bill, in bytes, by the warehouse's estimate. */
  readonly estimatedBytesBilled?: number;
  /** The most that it may bill, in bytes. */
  readonly maxBytesBilled?: number;
  /** The longest time range in which the query stays within its byte limit; null where there is none, or it is unknown. */
  readonly longestWindow?: LongestWindow | null;
}

/** A window of time that a request may ask for. */
export interface LongestWindow {
  readonly seconds: number;
  /** The same in ISO 8601: `PT2H`. */
  readonly duration: string;
  /** The values of the request's parameters that ask for it. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Whether the warehouse has estimated that it fits; else it follows from the estimate of the whole. */
  readonly isVerified: boolean;
}

export interface ServiceErrorOptions extends ErrorOptions {
  readonly details?: readonly ErrorDetail[];
  /** Extra response headers that the answer must carry, such as Allow or Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The one error type of the service. The message goes to the caller as it is, but for values that it quotes at too much
 * length, so it says what to change and nothing about the inside; what an operator needs goes into `cause`, which is logged and never sent.
 */
export class ServiceError extends Error {
  readonly kind: ErrorKind;
  readonly details: readonly ErrorDetail[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(kind: ErrorKind, message: string, options: ServiceErrorOptions = {}) {
    super(shortenMessage(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.kind = kind;
    this.details = options.details ?? [];
    this.headers = options.headers ?? {};
  }

  /** The HTTP status code that this error answers with. */
  get code(): number {
    return ERROR_KINDS[this.kind].code;
  }

  /** The status word in the error envelope. */
  get status(): string {
    return ERROR_KINDS[this.kind].status;
  }
}

/** A 400 about one request parameter; details carry its name. */
export function invalidParameter(parameter: string, message: string): ServiceError {
  return new ServiceError('invalid_argument', message, { details: [{ parameter }] });
}
