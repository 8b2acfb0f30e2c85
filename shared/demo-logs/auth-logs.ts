import { AUTH_FAILURES } from './auth-failures.ts';
import type { Draft } from './draft.ts';
import { isoOf, later } from './moment.ts';
import { randomOf } from './slots.ts';
import { type ApiRequest, answeredAt, apiRequests } from './traffic.ts';

const NANOSECONDS_PER_MS = 1_000_000;

/** The auth server's log: what happened to an account, then the request's end. */
export function* authLogs(project: string, nowSecond: number): Generator<Draft> {
  for (const request of apiRequests(project, nowSecond)) {
    if (request.route.area !== 'auth') continue;
    if (request.status < 300 && request.route.action !== undefined)
      yield eventEntry(request, request.route.action);
    yield requestEntry(request);
  }
}

function requestEntry(request: ApiRequest): Draft {
  const random = randomOf(request.slot, 'auth_logs');
  const failures = AUTH_FAILURES[request.status] ?? [];
  const failure = failures.length === 0 ? undefined : random.pick(failures);
  const fields = {
    component: 'api',
    duration: request.originMs * NANOSECONDS_PER_MS + random.int(0, 999_999),
    error: failure === undefined ? undefined : `${request.status}: ${failure}`,
    host: request.host,
    level: request.status >= 500 ? 'error' : request.status === 429 ? 'warning' : 'info',
    method: request.route.method,
    msg: failure ?? 'request completed',
    path: request.path.slice('/auth/v1'.length),
    referer: request.client.kind === 'browser' ? `https://app.${request.project}.example.com/` : undefined,
    remote_addr: request.client.ip,
    status: request.status,
    timestamp: isoOf(answeredAt(request)),
  };
  return {
    id: random.uuid(),
    at: answeredAt(request),
    project: request.project,
    message: JSON.stringify(fields),
    metadata: random.chance(0.005) ? [] : [fields],
  };
}

function eventEntry(request: ApiRequest, action: string): Draft {
  const random = randomOf(request.slot, 'auth_logs/event');
  const { user } = request;
  const at = later(answeredAt(request), -0.4);
  const fields = {
    auth_event: [
      {
        action,
        actor_id: user.id,
        actor_username: user.email,
        log_type: action.startsWith('token') ? 'token' : action.startsWith('user') ? 'user' : 'account',
        traits: action === 'logout' ? [] : [traits(request, action)],
      },
    ],
    component: 'api',
    host: request.host,
    level: 'info',
    method: request.route.method,
    msg: action === 'login' ? 'Login' : action,
    path: request.path.slice('/auth/v1'.length),
    remote_addr: request.client.ip,
    status: request.status,
    timestamp: isoOf(at),
  };
  return {
    id: random.uuid(),
    at,
    project: request.project,
    message: JSON.stringify(fields),
    metadata: [fields],
  };
}

function traits({ user, path }: ApiRequest, action: string): object {
  const byPhone = path.endsWith('/otp');
  return {
    provider: action === 'token_refreshed' ? undefined : byPhone ? 'phone' : 'email',
    user_email: byPhone ? undefined : user.email,
    user_id: user.id,
    user_phone: byPhone ? user.phone : undefined,
  };
}
