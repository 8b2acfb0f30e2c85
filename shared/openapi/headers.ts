import { REQUEST_HEADERS, type RequestHeader } from '../http/request/request-headers.ts';
import { ANSWER_HEADERS, type AnswerHeader } from '../http/response/answer-headers.ts';
import { type OpenApiObject, refTo } from './json-schema.ts';

/** The properties of a path that its headers depend on. */
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

/** OpenAPI's parameters cannot have these names (3.1.1, section 4.8.12.2); they have their own places. */
const NO_PARAMETERS: ReadonlySet<string> = new Set(['Accept', 'Content-Type', 'Authorization']);

/** The request headers that are parameters, by name; credentials are none. */
export function headerParameterComponents(): Readonly<Record<string, OpenApiObject>> {
  return Object.fromEntries(
    PARAMETERS.map(([name, { description, example, schema = { type: 'string' } }]) => [
      name,
      { name, in: 'header', description, schema, ...(example === undefined ? {} : { example }) },
    ]),
  );
}

/** Those that a request to a route can have. */
export function headerParameters(route: RouteKind, hasBody: boolean): readonly OpenApiObject[] {
  return PARAMETERS.filter(([, header]) => isRead(header, route, hasBody)).map(([name]) =>
    refTo('parameters', name),
  );
}

const PARAMETERS = Object.entries(REQUEST_HEADERS).filter(
  ([name, { role }]) => role !== 'credential' && !NO_PARAMETERS.has(name),
);

function isRead({ role }: RequestHeader, route: RouteKind, hasBody: boolean): boolean {
  switch (role) {
    case 'request':
      return true;
    case 'answer':
      return route === 'query';
    case 'body':
      return hasBody;
    case 'format':
    case 'credential':
      return false;
    default: {
      const unreachable: never = role;
      throw new TypeError(`role ${unreachable}`);
    }
  }
}
