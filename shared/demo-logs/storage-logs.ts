import type { Draft } from './draft.ts';
import type { Period } from './slots.ts';
import { randomOf } from './slots.ts';
import { type ApiRequest, answeredAt, apiRequests, edgeRayOf } from './traffic.ts';

const ERRORS: Readonly<Record<number, readonly [error: string, message: string]>> = {
  400: ['InvalidRequest', 'The object exceeded the maximum allowed size'],
  403: ['Unauthorized', 'new row violates row-level security policy'],
  404: ['not_found', 'Object not found'],
  409: ['Duplicate', 'The resource already exists'],
  500: ['InternalError', 'Internal Server Error'],
  504: ['DatabaseTimeout', 'The connection to the database timed out'],
};

/** The storage server's log: one entry a request to /storage/v1. */
export function* storageLogs(project: string, period: Period): Generator<Draft> {
  for (const request of apiRequests(project, period)) {
    if (request.route.area === 'storage') yield storageEntry(request);
  }
}

function storageEntry(request: ApiRequest): Draft {
  const random = randomOf(request.slot, 'storage_logs');
  const { client, host, project, route, status } = request;
  const url = `${request.path.slice('/storage/v1'.length)}${request.search ?? ''}`;
  const id = random.uuid();
  const reqId = random.uuid();
  const error = ERRORS[status];
  // Some entries are written before the request is parsed: they have neither `req` nor `res`.
  const isBare = random.chance(0.01);
  return {
    id,
    at: answeredAt(request),
    project,
    message: [project, route.method, status, client.ip, reqId, url, client.userAgent].join(' | '),
    metadata: [
      {
        context: [{ host: `storage-${project}-${random.int(1, 2)}`, pid: random.int(1, 40) }],
        level: status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info',
        project,
        rawError:
          error && JSON.stringify({ statusCode: String(status), error: error[0], message: error[1], reqId }),
        req: isBare
          ? undefined
          : [
              {
                headers: [requestHeaders(request, String(random.int(100, 4_000_000)))],
                hostname: host,
                method: route.method,
                remoteAddress: client.ip,
                remotePort: random.int(30_000, 60_999),
                url,
              },
            ],
        reqId,
        res: isBare
          ? undefined
          : [
              {
                headers: [
                  {
                    content_length:
                      status === 304
                        ? undefined
                        : status < 400
                          ? random.int(4000, 900_000)
                          : random.int(60, 140),
                    content_type: status < 400 ? route.contentType : 'application/json; charset=utf-8',
                  },
                ],
                statusCode: status,
              },
            ],
        responseTime: (request.originMs * 1000 - random.int(0, 9999)) / 1000,
        tenantId: project,
      },
    ],
  };
}

function requestHeaders(request: ApiRequest, bodyBytes: string): object {
  const { client, host, project, route } = request;
  const isUpload = route.method === 'POST';
  return {
    accept: isUpload ? '*/*' : 'image/avif,image/webp,*/*;q=0.8',
    cf_connecting_ip: client.ip,
    cf_ray: edgeRayOf(request),
    content_length: isUpload ? bodyBytes : undefined,
    content_type: isUpload ? 'application/octet-stream' : undefined,
    host,
    referer: client.kind === 'browser' ? `https://app.${project}.example.com/` : undefined,
    user_agent: client.userAgent,
    x_client_info: client.library,
    x_forwarded_proto: 'https',
  };
}
