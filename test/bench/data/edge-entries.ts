import { MADE_PROJECT, madeTime } from './made-time.ts';
import { below, chance, hex, pick, pickNumber, uuid } from './made-values.ts';

const METHODS = ['GET', 'GET', 'GET', 'GET', 'GET', 'POST', 'POST', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const TABLES = ['orders', 'profiles', 'products', 'messages', 'invoices', 'teams', 'events', 'reviews'];
const AGENTS = [
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  'Dart/3.5 (dart:io)',
  'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)',
  'python-httpx/0.27.2',
  'okhttp/4.12.0',
  'Googlebot/2.1 (+http://www.google.com/bot.html)',
];
const COUNTRIES = ['US', 'US', 'US', 'DE', 'GB', 'JP', 'BR', 'IN', 'FR', 'NG', 'AU', 'NL'];
const STATUSES = [...Array<number>(80).fill(200), 201, 201, 201, 204, 204, 204, 206, 301, 304, 304].concat([
  400, 400, 401, 401, 403, 404, 404, 409, 429, 500, 502, 503,
]);

/** What the entries are made of; each line may use those before it. */
const STEPS: readonly string[] = [
  `SELECT i, ${MADE_PROJECT} AS project`,
  `SELECT *, concat(project, '.example.com') AS host,
    ${pick(10, METHODS)} AS method,
    ${below(11, 100)} AS area,
    concat('203.0.113.', ${below(12, 256)}) AS ip4,
    ${chance(13, 150)} AS has_ip6,
    lower(concat('2001:db8:', to_hex(${below(14, 65_536)}), '::', to_hex(${below(15, 65_536)}))) AS ip6,
    ${pick(16, AGENTS)} AS agent,
    ${pick(17, COUNTRIES)} AS country,
    ${pickNumber(18, STATUSES)} AS status,
    ${hex(19)} AS ray`,
  `SELECT *, CASE WHEN has_ip6 THEN ip6 ELSE ip4 END AS ip,
    CASE
      WHEN area < 60 THEN concat('/rest/v1/', ${pick(20, TABLES)})
      WHEN area < 78 THEN concat('/auth/v1/', ${pick(21, ['token', 'token', 'user', 'logout', 'signup', 'otp'])})
      WHEN area < 93 THEN concat('/storage/v1/object/public/avatars/', ${below(22, 5000)}, '.png')
      ELSE '/realtime/v1/websocket'
    END AS path,
    CASE
      WHEN area < 30 THEN '?select=*&order=created_at.desc&limit=20'
      WHEN area < 60 THEN concat('?select=id%2Cname&id=eq.', ${below(23, 100_000)})
      WHEN area < 70 THEN '?grant_type=refresh_token'
      WHEN area >= 93 THEN '?vsn=1.0.0&eventsPerSecond=10'
    END AS search`,
  `SELECT *, concat('https://', host, path, coalesce(search, '')) AS url`,
];

const HEADERS = `{
  'cf_connecting_ip': ip, 'cf_ipcountry': country, 'cf_ray': ray, 'host': host, 'user_agent': agent,
  'referer': CASE WHEN ${chance(30, 400)} THEN concat('https://app.', host, '/') END,
  'x_client_info': ${pick(31, ['supabase-js/2.45.4', 'supabase-js/2.39.0', 'supabase-flutter/2.8.0', 'supabase-py/2.9.1'])},
  'x_forwarded_proto': 'https', 'x_real_ip': ip
}`;

const CF = `{
  'asOrganization': ${pick(40, ['Deutsche Telekom AG', 'Comcast Cable', 'Amazon.com', 'Google LLC', 'Reliance Jio'])},
  'asn': ${pickNumber(41, [3320, 7922, 16_509, 15_169, 55_836])},
  'botManagement': [{
    'corporateProxy': false, 'detectionIds': CASE WHEN ${chance(42, 50)} THEN [33554817, 50331651] ELSE [] END,
    'ja3Hash': ${hex(43)}, 'score': 1 + ${below(44, 99)}, 'staticResource': false, 'verifiedBot': ${chance(42, 50)}
  }],
  'city': CASE WHEN ${chance(45, 970)} THEN ${pick(46, ['Berlin', 'New York', 'London', 'Tokyo', 'São Paulo', 'Pune', 'Paris'])} END,
  'clientTcpRtt': ${below(47, 300)}, 'clientTrustScore': 1 + ${below(48, 99)},
  'colo': ${pick(49, ['FRA', 'EWR', 'LHR', 'NRT', 'GRU', 'BOM', 'CDG'])},
  'continent': ${pick(50, ['EU', 'NA', 'AS', 'SA'])}, 'country': country,
  'edgeRequestKeepAliveStatus': ${below(51, 2)}, 'httpProtocol': ${pick(52, ['HTTP/2', 'HTTP/2', 'HTTP/3', 'HTTP/1.1'])},
  'latitude': concat(${below(53, 90)}, '.', 10000 + ${below(54, 9999)}),
  'longitude': concat(${below(55, 180)}, '.', 10000 + ${below(56, 9999)}),
  'postalCode': CAST(10000 + ${below(57, 89_999)} AS VARCHAR), 'region': ${pick(58, ['Hesse', 'New Jersey', 'England'])},
  'timezone': ${pick(59, ['Europe/Berlin', 'America/New_York', 'Europe/London', 'Asia/Tokyo'])},
  'tlsCipher': 'AEAD-AES128-GCM-SHA256', 'tlsClientAuth': [], 'tlsExportedAuthenticator': [], 'tlsVersion': 'TLSv1.3'
}`;

const RESPONSE = `{
  'headers': [{
    'cf_cache_status': ${pick(60, ['DYNAMIC', 'DYNAMIC', 'HIT', 'MISS'])}, 'cf_ray': ray,
    'content_length': CAST(60 + ${below(61, 4000)} AS VARCHAR),
    'content_type': CASE WHEN starts_with(path, '/storage') THEN 'image/png' ELSE 'application/json; charset=utf-8' END,
    'date': 'Thu, 01 Jan 2026 00:00:00 GMT', 'sb_gateway_version': '1',
    'x_kong_proxy_latency': CAST(${below(62, 5)} AS VARCHAR)
  }],
  'origin_time': CASE WHEN ${chance(63, 20)} THEN 1000 + ${below(64, 9000)} ELSE 4 + ${below(64, 400)} END,
  'status_code': status
}`;

/** SQL of `edge_logs` entries `from` up to, without, `to` of `count`; a few have no metadata, some two answers. */
export function edgeEntries(
  count: number,
  from: number,
  to: number,
  metadataType: string,
  twicePerMille: number,
): string {
  const rows = STEPS.reduce(
    (input, step) => `(${step} FROM ${input})`,
    `(SELECT range AS i FROM range(${from}, ${to}))`,
  );
  const metadata = `{
    'request': [{'cf': [${CF}], 'headers': [${HEADERS}], 'host': host, 'method': method, 'path': path,
      'protocol': 'https:', 'search': search, 'url': url}],
    'response': CASE WHEN ${chance(65, twicePerMille)} THEN [${RESPONSE}, ${RESPONSE}] ELSE [${RESPONSE}] END
  }`;
  return `SELECT ${uuid(3)} AS id, ${madeTime(count)} AS "timestamp",
    concat_ws(' | ', method, status, ip, ray, url, agent) AS event_message, project,
    CASE WHEN ${chance(66, 4)} THEN [] ELSE [CAST(${metadata} AS STRUCT(${metadataType}))] END AS metadata
    FROM ${rows}`;
}
