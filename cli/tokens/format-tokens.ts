import { type AccessToken, tokenState } from '../../shared/access/access-token.ts';
import type { TokenLimits } from '../../shared/access/token-limits.ts';
import { isoTime } from '../../shared/time/iso-timestamp.ts';

const DIGEST_DIGITS = 12;
const GAP = '  ';

/** How a limit is shown. */
interface LimitLabel {
  readonly name: string;
  readonly unit: string;
  /** What holds where the token has none. */
  readonly otherwise: string;
}

const NO_LIMIT = 'no limit';
const OF_SERVICE = "the service's";

/** Each limit as the command line calls it. */
const LIMIT_LABELS: Readonly<Record<keyof TokenLimits, LimitLabel>> = {
  maxRows: { name: 'rows', unit: 'rows an answer', otherwise: NO_LIMIT },
  maxBytesBilled: { name: 'bytes', unit: 'bytes billed a query', otherwise: OF_SERVICE },
  maxWindowSeconds: { name: 'window', unit: 's of logs a request', otherwise: NO_LIMIT },
  requestsPerMinute: { name: 'rate', unit: 'requests a minute', otherwise: NO_LIMIT },
  sqlDeadlineSeconds: { name: 'deadline', unit: 's a query in sql or lql', otherwise: OF_SERVICE },
  cpuSecondsPerMinute: { name: 'cpu', unit: 'CPU s a minute of sql and lql', otherwise: OF_SERVICE },
};

/** One line a token under a line of headings. Digests are shortened to what `show` and `revoke` take. */
export function formatTable(tokens: readonly AccessToken[], nowMs: number): string {
  const rows = tokens.map((token) => [
    token.name,
    token.digest.slice(0, DIGEST_DIGITS),
    tokenState(token, nowMs),
    formatTime(token.createdAtMs),
    formatTime(token.expiresAtMs),
    formatScope(token, 'endpoints'),
    formatScope(token, 'projects'),
    formatScope(token, 'writes'),
    formatLimits(token.limits),
  ]);
  const headings = [
    'NAME',
    'DIGEST',
    'STATE',
    'CREATED',
    'EXPIRES',
    'ENDPOINTS',
    'PROJECTS',
    'WRITES',
    'LIMITS',
  ];
  const table = [headings, ...rows];
  const widths = table.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(cell.length, widest[column] ?? 0)),
    [],
  );
  return table.map((row) => formatRow(row, widths)).join('');
}

/** Everything that is known of one token, a line each. */
export function formatDetails(token: AccessToken, nowMs: number): string {
  const lines = [
    ['name', token.name],
    ['digest', token.digest],
    ['state', tokenState(token, nowMs)],
    ['created', formatTime(token.createdAtMs)],
    ['expires', formatTime(token.expiresAtMs)],
    ['revoked', formatTime(token.revokedAtMs)],
    ['endpoints', formatScope(token, 'endpoints')],
    ['projects', formatScope(token, 'projects')],
    ['writes', formatScope(token, 'writes')],
    ...limitNames().map((limit) => {
      const { name, unit, otherwise } = LIMIT_LABELS[limit];
      const value = token.limits[limit];
      return [name, value === null ? otherwise : `${value} ${unit}`];
    }),
  ];
  return lines.map((line) => formatRow(line, ['endpoints'.length])).join('');
}

/** Everything that is known of tokens as JSON, times in ISO 8601. */
export function formatJson(tokens: AccessToken | readonly AccessToken[], nowMs: number): string {
  const record = (token: AccessToken) => ({
    name: token.name,
    digest: token.digest,
    state: tokenState(token, nowMs),
    createdAt: isoTime(token.createdAtMs),
    expiresAt: isoTime(token.expiresAtMs),
    revokedAt: isoTime(token.revokedAtMs),
    endpoints: token.endpoints,
    projects: token.projects,
    writes: token.writes,
    limits: token.limits,
  });
  const value = 'digest' in tokens ? record(tokens) : tokens.map(record);
  return `${JSON.stringify(value, null, 2)}\n`;
}

function formatRow(cells: readonly string[], widths: readonly number[]): string {
  return `${cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join(GAP)
    .trimEnd()}\n`;
}

function limitNames(): readonly (keyof TokenLimits)[] {
  return Object.keys(LIMIT_LABELS) as (keyof TokenLimits)[];
}

function formatLimits(limits: TokenLimits): string {
  const set = limitNames().flatMap((limit) =>
    limits[limit] === null ? [] : [`${LIMIT_LABELS[limit].name}=${limits[limit]}`],
  );
  return set.length === 0 ? 'none' : set.join(' ');
}

function formatTime(ms: number | null): string {
  return isoTime(ms) ?? 'never';
}

/** What a token may use of one kind: one that writes reads nothing, and any other writes nothing. */
function formatScope(token: AccessToken, kind: 'endpoints' | 'projects' | 'writes'): string {
  const names = token[kind];
  if (kind !== 'projects' && (token.writes === null) === (kind === 'writes')) return 'none';
  return names === null ? 'all' : names.join(', ');
}
