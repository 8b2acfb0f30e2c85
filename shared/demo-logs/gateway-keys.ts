import type { User } from './clients.ts';
import type { Moment } from './moment.ts';
import { Random, seedOf } from './random.ts';

/** What the gateway looks at when it checks the keys of a request. */
export interface KeyedRequest {
  readonly project: string;
  readonly at: Moment;
  readonly status: number;
  readonly host: string;
  /** Whether the caller is a program of the project's own, which has its secret key. */
  readonly isServer: boolean;
  readonly user: User;
}

const HOUR_SECONDS = 3600;
/** When the keys of every project expire: the start of 2036, in seconds since the epoch. */
const KEY_EXPIRES_AT = 2_082_758_400;

/**
 * The record `sb` of a request: who called, with which key. Of keys and tokens it has prefixes and digests alone; the
 * gateway logs none of them. A project has keys of two kinds: JWTs, and newer ones that are no JWTs.
 */
export function gatewayKeys(request: KeyedRequest, random: Random): object[] {
  // Preflights and links that anybody may open carry no key.
  if (random.chance(0.06)) return [];
  const keys = keysOf(request.project);
  const isRefused = request.status === 401 && random.chance(0.5);
  const session = request.isServer || random.chance(0.3) ? null : tokenOf(request, keys.id, random);
  const authUser = session?.subject;
  const kind = request.isServer ? 'secret' : 'publishable';
  if (random.chance(0.35)) {
    const authorization = session === null ? [] : [{ payload: [session] }];
    return [
      {
        apikey: [{ apikey: [isRefused ? unknownKey(kind) : knownKey(kind, keys[kind])] }],
        auth_user: authUser,
        jwt: session === null ? [] : [{ apikey: [], authorization }],
      },
    ];
  }
  const key = isRefused
    ? { invalid: true, payload: [] }
    : { invalid: false, payload: [projectJwt(request, keys)] };
  // Some callers send their user's token in the place of the key, too.
  const inItsPlace = session !== null && random.chance(0.04) ? { invalid: false, payload: [session] } : key;
  const authorization = session === null ? key : { invalid: false, payload: [session] };
  return [
    {
      apikey: [],
      auth_user: authUser,
      jwt: [{ apikey: [inItsPlace], authorization: [tampered(authorization)] }],
    },
  ];

  function tampered(value: object): object {
    return request.status === 403 && random.chance(0.3) ? { invalid: true, payload: [] } : value;
  }
}

interface ProjectKeys {
  readonly id: string;
  readonly anon: string;
  readonly serviceRole: string;
  readonly publishable: string;
  readonly secret: string;
}

/** What the logs of a project show of its keys, always the same. */
function keysOf(project: string): ProjectKeys {
  const random = new Random(seedOf(`keys/${project}`), 0);
  const digest = () => `${random.hex(8)}${random.hex(8)}${random.hex(8)}${random.hex(8)}`;
  return {
    id: random.hex(8),
    anon: random.hex(6),
    serviceRole: random.hex(6),
    publishable: digest(),
    secret: digest(),
  };
}

function knownKey(kind: string, hash: string): object {
  return { hash, prefix: `sb_${kind}_${hash.slice(0, 5)}` };
}

function unknownKey(kind: string): object {
  return { error: 'unknown key', prefix: `sb_${kind}_00000` };
}

function projectJwt({ isServer }: KeyedRequest, { anon, serviceRole }: ProjectKeys): object {
  return {
    algorithm: 'HS256',
    expires_at: KEY_EXPIRES_AT,
    issuer: 'supabase',
    role: isServer ? 'service_role' : 'anon',
    signature_prefix: isServer ? serviceRole : anon,
  };
}

/** A user's access token, which lives for an hour. */
function tokenOf({ at, host, user }: KeyedRequest, keyId: string, random: Random) {
  return {
    algorithm: 'ES256',
    expires_at: at.second + random.int(1, HOUR_SECONDS),
    issuer: `https://${host}/auth/v1`,
    key_id: keyId,
    role: 'authenticated',
    session_id: random.uuid(),
    signature_prefix: random.hex(6),
    subject: user.id,
  };
}
