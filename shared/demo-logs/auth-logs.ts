import { authFailureOf } from './auth-failures.ts';
import type { Draft } from './draft.ts';
import { isoOf, later } from './moment.ts';
import type { Period } from './slots.ts';
import { randomOf } from './slots.ts';
import { type ApiRequest, answeredAt, apiRequests, edgeRayOf } from './traffic.ts';

const NANOSECONDS_PER_MS = 1_000_000;

/** The auth server's log: what happened to an account, then the request's end. */
export function* authLogs(project: string, period: Period): Generator<Draft> {
  for (const request of apiRequests(project, period)) {
    if (request.route.area !== 'auth') continue;
    if (request.status < 300 && request.route.action !== undefined)
      yield eventEntry(request, request.route.action);
    yield requestEntry(request);
  }
}

function requestEntry(request: ApiRequest): Draft {
  const random = randomOf(request.slot, 'auth_logs');
  const failure = authFailureOf(request.slot, request.status);
  const at = answeredAt(request);
  const fields = {
    component: 'api',
    duration: request.originMs * NANOSECONDS_PER_MS + random.int(0, 999_999),
    error: failure === null ? undefined : `${request.status}: ${failure.text}`,
    host: request.host,
    level: request.status >= 500 ? 'error' : request.status === 429 ? 'warning' : 'info',
    method: request.route.method,
    msg: failure?.text ?? 'request completed',
    path: request.path.slice('/auth/v1'.length),
    referer: request.client.kind === 'browser' ? `https://app.${request.project}.example.com/` : undefined,
    remote_addr: request.client.ip,
    request_id: edgeRayOf(request),
    status: request.status,
    timestamp: isoOf(at),
  };
  return {
    id: random.uuid(),
    at,
    project: request.project,
    message: lineOf({ ...fields, error_code: failure?.code, grant_type: grantTypeOf(request) }),
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
        actor_via_sso: false,
        log_type: action.startsWith('token') ? 'token' : action.startsWith('user') ? 'user' : 'account',
        traits: action === 'logout' ? [] : [traits(request, action)],
      },
    ],
    component: 'api',
    duration: request.originMs * NANOSECONDS_PER_MS - random.int(0, 400_000),
    host: request.host,
    level: 'info',
    method: request.route.method,
    msg: action === 'login' ? 'Login' : action,
    path: request.path.slice('/auth/v1'.length),
    remote_addr: request.client.ip,
    request_id: edgeRayOf(request),
    status: request.status,
    timestamp: isoOf(at),
  };
  return {
    id: random.uuid(),
    at,
    project: request.project,
    message: lineOf({ ...fields, ...(action === 'login' ? loginOf(request) : {}) }),
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

/** What the line about a sign-in has besides, and the table has no columns for. */
function loginOf({ user }: ApiRequest): object {
  return { action: 'login', login_method: 'password', metering: true, provider: 'email', user_id: user.id };
}

function grantTypeOf({ search }: ApiRequest): string | undefined {
  return /^\?grant_type=(\w+)$/.exec(search ?? '')?.[1];
}

/** The line as the auth server writes it: where the table has arrays of one record, it has the record itself. */
function lineOf(fields: object): string {
  return JSON.stringify(fields, (_, value: unknown) => (Array.isArray(value) ? value[0] : value));
}
