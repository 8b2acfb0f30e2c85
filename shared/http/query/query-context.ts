import type { AccessToken } from '../../access/access-token.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { Caller } from '../../results/run-options.ts';
import type { AnswerOptions } from '../request/answer-options.ts';
import type { RequestParameters } from '../request/request-parameters.ts';
import type { Exchange } from '../server/route.ts';

/** A request to an endpoint, as far as it is known before the endpoint's parameters are looked at. */
export interface QueryContext {
  readonly exchange: Exchange;
  /** As its redacted answers see it, where the answer is redacted. */
  readonly endpoint: Endpoint;
  readonly token: AccessToken;
  readonly caller: Caller;
  readonly request: RequestParameters;
  readonly options: AnswerOptions;
  /** By the endpoint's setting or because the caller asks for it. */
  readonly isRedacted: boolean;
}

/** So many digits of a token's digest distinguish it from the others without revealing it. */
const ACCOUNT_DIGITS = 16;

/** The caller that holds a token: what its queries may take. */
export function callerOf({ digest, limits }: AccessToken, { signal, onUsage }: Exchange): Caller {
  const { maxRows, maxBytesBilled, sqlDeadlineSeconds, cpuSecondsPerMinute } = limits;
  return {
    maxRows,
    maxBytesBilled,
    account: digest.slice(0, ACCOUNT_DIGITS),
    sqlDeadlineMs: sqlDeadlineSeconds === null ? null : sqlDeadlineSeconds * 1000,
    cpuSecondsPerMinute,
    signal,
    onUsage,
  };
}
