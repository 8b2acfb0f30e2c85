import { invalidParameter } from '../errors/service-error.ts';
import type { RequestParameters } from './request-parameters.ts';

/** The parameters with which a consumer brings a query of their own. */
const QUERY_PARAMETERS = ['sql', 'lql'] as const;

/**
 * Throws invalid_argument when a request brings a query of its own, for there is no way to run one yet. An empty
 * one counts as absent.
 */
export function refuseConsumerQuery(request: RequestParameters): void {
  for (const name of QUERY_PARAMETERS) {
    if (request.get(name)?.some((value) => value !== '')) {
      throw invalidParameter(
        name,
        `Queries given as '${name}' are not supported yet; leave '${name}' out to run the endpoint's own query.`,
      );
    }
  }
}
