import type { AccessToken } from '../access/access-token.ts';
import { checkLookback, checkWindow } from '../access/check-window.ts';
import type { BoundParameters } from '../endpoints/bind-parameters.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { boundsOf } from './time-window.ts';

/** Holds a request to the time span that its token may read, however the endpoint is told of it. */
export function checkSpan(
  { limits }: Pick<AccessToken, 'limits'>,
  endpoint: Endpoint,
  bound: BoundParameters,
  nowMicros: bigint,
): void {
  const { timeWindow, lookback } = endpoint;
  const bounds = boundsOf(endpoint, bound);
  if (timeWindow !== null && bounds !== null) checkWindow(limits, bounds, timeWindow, nowMicros);
  if (lookback === null) return;
  const { parameter, seconds } = lookback;
  checkLookback(limits, parameter, String(bound.values.get(parameter)?.value), seconds);
}
