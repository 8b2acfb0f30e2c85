import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { QUERY_ROUTE } from '../http/request/request-target.ts';
import type { OpenApiObject } from './json-schema.ts';
import recorded from './recorded-answers.json' with { type: 'json' };

const texts = z.record(z.string(), z.string());

const recordedAnswer = z.strictObject({
  /** Unique among those of the endpoint. */
  name: z.string(),
  /** What is asked for. */
  summary: z.string(),
  endpoint: z.string(),
  /** Of the query that answered, as `queryDigest` says. */
  digest: z.string(),
  request: z.strictObject({
    method: z.enum(['GET', 'POST']),
    /** In the URL. */
    parameters: texts,
    headers: texts,
    /** Of a POST; null for none. */
    body: z.union([z.record(z.string(), z.json()), z.string()]).nullable(),
    /** Whose request it is: any token's, that of one that is limited to the project `demo`, or none. */
    token: z.enum(['free', 'limited', 'none']),
  }),
  answer: z.strictObject({
    code: z.int(),
    mediaType: z.string(),
    /** The JSON value, or the text of another format. */
    body: z.json(),
  }),
});

/** A request to an endpoint over the demo logs with what the service answered. */
export type RecordedAnswer = z.infer<typeof recordedAnswer>;

/** All that were recorded; "npm run openapi:examples" asks for them anew. */
export function recordedAnswers(): readonly RecordedAnswer[] {
  return z.array(recordedAnswer).parse(recorded);
}

/** Those of an endpoint, none where its query is another one by now. */
export function answersOf(endpoint: Endpoint): readonly RecordedAnswer[] {
  const digest = queryDigest(endpoint);
  return recordedAnswers().filter((one) => one.endpoint === endpoint.name && one.digest === digest);
}

/** Changes with everything that the rows and messages of an endpoint depend on. */
export function queryDigest(endpoint: Endpoint): string {
  const { sql, parameters, maxRows, cacheTtlSeconds, sandbox, timeWindow } = endpoint;
  const { redactPii, redactAlso, redactPaths } = endpoint;
  const content = [sql, parameters, maxRows, cacheTtlSeconds, sandbox, timeWindow];
  return createHash('sha256')
    .update(JSON.stringify([...content, redactPii, redactAlso, redactPaths]))
    .digest('hex')
    .slice(0, 16);
}

/** The recorded bodies of this code and media type as OpenAPI's examples by name; null where there are none. */
export function namedExamples(
  answers: readonly RecordedAnswer[],
  code: number,
  mediaType: string,
): OpenApiObject | null {
  const found = answers.filter(({ answer }) => answer.code === code && answer.mediaType === mediaType);
  if (found.length === 0) return null;
  return Object.fromEntries(
    found.map((one) => [
      one.name,
      { summary: one.summary, description: requestText(one), value: one.answer.body },
    ]),
  );
}

/** The target of the request. */
export function requestPath({ endpoint, request }: RecordedAnswer): string {
  const query = new URLSearchParams(request.parameters).toString();
  return `${QUERY_ROUTE}/${endpoint}${query === '' ? '' : `?${query}`}`;
}

function requestText(one: RecordedAnswer): string {
  const { method, headers, body } = one.request;
  const lines = [
    `${method} ${requestPath(one)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : ['', typeof body === 'string' ? body : JSON.stringify(body)]),
  ];
  return ['```http', ...lines, '```'].join('\n');
}
