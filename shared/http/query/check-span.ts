import type { AccessToken } from '../../access/access-token.ts';
import { checkLookback, checkWindow } from '../../access/check-window.ts';
import type { BoundParameters } from '../../endpoints/bind-parameters.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { TimeRange } from '../../time/time-range.ts';
import { lookbackValue } from './requested-range.ts';

/** Holds a request to the time span that its token may read, in whichever parameters the endpoint takes it. `bounds` are of `boundsOf`. */
export function checkSpan(
  { limits }: Pick<AccessToken, 'limits'>,
  endpoint: Endpoint,
  bound: BoundParameters,
  bounds: TimeRange | null,
  nowMicros: bigint,
): void {
  const { timeWindow, lookback } = endpoint;
  if (timeWindow !== null && bounds !== null) checkWindow(limits, bounds, timeWindow, nowMicros);
  if (lookback === null) return;
  checkLookback(limits, lookback.parameter, lookbackValue(lookback, bound), lookback.seconds);
}
