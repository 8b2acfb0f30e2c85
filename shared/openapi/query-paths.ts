import type { Endpoint } from '../endpoints/endpoint.ts';
import { nounFor } from '../errors/noun-for.ts';
import { type Format, MEDIA_TYPES } from '../http/formats/format.ts';
import { QUERY_ROUTE } from '../http/request/request-target.ts';
import type { DescribedEndpoint } from './described-endpoint.ts';
import { envelope } from './envelopes.ts';
import { answerHeaders, headerParameters } from './headers.ts';
import { type JsonSchema, type OpenApiObject, refTo } from './json-schema.ts';
import { isLimited, urlSchema } from './parameter-schemas.ts';
import { answersOf, namedExamples, type RecordedAnswer } from './recorded-answers.ts';
import { requestBody } from './request-body.ts';
import { reservedParameters } from './reserved-schemas.ts';
import { headErrors, preflightResponses, queryErrors, type Responses, withoutBody } from './responses.ts';
import { rowSchema } from './row-schema.ts';

/** The path of an endpoint with its operations. */
export function queryPath(described: DescribedEndpoint): readonly [path: string, item: OpenApiObject] {
  const { endpoint } = described;
  const answers = answersOf(endpoint);
  const ofMethod = (method: string) => answers.filter(({ request }) => request.method === method);
  const item = {
    summary: endpoint.description,
    get: {
      ...operation(endpoint, 'get', 'The rows, by parameters in the URL'),
      parameters: urlParameters(described),
      responses: { ...results(endpoint, ofMethod('GET'), true), ...queryErrors(false, ofMethod('GET')) },
    },
    head: {
      ...operation(endpoint, 'head', 'The headers of the same GET'),
      parameters: urlParameters(described),
      responses: { ...withoutBodies(results(endpoint, [], true)), ...headErrors() },
    },
    post: {
      ...operation(endpoint, 'post', 'The same rows, by parameters in a JSON object'),
      parameters: headerParameters('query', true),
      requestBody: requestBody(described, ofMethod('POST')),
      responses: { ...results(endpoint, ofMethod('POST'), false), ...queryErrors(true, ofMethod('POST')) },
    },
    options: {
      ...operation(endpoint, 'options', 'The methods, for browsers'),
      parameters: headerParameters('open', false),
      security: [],
      responses: preflightResponses('query'),
    },
  };
  return [`${QUERY_ROUTE}/${endpoint.name}`, item];
}

/** The schemas that the answers of an endpoint consist of, by name. */
export function querySchemas({ endpoint, columns }: DescribedEndpoint): Readonly<Record<string, JsonSchema>> {
  return {
    [rowName(endpoint)]: { ...rowSchema(columns), description: `A row of ${endpoint.name}` },
    [rowsName(endpoint)]: envelope(
      refTo('schemas', rowName(endpoint)),
      `The rows of ${endpoint.name}'s stored query`,
    ),
  };
}

function operation(
  { name, id, description, maxRows }: Endpoint,
  method: string,
  summary: string,
): OpenApiObject {
  return {
    operationId: `${method}.${name}`,
    tags: [name],
    summary,
    description: `${description.replace(/[\s.]+$/, '')}. At most ${maxRows} ${nounFor(maxRows, 'row')}. The id \`${id}\` in the path means the same as the name.`,
  };
}

function urlParameters({ endpoint, projects }: DescribedEndpoint): readonly OpenApiObject[] {
  const declared = endpoint.parameters.map((spec) => ({
    name: spec.name,
    in: 'query',
    description: spec.description,
    ...(spec.required ? { required: true } : { allowEmptyValue: true }),
    ...(isLimited(spec, endpoint, projects)
      ? { schema: { type: 'string', enum: projects } }
      : { schema: urlSchema(spec), example: spec.example }),
  }));
  const reserved = reservedParameters(endpoint).map(([name]) => refTo('parameters', name));
  return [...declared, ...reserved, ...headerParameters('query', false)];
}

function results(endpoint: Endpoint, answers: readonly RecordedAnswer[], isRead: boolean): Responses {
  const examples = (mediaType: string): OpenApiObject => {
    const found = namedExamples(answers, 200, mediaType);
    return found === null ? {} : { examples: found };
  };
  const content = Object.keys(MEDIA_TYPES).map((format) => {
    const mediaType = mediaTypeOf(format as Format);
    return [mediaType, { schema: bodySchemas(endpoint)[format as Format], ...examples(mediaType) }];
  });
  const found = {
    200: {
      description: 'The rows, or with `explain=true` what would be run',
      headers: answerHeaders('query', 200),
      content: Object.fromEntries(content),
    },
  };
  if (!isRead || endpoint.cacheTtlSeconds === 0) return found;
  const unchanged = { description: 'The caller has these rows', headers: answerHeaders('query', 304) };
  return { ...found, 304: unchanged };
}

function bodySchemas(endpoint: Endpoint): Readonly<Record<Format, JsonSchema>> {
  const own = endpoint.sandbox ? [refTo('schemas', 'OwnRows')] : [];
  return {
    json: { anyOf: [refTo('schemas', rowsName(endpoint)), ...own, refTo('schemas', 'Explanation')] },
    ndjson: { type: 'string', description: 'A JSON object a line, one a row' },
    csv: { type: 'string', description: "The columns' names and a line a row, as RFC 4180 has it" },
  };
}

/** The media type of a format without its parameters. */
function mediaTypeOf(format: Format): string {
  return MEDIA_TYPES[format].replace(/;.*$/, '');
}

function withoutBodies(responses: Responses): Responses {
  return Object.fromEntries(Object.entries(responses).map(([code, one]) => [code, withoutBody(one)]));
}

function rowName({ name }: Endpoint): string {
  return `${name}.row`;
}

function rowsName({ name }: Endpoint): string {
  return `${name}.rows`;
}
