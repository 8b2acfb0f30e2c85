import { ERROR_KINDS, type ErrorKind } from '../errors/service-error.ts';
import { answerHeaders, type RouteKind } from './headers.ts';
import { type JsonSchema, type OpenApiObject, refTo } from './json-schema.ts';
import { namedExamples, type RecordedAnswer } from './recorded-answers.ts';

/** The answers of an operation by their code. */
export type Responses = Readonly<Record<string, OpenApiObject>>;

const KINDS = Object.keys(ERROR_KINDS) as readonly ErrorKind[];

/** Only who sends a body can send a wrong one. */
const OF_BODIES: ReadonlySet<ErrorKind> = new Set(['body_too_large', 'unsupported_media_type']);

/** What endpoints can answer that is no result, by kind, for operations to refer to. */
export function errorComponents(): Responses {
  return Object.fromEntries(KINDS.map((kind) => [kind, errorResponse('query', kind)]));
}

/** Every error of a GET or POST to an endpoint; those of which there are examples are written out. */
export function queryErrors(hasBody: boolean, examples: readonly RecordedAnswer[]): Responses {
  const kinds = KINDS.filter((kind) => hasBody || !OF_BODIES.has(kind));
  return byCode(kinds, (kind) => {
    const own = namedExamples(examples, ERROR_KINDS[kind].code, 'application/json');
    return own === null ? refTo('responses', kind) : errorResponse('query', kind, { examples: own });
  });
}

/** Every error of a HEAD to an endpoint. */
export function headErrors(): Responses {
  const kinds = KINDS.filter((kind) => !OF_BODIES.has(kind));
  return byCode(kinds, (kind) => withoutBody(errorResponse('query', kind)));
}

/** The errors of these kinds on another route. */
export function errorsOf(route: RouteKind, kinds: readonly ErrorKind[]): Responses {
  return byCode(kinds, (kind) => errorResponse(route, kind));
}

/** The same answer as HEAD has it. */
export function withoutBody({ content: _, ...response }: OpenApiObject): OpenApiObject {
  return response;
}

/** The answer to OPTIONS. */
export function preflightResponses(route: RouteKind): Responses {
  return {
    204: { description: 'The methods and headers that may be sent', headers: answerHeaders(route, 204) },
  };
}

function errorResponse(route: RouteKind, kind: ErrorKind, more: OpenApiObject = {}): OpenApiObject {
  const { code, status, when } = ERROR_KINDS[kind];
  const properties = { code: { const: code }, status: { const: status } };
  const schema: JsonSchema = { ...refTo('schemas', 'Error'), properties: { error: { properties } } };
  return {
    description: when,
    headers: answerHeaders(route, code),
    content: { 'application/json': { schema, ...more } },
  };
}

function byCode(kinds: readonly ErrorKind[], make: (kind: ErrorKind) => OpenApiObject): Responses {
  return Object.fromEntries(kinds.map((kind) => [ERROR_KINDS[kind].code, make(kind)]));
}
