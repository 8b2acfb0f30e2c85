import type { Weighted } from './random.ts';
import { CHANGE, FILE, LOGIN, OK, READ, WRITE } from './statuses.ts';

/** The four areas of the API, by the first segment of their paths. */
export type Area = 'rest' | 'auth' | 'storage' | 'realtime';

/**
 * A kind of request. In `path` and `search`, `{table}`, `{number}`, `{uuid}`, `{image}` and `{document}` stand
 * for made values.
 */
export interface Route {
  readonly area: Area;
  readonly method: string;
  readonly path: string;
  readonly search?: string;
  readonly statuses: Weighted<number>;
  readonly contentType: string;
  /** How long the origin takes, in milliseconds: between these two, mostly near the first. */
  readonly originMs: readonly [number, number];
  /** What the auth server logs when the request succeeds. */
  readonly action?: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';

const rest = (method: string, search: string, statuses: Weighted<number>): Route => ({
  area: 'rest',
  method,
  path: '/rest/v1/{table}',
  ...(search === '' ? {} : { search }),
  statuses,
  contentType: JSON_TYPE,
  originMs: [4, 400],
});

const auth = (
  method: string,
  path: string,
  search: string,
  action: string,
  statuses: Weighted<number>,
): Route => ({
  area: 'auth',
  method,
  path: `/auth/v1/${path}`,
  ...(search === '' ? {} : { search }),
  ...(action === '' ? {} : { action }),
  statuses,
  contentType: 'application/json',
  originMs: [12, 300],
});

const storage = (
  method: string,
  path: string,
  search: string,
  type: string,
  statuses: Weighted<number>,
): Route => ({
  area: 'storage',
  method,
  path: `/storage/v1/${path}`,
  ...(search === '' ? {} : { search }),
  statuses,
  contentType: type,
  originMs: [15, 900],
});

/** What the callers ask for, and how often. */
export const ROUTES: Weighted<Route> = [
  [rest('GET', '?select=*&order=created_at.desc&limit=20', READ), 16],
  [rest('GET', '?select=id%2Cname%2Ccreated_at&id=eq.{number}', READ), 12],
  [rest('GET', '?select=*%2Cprofiles%28*%29&owner=eq.{uuid}', READ), 5],
  [rest('HEAD', '?select=count', READ), 2],
  [rest('POST', '', WRITE), 8],
  [rest('POST', '?on_conflict=id&columns=%22id%22%2C%22name%22', WRITE), 2],
  [rest('PATCH', '?id=eq.{number}', CHANGE), 5],
  [rest('DELETE', '?id=eq.{number}', CHANGE), 2],
  [rest('OPTIONS', '?select=*', [[204, 1]]), 4],
  [auth('POST', 'token', '?grant_type=refresh_token', 'token_refreshed', LOGIN), 7],
  [auth('POST', 'token', '?grant_type=password', 'login', LOGIN), 5],
  [
    auth('GET', 'user', '', '', [
      [200, 90],
      [401, 5],
      [403, 5],
    ]),
    4,
  ],
  [
    auth('POST', 'logout', '?scope=global', 'logout', [
      [204, 95],
      [401, 5],
    ]),
    2,
  ],
  [
    auth('POST', 'signup', '', 'user_signedup', [
      [200, 75],
      [422, 15],
      [429, 10],
    ]),
    2,
  ],
  [
    auth('POST', 'recover', '', 'user_recovery_requested', [
      [200, 80],
      [429, 20],
    ]),
    1,
  ],
  [
    auth('POST', 'otp', '', 'user_confirmation_requested', [
      [200, 85],
      [429, 15],
    ]),
    1,
  ],
  [storage('GET', 'object/public/avatars/{image}', '', 'image/png', FILE), 7],
  [storage('GET', 'object/sign/documents/{document}', '?token=made.{uuid}', 'application/pdf', FILE), 3],
  [storage('GET', 'render/image/public/avatars/{image}', '?width=96&height=96', 'image/webp', FILE), 2],
  [
    storage('POST', 'object/documents/{document}', '', 'application/json', [
      [200, 85],
      [400, 6],
      [403, 6],
      [409, 3],
    ]),
    3,
  ],
  [storage('POST', 'object/list/documents', '', 'application/json', OK), 2],
  [
    storage('DELETE', 'object/documents/{document}', '', 'application/json', [
      [200, 92],
      [404, 8],
    ]),
    1,
  ],
  [
    {
      area: 'realtime',
      method: 'GET',
      path: '/realtime/v1/websocket',
      search: '?vsn=1.0.0&eventsPerSecond=10',
      statuses: [
        [101, 90],
        [401, 4],
        [403, 4],
        [429, 2],
      ],
      contentType: 'text/plain',
      originMs: [1, 60],
    },
    7,
  ],
];
