import type { Endpoint, EndpointRegistry } from '../endpoints/endpoint.ts';
import { ServiceError } from '../errors/service-error.ts';
import { endpointKey } from './request-target.ts';

/** Finds the endpoint that a path names; throws a ServiceError (not_found). */
export type ResolveEndpoint = (path: string) => Endpoint;

/** Every endpoint by its own path, by id or name. */
export function resolveAny(endpoints: EndpointRegistry): ResolveEndpoint {
  return (path) => {
    const key = endpointKey(path);
    const endpoint = key === undefined ? undefined : endpoints.find(key);
    return endpoint ?? refuseUnknown();
  };
}

/** One endpoint, also at `/`. Throws a TypeError when there is none of that id or name. */
export function resolveOnly(endpoints: EndpointRegistry, only: string): ResolveEndpoint {
  const endpoint = endpoints.find(only);
  if (endpoint === undefined) throw new TypeError(`There is no endpoint "${only}".`);
  return (path) => {
    if (path === '/') return endpoint;
    const key = endpointKey(path);
    return key !== undefined && endpoints.find(key) === endpoint ? endpoint : refuseUnknown();
  };
}

function refuseUnknown(): never {
  throw new ServiceError(
    'not_found',
    'There is no such endpoint; call /api/endpoints/query/ followed by the id or the name of one.',
  );
}
