import type { AccessToken } from '../../access/access-token.ts';
import { isEndpointAllowed } from '../../access/authorize.ts';
import type { Endpoint, EndpointRegistry } from '../../endpoints/endpoint.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { didYouMean } from '../../sql/text/nearest-names.ts';
import { endpointKey } from '../request/request-target.ts';

/**
 * Finds the endpoint that a path names. Throws a ServiceError (not_found) that names those that the token may use. What
 * the token may not use answers as what does not exist, letter for letter.
 */
export type ResolveEndpoint = (path: string, token: Pick<AccessToken, 'endpoints'>) => Endpoint;

/** Most endpoints that an error names. */
const MAX_LISTED = 20;

/** Every endpoint by its own path, by id or name. */
export function resolveAny(endpoints: EndpointRegistry): ResolveEndpoint {
  return (path, token) => {
    const key = endpointKey(path);
    const endpoint = key === undefined ? undefined : endpoints.find(key);
    if (endpoint !== undefined && isEndpointAllowed(token, endpoint)) return endpoint;
    throw unknownEndpoint(key, endpoints.all, token);
  };
}

/** One endpoint, also at `/`. Throws a TypeError when there is none of that id or name. */
export function resolveOnly(endpoints: EndpointRegistry, only: string): ResolveEndpoint {
  const endpoint = endpoints.find(only);
  if (endpoint === undefined) throw new TypeError(`There is no endpoint "${only}".`);
  return (path, token) => {
    const key = endpointKey(path);
    const isServed = path === '/' || (key !== undefined && endpoints.find(key) === endpoint);
    if (isServed && isEndpointAllowed(token, endpoint)) return endpoint;
    throw unknownEndpoint(key, [endpoint], token);
  };
}

/**
 * The endpoints of a limited token are named as the token has them: a function that serves one endpoint then answers as
 * the one next to it does, and neither reveals the name that belongs to an id.
 */
function unknownEndpoint(
  key: string | undefined,
  endpoints: readonly Endpoint[],
  token: Pick<AccessToken, 'endpoints'>,
): ServiceError {
  const names = token.endpoints ?? endpoints.map(({ name }) => name);
  const hint = didYouMean(key ?? '', names) || '.';
  const listed = names.slice(0, MAX_LISTED).join(', ');
  const which = listed === '' ? 'the id or the name of one' : `the id or the name of one: ${listed}`;
  const more = names.length > MAX_LISTED ? ', …' : '';
  return new ServiceError(
    'not_found',
    `There is no such endpoint${hint} Call /api/endpoints/query/ followed by ${which}${more}.`,
  );
}
