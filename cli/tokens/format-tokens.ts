import { type AccessToken, tokenState } from '../../shared/access/access-token.ts';

const DIGEST_DIGITS = 12;
const GAP = '  ';

/** One line a token under a line of headings. Digests are shortened to what `show` and `revoke` take. */
export function formatTable(tokens: readonly AccessToken[], nowMs: number): string {
  const rows = tokens.map((token) => [
    token.name,
    token.digest.slice(0, DIGEST_DIGITS),
    tokenState(token, nowMs),
    formatTime(token.createdAtMs),
    formatTime(token.expiresAtMs),
    formatList(token.endpoints),
    formatList(token.projects),
  ]);
  const table = [['NAME', 'DIGEST', 'STATE', 'CREATED', 'EXPIRES', 'ENDPOINTS', 'PROJECTS'], ...rows];
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
    ['endpoints', formatList(token.endpoints)],
    ['projects', formatList(token.projects)],
  ];
  return lines.map((line) => formatRow(line, ['endpoints'.length])).join('');
}

function formatRow(cells: readonly string[], widths: readonly number[]): string {
  return `${cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join(GAP)
    .trimEnd()}\n`;
}

function formatTime(ms: number | null): string {
  return ms === null ? 'never' : new Date(ms).toISOString();
}

function formatList(names: readonly string[] | null): string {
  return names === null ? 'all' : names.join(', ');
}
