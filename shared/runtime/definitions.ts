import type { Endpoint, EndpointRegistry } from '../endpoints/endpoint.ts';
import { makeRegistry } from '../endpoints/endpoint-registry.ts';
import type { SourceNames } from '../schema/load-source-names.ts';
import type { TableSchema, TableSchemas } from '../schema/table-schema.ts';

/** What is served, and the tables that it reads. */
export interface Definitions {
  readonly endpoints: EndpointRegistry;
  /** The tables' schemas as they were declared. */
  readonly schemas: TableSchemas;
  /** Under which other names programs send entries to the sources. */
  readonly sourceNames: SourceNames;
}

/** The same as a JSON value, checked and written down by whoever builds a function. */
export interface BuiltDefinitions {
  readonly endpoints: readonly Endpoint[];
  readonly schemas: Readonly<Record<string, TableSchema>>;
  readonly sourceNames: Readonly<Record<string, string>>;
}

/** Writes definitions down, of the endpoints that a function needs. */
export function packDefinitions(
  { endpoints, schemas, sourceNames }: Definitions,
  names: readonly string[],
): BuiltDefinitions {
  return {
    endpoints: endpoints.all.filter(({ name }) => names.includes(name)),
    schemas: Object.fromEntries(schemas),
    sourceNames: Object.fromEntries(sourceNames),
  };
}

/** Takes definitions from where they were written down. */
export function unpackDefinitions({ endpoints, schemas, sourceNames }: BuiltDefinitions): Definitions {
  return {
    endpoints: makeRegistry(endpoints),
    schemas: new Map(Object.entries(schemas)),
    sourceNames: new Map(Object.entries(sourceNames)),
  };
}
