import type { DescribedEndpoint } from './described-endpoint.ts';
import { ENVELOPE_COMPONENTS } from './envelopes.ts';
import { headerComponents, headerParameterComponents } from './headers.ts';
import { ingestPath } from './ingest-path.ts';
import type { OpenApiObject } from './json-schema.ts';
import { queryPath, querySchemas } from './query-paths.ts';
import { reservedParameterComponents } from './reserved-schemas.ts';
import { errorComponents } from './responses.ts';
import { WIRE_SCHEMAS } from './row-schema.ts';
import { servicePaths } from './service-paths.ts';

/** Of the API, not of the software: it counts up when callers have to change something. */
const API_VERSION = '1.0.0';

const DESCRIPTION = `Stored GoogleSQL over logs, each query an endpoint. \`sql\` or \`lql\` replace an endpoint's own SELECT by the
caller's over the same sources.

An empty parameter counts as absent. A parameter that an endpoint does not declare is ignored and named in the header
\`X-Ignored-Parameters\`; one given twice answers 400. Dates and times (\`iso-8601\`) without a zone are UTC. \`re2\` is a
regular expression in RE2 syntax.`;

const SECURITY_SCHEMES = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'The access token' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The access token' },
};

export interface DocumentOptions {
  /** Whether the service takes entries. */
  readonly hasIngest: boolean;
}

/** The OpenAPI 3.1 document of a service with these endpoints. */
export function openApiDocument(
  endpoints: readonly DescribedEndpoint[],
  { hasIngest }: DocumentOptions,
): OpenApiObject {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Log Query Endpoints',
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] })),
    tags: [
      ...endpoints.map(({ endpoint: { name, description } }) => ({ name, description })),
      { name: 'service', description: 'The service itself' },
    ],
    paths: {
      ...Object.fromEntries(endpoints.map(queryPath)),
      ...(hasIngest ? ingestPath() : {}),
      ...servicePaths(),
    },
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: { ...reservedParameterComponents(), ...headerParameterComponents() },
      headers: headerComponents(),
      responses: errorComponents(),
      schemas: {
        ...Object.assign({}, ...endpoints.map(querySchemas)),
        ...ENVELOPE_COMPONENTS,
        ...WIRE_SCHEMAS,
      },
    },
  };
}
