import type { Endpoint, EndpointRegistry } from './endpoint.ts';

/** The registry of these endpoints, whose ids and names are unique. */
export function makeRegistry(endpoints: readonly Endpoint[]): EndpointRegistry {
  const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  return {
    all: endpoints,
    find: (idOrName) => byName.get(idOrName) ?? byId.get(idOrName.toLowerCase()),
  };
}
