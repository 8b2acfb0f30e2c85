import { describe, expect, test } from '@jest/globals';
import type { ColumnSchema } from '../../client/client.d.ts';
import { firstAt, makeSeverities, seriesSeverity } from '../../explorer/severity/severity.js';
import { widened } from '../../explorer/time/window.js';
import { LEVEL_NAMES, SEVERITIES, STATUS_CODES } from '../../shared/severity/severities.ts';

const severities = makeSeverities({ order: SEVERITIES, levels: LEVEL_NAMES, statuses: STATUS_CODES });
const column = (name: string, type: string, mode: ColumnSchema['mode'] = 'NULLABLE'): ColumnSchema => ({
  name,
  type,
  mode,
});

describe('a value stands for a severity', () => {
  test.each([
    ['status_code', 'INTEGER', 503, 'error'],
    ['m_response_statusCode', 'INTEGER', 404, 'warning'],
    ['status', 'INTEGER', 304, 'info'],
    ['status', 'INTEGER', 0, null],
    ['status', 'INTEGER', 700, null],
    ['status', 'STRING', '500', null],
    ['origin_time', 'INTEGER', 503, null],
    ['error_severity', 'STRING', 'FATAL', 'fatal'],
    ['error_severity', 'STRING', 'LOG', 'info'],
    ['metadata_level', 'STRING', 'Warn', 'warning'],
    ['level', 'STRING', 'error', 'error'],
    ['level', 'STRING', 'verbose', 'debug'],
    ['level', 'STRING', 'toString', null],
    ['level', 'STRING', null, null],
    ['level', 'INTEGER', 3, null],
  ])('%s %s %p: %p', (name, type, value, expected) => {
    expect(severities.ofValue(value, column(name, type))).toBe(expected);
  });

  test('but a list of them does not', () => {
    expect(severities.ofValue(['error'], column('level', 'STRING', 'REPEATED'))).toBeNull();
  });
});

describe('a row is as serious as the most serious of its values', () => {
  const source = {
    severity: [
      { path: ['metadata', 'level'], kind: 'level' as const },
      { path: ['metadata', 'res', 'status'], kind: 'status' as const },
    ],
  };
  test.each([
    ['its own columns', { level: 'info', status: 500 }, 'error'],
    [
      'fields of the source, through lists',
      { metadata: [{ level: 'info', res: [{ status: 404 }] }] },
      'warning',
    ],
    ['neither', { id: 1 }, null],
    ['records that are absent', { metadata: [] }, null],
  ])('%s', (_, row, expected) => {
    const columns = [column('level', 'STRING'), column('status', 'INTEGER')];
    expect(severities.ofRow(row, columns, source)).toBe(expected);
  });
});

test.each([
  ['failed', 'error'],
  ['failed_requests', 'error'],
  ['count_5xx', 'error'],
  ['refused', 'warning'],
  ['good', 'info'],
  ['total_rest_requests', null],
])('a series called %s is drawn as %p', (name, expected) => {
  expect(seriesSeverity(name)).toBe(expected);
});

test.each([
  [{ a: [{ b: null }, { b: 2 }] }, ['a', 'b'], 2],
  [{ a: [] }, ['a', 'b'], undefined],
  ['x', ['length'], undefined],
])('the first value in %j at %j', (value, path, expected) => {
  expect(firstAt(value, path)).toBe(expected);
});

describe('zooming out of a window', () => {
  const NOW = Date.UTC(2026, 0, 31, 12);
  test.each([
    ['the last hour', { kind: 'last', seconds: 3600 }, { kind: 'last', seconds: 10_800 }],
    ['many days', { kind: 'last', seconds: 40_000 * 86_400 }, { kind: 'last', seconds: 36_500 * 86_400 }],
    [
      'an hour in the past',
      { kind: 'between', startMs: NOW - 36_000_000, endMs: NOW - 32_400_000 },
      { kind: 'between', startMs: NOW - 39_600_000, endMs: NOW - 28_800_000 },
    ],
    [
      'an hour up to now',
      { kind: 'between', startMs: NOW - 3_600_000, endMs: NOW },
      { kind: 'between', startMs: NOW - 10_800_000, endMs: NOW },
    ],
  ] as const)('%s', (_, from, to) => {
    expect(widened(from, NOW)).toEqual(to);
  });
});
