import type { Draft } from './draft.ts';
import { gatewayKeys } from './gateway-keys.ts';
import { type Invocation, invocations } from './invocations.ts';
import { httpDateOf, later, type Moment } from './moment.ts';
import type { Random } from './random.ts';
import type { Period } from './slots.ts';
import { randomOf } from './slots.ts';

/** What the gateway logs about calls of edge functions: one entry a call, when it has ended. */
export function* functionEdgeLogs(project: string, period: Period): Generator<Draft> {
  for (const invocation of invocations(project, period)) yield entry(invocation);
}

/** What is asked for. */
interface Target {
  readonly method: string;
  readonly hostname: string;
  /** Named where it is not that of the protocol. */
  readonly port: string | undefined;
  readonly pathname: string;
  readonly search: string | undefined;
  readonly url: string;
}

function entry(invocation: Invocation): Draft {
  const random = randomOf(invocation.slot, 'function_edge_logs');
  const { called, project, status } = invocation;
  const at = later(invocation.at, invocation.durationMs);
  const id = random.uuid();
  const method = random.weighted([
    ['POST', 80],
    ['GET', 15],
    ['OPTIONS', 5],
  ]);
  const target = targetOf(invocation, method);
  return {
    id,
    at,
    project,
    message: `${method} | ${status} | ${target.url}`,
    metadata: [
      {
        deployment_id: invocation.deploymentId,
        execution_id: invocation.executionId,
        execution_time_ms: invocation.durationMs,
        function_id: called.id,
        project_ref: project,
        request: random.chance(0.01) ? undefined : [request(invocation, target, random)],
        request_id: invocation.requestId,
        response: [{ headers: [responseHeaders(invocation, at, random)], status_code: status }],
        version: called.version,
      },
    ],
  };
}

function targetOf({ called, project, slot }: Invocation, method: string): Target {
  const random = randomOf(slot, 'function_edge_logs/target');
  const hostname = `${project}.functions.example.co`;
  const port = random.chance(0.02) ? '8443' : undefined;
  const pathname = `/functions/v1/${called.name}`;
  const search = method === 'GET' && random.chance(0.5) ? `?page=${random.int(1, 9)}` : undefined;
  const host = port === undefined ? hostname : `${hostname}:${port}`;
  return { method, hostname, port, pathname, search, url: `https://${host}${pathname}${search ?? ''}` };
}

function request(invocation: Invocation, target: Target, random: Random): object {
  const { client, slot } = invocation;
  const { hostname, method, pathname, port, search, url } = target;
  const keyed = {
    ...invocation,
    host: `${invocation.project}.example.co`,
    isServer: client.kind === 'server',
  };
  const isBrowser = client.kind === 'browser';
  return {
    headers: [
      {
        accept: '*/*',
        accept_encoding: isBrowser ? 'gzip, deflate, br, zstd' : 'gzip, br',
        connection: 'Keep-Alive',
        content_length: method === 'POST' ? String(random.int(2, 4000)) : undefined,
        cookie: isBrowser && randomOf(slot, 'function_edge_logs/cookie').chance(0.1) ? 'lang=en' : undefined,
        host: hostname,
        user_agent: client.userAgent,
        x_client_info: client.library,
      },
    ],
    host: hostname,
    method,
    pathname,
    port,
    protocol: 'https:',
    sb: gatewayKeys(keyed, randomOf(slot, 'gateway_keys')),
    search,
    url,
  };
}

function responseHeaders({ region, slot, status }: Invocation, at: Moment, random: Random): object {
  const compute = randomOf(slot, 'function_edge_logs/compute');
  const isLarge = compute.chance(0.1);
  return {
    content_length: status === 204 ? undefined : String(random.int(2, 9000)),
    content_type: status === 204 ? undefined : 'application/json',
    date: httpDateOf(at),
    server: 'edge-runtime',
    vary: random.chance(0.5) ? 'Accept-Encoding' : undefined,
    x_sb_compute_multiplier: isLarge ? '2' : undefined,
    x_sb_edge_region: region,
    x_sb_resource_multiplier: isLarge && compute.chance(0.5) ? '2' : undefined,
    // A gateway that gave up had no worker to ask.
    x_served_by: status === 503 || status === 504 ? undefined : 'edge-runtime',
  };
}
