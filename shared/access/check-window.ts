import { nounFor } from '../errors/noun-for.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { TimeRange } from '../time/time-range.ts';
import { MICROS_PER_SECOND } from '../time/units.ts';
import type { TokenLimits } from './token-limits.ts';

/** "The last day" is a little more than a day when the request arrives, and clocks differ. */
const SLACK_SECONDS = 60;

/**
 * Checks a request's time span against the token's `maxWindowSeconds`, with a minute of tolerance; without an end
 * it ends now. `parameters` are the names under which the request sends the bounds.
 *
 * Throws a ServiceError (permission_denied), with the parameter to change in its details, when the span is longer or
 * has no beginning.
 */
export function checkWindow(
  limits: Pick<TokenLimits, 'maxWindowSeconds'>,
  { after, upTo }: TimeRange,
  parameters: { readonly start: string; readonly end: string },
  nowMicros: bigint,
): void {
  const { maxWindowSeconds } = limits;
  if (maxWindowSeconds === null) return;
  const { start, end } = parameters;
  const most = mostAtOnce(maxWindowSeconds);
  if (after === null) {
    throw refuse(
      start,
      `${most}; set "${start}" to no more than that before "${end}", or before the present.`,
    );
  }
  const spanMicros = (upTo ?? nowMicros) - after;
  if (spanMicros <= BigInt(maxWindowSeconds + SLACK_SECONDS) * MICROS_PER_SECOND) return;
  const spanSeconds = spanMicros / 1_000_000n;
  const until = upTo === null ? 'the present' : `"${end}"`;
  throw refuse(
    start,
    `${most}; set "${start}" to a later time: it lies ${spanSeconds} ${nounFor(spanSeconds, 'second')} before ${until}.`,
  );
}

/**
 * Checks the time span that the value of a parameter stands for against the token's `maxWindowSeconds`; `seconds` has
 * the span of each value.
 *
 * Throws a ServiceError (permission_denied) that names the values with a span that is short enough.
 */
export function checkLookback(
  { maxWindowSeconds }: Pick<TokenLimits, 'maxWindowSeconds'>,
  parameter: string,
  value: string,
  seconds: Readonly<Record<string, number>>,
): void {
  if (maxWindowSeconds === null) return;
  const isAllowed = (span: number | undefined) =>
    span !== undefined && span <= maxWindowSeconds + SLACK_SECONDS;
  if (isAllowed(seconds[value])) return;
  const allowed = Object.keys(seconds).filter((one) => isAllowed(seconds[one]));
  const most = mostAtOnce(maxWindowSeconds);
  throw refuse(
    parameter,
    allowed.length === 0
      ? `${most}, and every value of "${parameter}" stands for more.`
      : `${most}; set "${parameter}" to ${allowed.join(' or ')}.`,
  );
}

function mostAtOnce(seconds: number): string {
  return `This access token may read ${seconds} ${nounFor(seconds, 'second')} of logs at once`;
}

function refuse(parameter: string, message: string): ServiceError {
  return new ServiceError('permission_denied', message, { details: [{ parameter }] });
}
