import { authFailureOf } from './auth-failures.ts';
import type { Draft } from './draft.ts';
import { gatewayKeys } from './gateway-keys.ts';
import { httpDateOf } from './moment.ts';
import { databaseErrorOf } from './postgres-message.ts';
import type { Random, Weighted } from './random.ts';
import type { Period } from './slots.ts';
import { randomOf } from './slots.ts';
import { type ApiRequest, answeredAt, apiRequests, edgeRayOf } from './traffic.ts';

const CACHE_STATUSES: Weighted<string> = [
  ['HIT', 60],
  ['MISS', 22],
  ['REVALIDATED', 6],
  ['EXPIRED', 5],
  ['STALE', 2],
  ['NONE/UNKNOWN', 5],
];

/** What the gateway in front of all APIs logs: one entry a request. */
export function* edgeLogs(project: string, period: Period): Generator<Draft> {
  for (const request of apiRequests(project, period))
    yield edgeEntry(request, randomOf(request.slot, 'edge_logs'));
}

function edgeEntry(request: ApiRequest, random: Random): Draft {
  const { client, route } = request;
  return {
    id: random.uuid(),
    at: request.at,
    project: request.project,
    message: [route.method, request.status, client.ip, request.rayId, request.url, client.userAgent].join(
      ' | ',
    ),
    // A collector that gave up left the message only: its fields read as NULL or not at all.
    metadata: random.chance(0.004) ? [] : [metadata(request, random)],
  };
}

function metadata(request: ApiRequest, random: Random): object {
  const isFromReplica = request.status < 300 && random.chance(0.01);
  return {
    load_balancer_redirect_identifier: isFromReplica ? `${request.project}-replica-1` : undefined,
    request: [
      {
        cf: random.chance(0.01) ? undefined : [cf(request, random)],
        headers: requestHeaders(request, random),
        host: request.host,
        method: request.route.method,
        path: request.path,
        protocol: 'https:',
        sb: gatewayKeys(
          { ...request, isServer: request.client.kind === 'server' },
          randomOf(request.slot, 'gateway_keys'),
        ),
        search: request.search,
        url: request.url,
      },
    ],
    // The replica's answer is logged beside the one that the gateway sent on.
    response: isFromReplica ? [fromReplica(request), response(request, random)] : [response(request, random)],
  };
}

function cf({ client }: ApiRequest, random: Random): object {
  const { asn, asOrganization, city, colo, continent, country, ...rest } = client.place;
  const bot = client.kind === 'bot';
  return {
    asOrganization,
    asn,
    botManagement: [
      {
        corporateProxy: random.chance(0.02),
        detectionIds: bot ? [33554817, 50331651] : [],
        ja3Hash: client.ja3Hash,
        score: bot ? random.int(1, 9) : client.kind === 'server' ? random.int(2, 40) : random.int(70, 99),
        staticResource: false,
        verifiedBot: bot,
      },
    ],
    city: random.chance(0.03) ? undefined : city,
    clientTcpRtt: client.httpProtocol === 'HTTP/3' ? undefined : client.rttMs,
    clientTrustScore: bot ? 1 : random.int(60, 99),
    colo,
    continent,
    country,
    edgeRequestKeepAliveStatus: random.int(0, 1),
    httpProtocol: client.httpProtocol,
    ...rest,
    tlsCipher: 'AEAD-AES128-GCM-SHA256',
    ...(random.chance(0.05) ? handshake(random) : {}),
    tlsVersion: 'TLSv1.3',
  };
}

/** Details of the TLS session, kept for a sample of the requests. */
function handshake(random: Random): object {
  const digest = () => `${random.hex(8)}${random.hex(8)}${random.hex(8)}${random.hex(8)}`;
  return {
    tlsClientAuth: [{ certPresented: '0', certRevoked: '0', certVerified: 'NONE' }],
    tlsExportedAuthenticator: [
      {
        clientFinished: digest(),
        clientHandshake: digest(),
        serverFinished: digest(),
        serverHandshake: digest(),
      },
    ],
  };
}

function requestHeaders(request: ApiRequest, random: Random): object[] {
  const { client, host } = request;
  const forwarded = {
    cf_connecting_ip: client.ip,
    cf_ipcountry: client.place.country,
    cf_ray: edgeRayOf(request),
    content_length: bodyLength(request),
    host,
    referer: client.kind === 'browser' ? `https://app.${request.project}.example.com/` : undefined,
    user_agent: client.userAgent,
    x_client_info: client.library,
    x_forwarded_proto: 'https',
    x_real_ip: client.ip,
  };
  // Where the caller's own proxy had set headers before the edge did, they are kept as a second element.
  return random.chance(0.015) ? [forwarded, { host, x_forwarded_proto: 'http' }] : [forwarded];
}

function response(request: ApiRequest, random: Random): object {
  const { route, status } = request;
  const hasBody = status !== 204 && status !== 304 && status !== 101 && route.method !== 'HEAD';
  const cached = route.area === 'storage' && route.method === 'GET';
  const chunked = hasBody && route.area === 'rest';
  const first = random.int(0, 200);
  return {
    headers: [
      {
        cf_cache_status: cached ? random.weighted(CACHE_STATUSES) : 'DYNAMIC',
        cf_ray: edgeRayOf(request),
        content_length:
          hasBody && !chunked ? String(random.int(60, status < 400 && cached ? 900_000 : 1800)) : undefined,
        content_location:
          chunked && route.method === 'GET' ? `/${request.table}${request.search ?? ''}` : undefined,
        content_range: status === 206 ? `${first}-${first + 19}/${first + random.int(20, 4000)}` : undefined,
        content_type: hasBody
          ? status < 400
            ? route.contentType
            : 'application/json; charset=utf-8'
          : undefined,
        date: httpDateOf(answeredAt(request)),
        proxy_status: proxyStatus(request),
        sb_gateway_mode: request.route.area === 'storage' ? 'direct' : undefined,
        sb_gateway_version: '1',
        transfer_encoding: chunked ? 'chunked' : undefined,
        x_kong_proxy_latency: String(random.int(0, 4)),
        x_sb_error_code: route.area === 'auth' ? authFailureOf(request.slot, status)?.code : undefined,
      },
    ],
    origin_time: request.originMs,
    status_code: status,
  };
}

function fromReplica(request: ApiRequest): object {
  return { headers: [{ cf_ray: request.rayId }], origin_time: request.originMs, status_code: request.status };
}

/** What PostgREST says of an error in the header Proxy-Status (RFC 9209). */
function proxyStatus({ route, slot, status }: ApiRequest): string | undefined {
  const error = route.area === 'rest' ? databaseErrorOf(slot, status) : null;
  return error === null ? undefined : `PostgREST; error=${error.state}`;
}

/** How many bytes a caller sent, as its header says. */
function bodyLength({ route, slot }: ApiRequest): string | undefined {
  const hasBody = ['POST', 'PATCH', 'PUT'].includes(route.method);
  if (!hasBody) return undefined;
  const most = route.area === 'storage' ? 4_000_000 : 4000;
  return String(randomOf(slot, 'request_body').int(2, most));
}
