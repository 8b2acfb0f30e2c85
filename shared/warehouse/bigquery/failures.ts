import { type ErrorKind, ServiceError } from '../../errors/service-error.ts';
import type { Warn } from '../../errors/warn.ts';
import type { ApiFailure } from './rest/api-failure.ts';
import { isTransient } from './rest/api-failure.ts';

/** What is known of the query that failed. */
export interface FailedQuery {
  /** Names that no message may carry. */
  readonly insideNames: readonly string[];
}

/** Seconds after which a quota may have room again. */
const QUOTA_RETRY_SECONDS = '30';

const QUOTA_REASONS = ['quotaExceeded', 'rateLimitExceeded', 'jobRateLimitExceeded', 'userRateLimitExceeded'];
const SIZE_REASONS = ['resourcesExceeded', 'responseTooLarge', 'billingTierLimitExceeded'];
const QUERY_REASONS = ['invalidQuery', 'invalid'];

/** Whether BigQuery has something against the query itself. */
export function isOfQuery(failure: ApiFailure): boolean {
  return failure.has(...QUERY_REASONS);
}

/**
 * The error that the caller gets for a failed call: what the query's author can mend in BigQuery's own words as long
 * as they say nothing about the inside, everything else in ours. `warn` receives what only the operator can fix.
 */
export function toServiceError(failure: ApiFailure, query: FailedQuery, warn: Warn): ServiceError {
  const cause = { cause: failure };
  if (failure.has('stopped', 'timeout')) {
    return new ServiceError(
      'deadline_exceeded',
      'The query ran out of time and was cancelled; narrow the time range or select fewer rows.',
      cause,
    );
  }
  if (failure.has(...SIZE_REASONS)) {
    return new ServiceError(
      'resource_exhausted',
      'The query needs more memory than it may have; narrow the time range or select fewer columns.',
      cause,
    );
  }
  const tell = (kind: ErrorKind, message: string, headers: Readonly<Record<string, string>> = {}) => {
    warn(`BigQuery: ${message}`, {
      status: failure.status,
      reasons: failure.reasons.join(','),
      error: failure.message,
      ...(failure.cause === undefined ? {} : { cause: String(failure.cause) }),
    });
    return new ServiceError(kind, message, { ...cause, headers });
  };
  if (failure.has(...QUOTA_REASONS) || failure.status === 429) {
    return tell('resource_exhausted', 'The warehouse has no room for more queries; try again in a moment.', {
      'Retry-After': QUOTA_RETRY_SECONDS,
    });
  }
  if (isOfQuery(failure)) {
    const message = valueProblem(failure.message, query.insideNames);
    if (message !== null) return new ServiceError('invalid_argument', message, cause);
    return tell(
      'invalid_argument',
      'The warehouse cannot run this query: it does not take a construct or a value in it.',
    );
  }
  if (isTransient(failure)) return tell('unavailable', 'The warehouse failed; try again.');
  return tell('bad_gateway', 'The warehouse refused the service; its operator has to look at it.');
}

/** Places in a text that its author has never seen. */
const PLACE = /(?:;\s*)?(?:\s+at)?\s*\[(?:at\s+)?\d+:\d+\]/g;
/** Ids of jobs and tables, addresses of service accounts, paths. */
const INSIDE_IDS =
  /[\w-]+:[\w-]+\.[\w-]+|\bjob\s?_?id\b|@[\w.-]+\.iam\b|gserviceaccount|https?:|\/projects\//i;
/** The path of a table or view in a sentence about it: only BigQuery knows the names of those under a view. */
const INSIDE_PATHS = /\b(?:table|view|dataset)\s+['"`]?[\w:-]+['"`]?\.['"`]?\w/i;
/** What stands in front of the emulator's and BigQuery's sentences. */
const PREFIX = /^(?:failed to [\w ]+: )+/;
const MAX_MESSAGE_LENGTH = 500;

/** BigQuery's own sentence about a query, without places in it; null when it may say something about the inside. */
function valueProblem(message: string, insideNames: readonly string[]): string | null {
  const [first = ''] = message.replaceAll(PLACE, '').replace(PREFIX, '').split('\n');
  const text = first.trim();
  const isInside =
    INSIDE_IDS.test(text) || INSIDE_PATHS.test(text) || insideNames.some((name) => namesAsWhole(text, name));
  return text === '' || isInside ? null : text.slice(0, MAX_MESSAGE_LENGTH);
}

/** Whether a text has a name in it that is not part of a longer one. */
function namesAsWhole(text: string, name: string): boolean {
  const escaped = name.replaceAll(/[^\w]/g, '\\$&');
  return new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`, 'i').test(text);
}
