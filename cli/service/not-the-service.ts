import { QueryError } from '../../client/client.js';

/** What is thrown when something else than the service has answered. */
export function notTheService(): QueryError {
  return new QueryError('The answer is not one of this service; check --url.', {
    code: 200,
    status: 'UNKNOWN',
  });
}
