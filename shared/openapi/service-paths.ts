import { answerHeaders, headerParameters, type RouteKind } from './headers.ts';
import { closedObject, type JsonSchema, type OpenApiObject } from './json-schema.ts';
import { OPENAPI_ROUTE } from './openapi-route.ts';
import { errorsOf, preflightResponses, withoutBody } from './responses.ts';

const TAG = 'service';

interface ServiceRoute {
  readonly name: string;
  readonly route: RouteKind;
  readonly summary: string;
  readonly schema: JsonSchema;
  readonly errors: Parameters<typeof errorsOf>[1];
}

const ROUTES: Readonly<Record<string, ServiceRoute>> = {
  '/healthz': {
    name: 'health',
    route: 'open',
    summary: 'Whether the process lives',
    schema: closedObject({ status: { const: 'ok' } }),
    errors: ['invalid_argument', 'method_not_allowed', 'url_too_long', 'headers_too_large', 'internal'],
  },
  '/readyz': {
    name: 'readiness',
    route: 'open',
    summary: 'Whether the warehouse answers',
    schema: closedObject({ status: { const: 'ready' } }),
    errors: [
      'invalid_argument',
      'method_not_allowed',
      'url_too_long',
      'headers_too_large',
      'internal',
      'unavailable',
    ],
  },
  [OPENAPI_ROUTE]: {
    name: 'openapi',
    route: 'with_token',
    summary: 'This document, with the endpoints that the access token may use',
    schema: { type: 'object', required: ['openapi', 'info', 'paths'] },
    errors: [
      'invalid_argument',
      'unauthenticated',
      'method_not_allowed',
      'url_too_long',
      'headers_too_large',
      'resource_exhausted',
      'internal',
      'unavailable',
    ],
  },
};

/** What there is besides the endpoints. */
export function servicePaths(): Readonly<Record<string, OpenApiObject>> {
  return Object.fromEntries(Object.entries(ROUTES).map(([path, route]) => [path, pathItem(route)]));
}

function pathItem({ name, route, summary, schema, errors }: ServiceRoute): OpenApiObject {
  const security = route === 'open' ? { security: [] } : {};
  const found = {
    description: summary,
    headers: answerHeaders(route, 200),
    content: { 'application/json': { schema } },
  };
  const responses = { 200: found, ...errorsOf(route, errors) };
  const common = { tags: [TAG], summary, parameters: headerParameters(route, false) };
  return {
    get: { operationId: `get.${name}`, ...common, ...security, responses },
    head: {
      operationId: `head.${name}`,
      ...common,
      ...security,
      responses: Object.fromEntries(
        Object.entries(responses).map(([code, one]) => [code, withoutBody(one)] as const),
      ),
    },
    options: {
      operationId: `options.${name}`,
      ...common,
      security: [],
      responses: preflightResponses(route),
    },
  };
}
