import type { HttpDeps } from '../../../../shared/http/http-deps.ts';
import { makeObtainResult, type ResultDeps } from '../../../../shared/results/obtain-result.ts';
import { makeRedactedEndpoints } from '../../../../shared/results/redacted-endpoints.ts';

/** The parts that results go through, made of the others. */
export function withResults<T extends ResultDeps>(deps: T): T & Pick<HttpDeps, 'obtain' | 'redacted'> {
  return { ...deps, obtain: makeObtainResult(deps), redacted: makeRedactedEndpoints(deps.warehouse) };
}
