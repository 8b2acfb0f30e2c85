import { z } from 'zod';
import type { AccessToken } from '../access/access-token.ts';
import { isEndpointAllowed } from '../access/authorize.ts';
import { memoize } from '../concurrency/memoize.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { invalidParameter, ServiceError } from '../errors/service-error.ts';
import type { HttpDeps } from '../http/http-deps.ts';
import { HTTP_LIMITS } from '../http/http-limits.ts';
import { callerOf } from '../http/query/query-context.ts';
import { reportCpu } from '../http/query/report-cpu.ts';
import { makeAdmit } from '../http/request/admit.ts';
import { readBody } from '../http/request/read-body.ts';
import { documentReply } from '../http/response/document-reply.ts';
import type { HttpHandler } from '../http/response/reply.ts';
import { makeRoute } from '../http/server/route.ts';

/** Where the page has the text of a query changed. */
export const QUERY_EDIT_ROUTE = '/explorer/edit';

const MAX_QUERY_CHARACTERS = 1_000_000;
const common = {
  endpoint: z.string().max(300),
  language: z.enum(['sql', 'lql']),
  query: z.string().max(MAX_QUERY_CHARACTERS),
  source: z.string().max(300).nullable().default(null),
};
const editSchema = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('filter'),
    ...common,
    of: z.enum(['result', 'source']),
    path: z.array(z.string().max(300)).min(1).max(50),
    value: z.union([z.string().max(MAX_QUERY_CHARACTERS), z.number(), z.boolean(), z.null()]),
    negated: z.boolean(),
    type: z.string().max(50),
  }),
  z.strictObject({ action: z.literal('format'), ...common }),
  z.strictObject({ action: z.literal('to_sql'), ...common }),
  z.strictObject({ action: z.literal('around'), ...common, micros: z.string().regex(/^-?\d{1,18}$/) }),
  z.strictObject({
    action: z.literal('related'),
    ...common,
    ids: z.array(z.string().min(1).max(300)).min(1).max(5),
  }),
]);

/** What is done to the text of a query. */
export type QueryEdit = z.infer<typeof editSchema>;

/**
 * Changes the text of a query as a person asks the page to: it asks for a value or leaves it out, is laid out anew, or
 * becomes GoogleSQL. Nothing is run; the text that comes back is the person's own, which passes the sandbox when it is.
 */
export function makeQueryEditHandler(deps: HttpDeps): HttpHandler {
  const admit = makeAdmit(deps);
  const load = memoize(async (endpoint: Endpoint) => {
    const [{ openSandbox }, { editQuery }] = await Promise.all([
      import('../http/query/open-sandbox.ts'),
      import('../query-edit/edit-query.ts'),
    ]);
    return { sandbox: openSandbox(deps, endpoint), editQuery };
  });

  return makeRoute(deps, { methods: ['POST'], limits: HTTP_LIMITS }, async (exchange) => {
    const token = await admit(exchange);
    const edit = parseEdit(await readBody(exchange.req, HTTP_LIMITS));
    const endpoint = endpointOf(deps, token, edit.endpoint);
    const caller = callerOf(token, exchange);
    deps.admission.checkCpu(caller);
    const { sandbox, editQuery } = await load(endpoint);
    const onCpu = (cpuMs: number) => deps.admission.chargeCpu(caller, cpuMs);
    return documentReply(
      exchange,
      reportCpu(onCpu, () => editQuery(edit, sandbox.schemas, deps.nowMicros())),
    );
  });
}

function endpointOf({ endpoints }: HttpDeps, token: AccessToken, name: string): Endpoint {
  const endpoint = endpoints.all.find((one) => one.name === name);
  if (endpoint === undefined || !isEndpointAllowed(token, endpoint)) {
    throw new ServiceError(
      'not_found',
      `There is no endpoint '${name.slice(0, 100)}' that this token may use.`,
    );
  }
  if (endpoint.sandbox) return endpoint;
  throw invalidParameter('endpoint', `The endpoint ${endpoint.name} runs its stored query only.`);
}

function parseEdit(body: Buffer): QueryEdit {
  const { data, error } = editSchema.safeParse(parseJson(body));
  if (data !== undefined) return data;
  const [issue] = error.issues;
  const place = issue?.path.join('.') ?? '';
  throw invalidParameter(
    place === '' ? 'action' : place,
    `The body is not an edit of a query: ${place === '' ? '' : `'${place}': `}${issue?.message ?? 'not JSON'}.`,
  );
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
