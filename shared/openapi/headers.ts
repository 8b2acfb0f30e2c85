import { ANSWER_HEADERS, type AnswerHeader } from '../http/answer-headers.ts';
import { REQUEST_HEADERS, type RequestHeader } from '../http/request-headers.ts';
import { type OpenApiObject, refTo } from './json-schema.ts';

/** What a path is, as far as headers hang on it. */
export type RouteKind = 'open' | 'with_token' | 'query';

/** The headers of answers by name, for all answers to refer to. */
export function headerComponents(): Readonly<Record<string, OpenApiObject>> {
  return Object.fromEntries(
    Object.entries(ANSWER_HEADERS).map(([name, { description, schema, isAlways }]) => [
      name,
      { description, ...(isAlways ? { required: true } : {}), schema },
    ]),
  );
}

/** The headers that answers of a code can have on a route. */
export function answerHeaders(route: RouteKind, code: number): Readonly<Record<string, OpenApiObject>> {
  const names = Object.entries(ANSWER_HEADERS).flatMap(([name, header]) =>
    isOn(header, route) && (header.codes?.includes(code) ?? true) ? [name] : [],
  );
  return Object.fromEntries(names.map((name) => [name, refTo('headers', name)]));
}

function isOn({ routes }: AnswerHeader, route: RouteKind): boolean {
  return routes === 'all' || route === 'query' || (routes === 'with_token' && route === 'with_token');
}

/** The request headers that are parameters, by name. Credentials, formats and types have places of their own. */
export function headerParameterComponents(): Readonly<Record<string, OpenApiObject>> {
  const named = Object.entries(REQUEST_HEADERS).filter(([name, header]) => isParameter(name, header));
  return Object.fromEntries(
    named.map(([name, { description, example }]) => [
      name,
      {
        name,
        in: 'header',
        description,
        schema: name === CONTENT_ENCODING ? { type: 'string', enum: ['identity'] } : { type: 'string' },
        ...(example === undefined ? {} : { example }),
      },
    ]),
  );
}

/** Those that a request to a route can have. */
export function headerParameters(route: RouteKind, hasBody: boolean): readonly OpenApiObject[] {
  return Object.entries(REQUEST_HEADERS)
    .filter(([name, header]) => isParameter(name, header) && isRead(header, route, hasBody))
    .map(([name]) => refTo('parameters', name));
}

const CONTENT_ENCODING = 'Content-Encoding';

/** OpenAPI's parameters cannot be `Accept`, `Content-Type` and `Authorization` (3.1.1, section 4.8.12.2). */
function isParameter(name: string, { role }: RequestHeader): boolean {
  return role === 'answer' || role === 'request' || name === CONTENT_ENCODING;
}

function isRead({ role }: RequestHeader, route: RouteKind, hasBody: boolean): boolean {
  switch (role) {
    case 'request':
      return true;
    case 'answer':
      return route === 'query';
    case 'body':
      return hasBody;
    default:
      return false;
  }
}
