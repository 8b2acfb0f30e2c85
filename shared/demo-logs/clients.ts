import { PLACES, type Place } from './places.ts';
import { Random, seedOf, type Weighted } from './random.ts';

interface Agent {
  readonly userAgent: string;
  /** What the client library sends as `x-client-info`. */
  readonly library?: string;
  readonly kind: 'browser' | 'app' | 'server' | 'bot';
}

/** A caller of the API: always the same address, place and program. */
export interface Client extends Agent {
  /** From the ranges reserved for documentation (RFC 5737, RFC 3849). */
  readonly ip: string;
  readonly place: Place;
  readonly ja3Hash: string;
  readonly httpProtocol: string;
  readonly rttMs: number;
}

/** A person signed up with the project. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly phone: string;
}

const WEB = 'supabase-js-web/2.57.4';
const chrome = (system: string) =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.7258.128 Safari/537.36`;

const AGENTS: Weighted<Agent> = [
  [{ userAgent: chrome('Windows NT 10.0; Win64; x64'), library: WEB, kind: 'browser' }, 28],
  [{ userAgent: chrome('Macintosh; Intel Mac OS X 10_15_7'), library: WEB, kind: 'browser' }, 14],
  [
    {
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      library: WEB,
      kind: 'browser',
    },
    14,
  ],
  [
    {
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0',
      library: 'supabase-js-web/2.45.0',
      kind: 'browser',
    },
    8,
  ],
  [{ userAgent: 'node', library: 'supabase-js-node/2.57.4', kind: 'server' }, 12],
  [{ userAgent: 'supabase-js/2.39.1', library: 'supabase-js/2.39.1', kind: 'server' }, 4],
  [{ userAgent: 'Dart/3.8 (dart:io)', library: 'supabase-flutter/2.9.1', kind: 'app' }, 7],
  [{ userAgent: 'okhttp/4.12.0', library: 'supabase-kt/3.1.4', kind: 'app' }, 3],
  [{ userAgent: 'python-httpx/0.28.1', library: 'postgrest-py/1.1.1', kind: 'server' }, 4],
  [{ userAgent: 'curl/8.5.0', kind: 'server' }, 4],
  [{ userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', kind: 'bot' }, 2],
];

const CLIENT_COUNT = 160;
const IPV6_SHARE = 0.3;
const IPV4_NETWORKS = ['192.0.2', '198.51.100', '203.0.113'] as const;

/** One of the project's callers; some come far more often than others. */
export function pickClient(project: string, random: Random): Client {
  return clientOf(project, Math.floor(CLIENT_COUNT * random.unit() ** 2));
}

function clientOf(project: string, number: number): Client {
  const random = new Random(seedOf(`client/${project}`), number);
  return {
    ...random.weighted(AGENTS),
    ip: random.chance(IPV6_SHARE) ? ipv6(random) : `${random.pick(IPV4_NETWORKS)}.${random.int(1, 254)}`,
    place: random.pick(PLACES),
    ja3Hash: `${random.hex(8)}${random.hex(8)}${random.hex(8)}${random.hex(8)}`,
    httpProtocol: random.chance(0.7) ? 'HTTP/2' : random.chance(0.5) ? 'HTTP/3' : 'HTTP/1.1',
    rttMs: random.int(2, 180),
  };
}

/** Compressed as in RFC 5952, inside 2001:db8::/32. */
function ipv6(random: Random): string {
  const group = () => random.int(1, 0xffff).toString(16);
  return `2001:db8:${group()}:${group()}::${group()}`;
}

const NAMES = [
  'ada',
  'alan',
  'amara',
  'barbara',
  'björn',
  'carlos',
  'chidi',
  'donald',
  'edsger',
  'emeka',
  'frances',
  'grace',
  'hedy',
  'ines',
  'joão',
  'katherine',
  'ken',
  'linus',
  'lotte',
  'margaret',
  'mei',
  'niklaus',
  'olga',
  'priya',
  'radia',
  'sofia',
  "o'neil",
  'tim',
  'yuki',
  'zoë',
] as const;

/** One of the project's users. */
export function pickUser(project: string, random: Random): User {
  const number = random.int(0, NAMES.length - 1);
  const own = new Random(seedOf(`user/${project}`), number);
  return {
    id: own.uuid(),
    email: `${NAMES[number]}@${own.pick(['example.com', 'example.org', 'mail.example.net'])}`,
    phone: `1202555${String(100 + number).padStart(4, '0')}`,
  };
}
