import { invalidParameter } from '../../errors/service-error.ts';
import { isGiven, single } from '../request/answer-options.ts';
import type { RequestParameters } from '../request/request-parameters.ts';

/** Ten years, in seconds: the widest bar. */
export const MAX_HISTOGRAM_SECONDS = 315_576_000;
const WHOLE_NUMBER = /^[1-9]\d{0,8}$/;

/**
 * The width of a histogram's bars in seconds, null where no histogram is asked for. Throws a ServiceError
 * (invalid_argument).
 */
export function readHistogramSeconds(request: RequestParameters): number | null {
  if (!isGiven(request, 'histogram')) return null;
  const text = single(request, 'histogram');
  if (WHOLE_NUMBER.test(text) && Number(text) <= MAX_HISTOGRAM_SECONDS) return Number(text);
  throw invalidParameter(
    'histogram',
    `Parameter 'histogram' is not valid. It accepts the width of a bar in seconds, a whole number from 1 to ${MAX_HISTOGRAM_SECONDS}.`,
  );
}
