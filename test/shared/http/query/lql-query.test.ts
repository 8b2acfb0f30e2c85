import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Endpoint } from '../../../../shared/endpoints/endpoint.ts';
import { makeQueryHandler } from '../../../../shared/http/query/query-handler.ts';
import { printQuery } from '../../../../shared/sql/print/print-query.ts';
import { withResults } from '../../results/support/with-results.ts';
import { type Host, serve } from '../support/hosts.ts';
import { type Answer, call } from '../support/http-client.ts';
import { ENDPOINTS, makeTestService, NOW_MICROS, TOKEN } from '../support/test-service.ts';

const ROW =
  "'' as id, current_timestamp() as timestamp, 'm' as event_message, [ struct ( 1 as status ) ] as metadata";
const TWO = `WITH edge AS ( select ${ROW} from unnest ( [ @project ] ) ) , auth AS ( select ${ROW} ) select 1 from edge`;
const ONE = `WITH edge AS ( select ${ROW} ) select 1 from edge`;
const LOGS: Endpoint = { ...ENDPOINTS[0]!, sql: TWO, cacheTtlSeconds: 60 };
const USAGE: Endpoint = { ...ENDPOINTS[1]!, sql: ONE, sandbox: true, cacheTtlSeconds: 0 };

let nowMicros = NOW_MICROS;
const service = makeTestService({ endpoints: [LOGS, USAGE] });
const hosts: Host[] = [];

beforeAll(async () => {
  hosts.push(await serve(makeQueryHandler(withResults({ ...service, nowMicros: () => nowMicros }))));
});
afterAll(() => hosts[0]?.close());

function send(parameters: Record<string, string>, endpoint = 'logs.all'): Promise<Answer> {
  const search = new URLSearchParams({ project: 'demo', interval: 'daily', ...parameters });
  return call(hosts[0]?.port ?? 0, `/api/endpoints/query/${endpoint}?${search}`, {
    headers: { 'x-api-key': TOKEN },
  });
}

describe('a query in LQL', () => {
  test('runs over the source that it names alone, with values beside the text, as a consumer’s own', async () => {
    const answer = await send({ lql: 'f:edge m.status:5 "a b"', lql_1: 'x', zone: 'y' });
    expect(answer.status).toBe(200);
    expect(answer.headers['x-ignored-parameters']).toBe('interval, lql_1, zone');
    const { query } = service.runs.at(-1)!;
    expect(query.isUntrusted).toBe(true);
    expect(query.sql).toMatch(/^WITH edge AS \(.*\) SELECT t\.id, /);
    expect(query.sql).not.toMatch(/auth|a b|demo/);
    expect(Object.fromEntries(query.parameters)).toEqual({
      project: { type: 'STRING', value: 'demo' },
      lql_1: { type: 'INT64', value: 5n },
      lql_2: { type: 'STRING', value: 'a b' },
    });
  });

  test('needs no source where the endpoint has one', async () => {
    expect((await send({ lql: 'm' }, 'usage.api-counts')).status).toBe(200);
    expect(service.runs.at(-1)?.query.sql).toContain('FROM edge AS t');
  });

  test.each([
    ['syntax', 8, 'f:edge é'],
    ['unknown_source', 1, 'error'],
    ['unknown_source', 3, 'f:logs error'],
    ['unknown_source', 3, 'f:Edge error'],
    ['unknown_field', 8, 'f:edge m.statos:5'],
    ['unsupported', 8, 'f:edge m.status:~5'],
    ['type', 17, 'f:edge m.status:x'],
  ])('that is wrong answers 400 with %s and column %i: %s', async (reason, column, lql) => {
    const before = service.runs.length;
    const answer = await send({ lql });
    expect(answer.status).toBe(400);
    expect(answer.json()).toEqual({
      error: {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: expect.stringMatching(new RegExp(`\\(line 1, column ${column}\\)$`)),
        details: [{ parameter: 'lql', line: 1, column, reason }],
      },
    });
    expect(service.runs.length).toBe(before);
  });

  test('names the sources there are, and nothing else', async () => {
    const { error } = (await send({ lql: 'f:logs.edge' })).json() as { error: { message: string } };
    expect(error.message).toContain("bad clause 'f:logs.edge'");
    const other = (await send({ lql: 'f:edgy' })).json() as { error: { message: string } };
    expect(other.error.message).toContain('no source edgy; one of: edge, auth; did you mean edge?');
  });
});

test.each<Record<string, string>>([
  { sql: 'with w as (select id from edge) select * from w' },
  { lql: 'f:edge m:error' },
  { lql: 'f:edge t:last@15m', histogram: '60' },
])(
  'the warehouse gets the tree of a query with the text that was printed from it: %j',
  async (parameters) => {
    await send(parameters);
    const { sql, tree } = service.runs.at(-1)?.query ?? {};
    expect(tree && printQuery(tree)).toBe(sql);
  },
);

test('the warehouse receives the time range that the clauses of a query leave', async () => {
  const rangeOf = async (lql: string) => {
    await send({ lql });
    return service.runs.at(-1)?.query.timeRange;
  };
  expect(await rangeOf('f:edge t:last@15m')).toEqual({
    after: 1_767_224_699_999_999n,
    upTo: 1_767_225_600_000_000n,
  });
  expect(await rangeOf('f:edge m')).toEqual({ after: null, upTo: null });
});

describe('the time bounds that an answer reports', () => {
  const told = async (parameters: Record<string, string>, endpoint?: string) =>
    (await send(parameters, endpoint)).headers['x-time-window'];

  test.each<[string, Record<string, string>, string]>([
    ['t:last@15m', {}, '2025-12-31T23:44:59.999999Z/2026-01-01T00:00:00Z'],
    ['t:2025-12-31', {}, '2025-12-30T23:59:59.999999Z/2025-12-31T23:59:59.999999Z'],
    ['t:>2025-12-31', {}, '2025-12-31T00:00:00Z/..'],
    ['t:<2025-12-31 t:<=2025-12-30', {}, '../2025-12-30T00:00:00Z'],
    [
      't:>=2025-12-31',
      { iso_timestamp_end: '2026-01-01' },
      '2025-12-30T23:59:59.999999Z/2026-01-01T00:00:00Z',
    ],
    ['t:>2025-12-01', { iso_timestamp_start: '2025-12-31' }, '2025-12-31T00:00:00Z/..'],
    ['t:>2025-12-31', { iso_timestamp_start: '2025-12-01' }, '2025-12-31T00:00:00Z/..'],
    ['t:2025-12-31', { iso_timestamp_end: '2025-01-01' }, '2025-12-30T23:59:59.999999Z/2025-01-01T00:00:00Z'],
    ['-t:today m', { iso_timestamp_start: '2025-12-31' }, '2025-12-31T00:00:00Z/..'],
    ['m', {}, '../..'],
    ['t:>=0001-01-01', {}, '../..'],
    ['t:<0001-01-01', {}, '../0001-01-01T00:00:00Z'],
    ['t:>9999-12-31T23:59:59.999999', {}, '9999-12-31T23:59:59.999999Z/..'],
  ])('has those of the query in it: %s with %j', async (lql, bounds, window) => {
    expect(await told({ lql: `f:edge ${lql}`, ...bounds })).toBe(window);
  });

  test('are those of the query and of the time range that a parameter selects', async () => {
    const lql = 't:last@15m';
    expect(await told({ lql }, 'usage.api-counts')).toBe('2025-12-31T23:44:59.999999Z/2026-01-01T00:00:00Z');
    const week = '2025-12-25T00:00:00Z/2026-01-01T00:00:00Z';
    expect(await told({ lql: 'm' }, 'usage.api-counts')).toBe(week);
  });
});

describe('answers from the cache', () => {
  const seconds = (count: number) => BigInt(count) * 1_000_000n;
  const cacheOf = async (parameters: Record<string, string>) => (await send(parameters)).headers['x-cache'];

  test.each([
    ['f:edge t:last@15m', [0, 30, 59.9], 'HIT'],
    ['f:edge t:last@15m k', [0, 60], 'MISS'],
    ['f:edge t:last@15s', [0, 0.9], 'HIT'],
    ['f:edge t:last@15s k', [0, 1], 'MISS'],
    ['f:edge t:2024-01-01', [0, 100_000], 'HIT'],
  ])('to %s, asked at seconds %j: the last is a %s', async (lql, times, state) => {
    let last: unknown;
    for (const time of times) {
      nowMicros = NOW_MICROS + seconds(Math.floor(time)) + BigInt(Math.round((time % 1) * 1e6));
      last = await cacheOf({ lql });
    }
    nowMicros = NOW_MICROS;
    expect(last).toBe(state);
  });

  test('are shared by spellings of one query, and by nothing else', async () => {
    expect(await cacheOf({ lql: 'f:edge shared m.status:5' })).toBe('MISS');
    expect(await cacheOf({ lql: '  f:edge "shared"\nmetadata.status:005' })).toBe('HIT');
    expect(await cacheOf({ lql: 'f:edge shared m.status:6' })).toBe('MISS');
    expect(await cacheOf({ lql: 'f:auth shared m.status:5' })).toBe('MISS');
    expect(await cacheOf({ lql: 'f:edge shared m.status:5', project: 'other' })).toBe('MISS');
  });
});

describe('explain=true', () => {
  test('shows the tree, the GoogleSQL over the source and the resolved window', async () => {
    const before = service.runs.length;
    const lql = 'f:edge m.status:>=5 -error\n t:last@15m s:m.status@code';
    const answer = await send({ lql, explain: 'true' });
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      explain: {
        sources: ['edge'],
        columns: [{ name: 'code', type: 'INTEGER', mode: 'NULLABLE' }],
        parameters: expect.arrayContaining([{ name: 'lql_1', type: 'INT64' }]),
        estimatedBytes: null,
        estimatedBytesBilled: null,
        maxBytesBilled: null,
        wouldBeRefused: null,
        warnings: [],
        entriesOf: 'edge',
        lql: {
          source: 'edge',
          clauses: [
            { kind: 'from', source: 'edge', line: 1, column: 1 },
            {
              kind: 'filter',
              negated: false,
              condition: { kind: 'compare', path: 'metadata.status', operator: '>=', value: '5' },
              line: 1,
              column: 8,
            },
            {
              kind: 'filter',
              negated: true,
              condition: { kind: 'message_contains', text: 'error' },
              line: 1,
              column: 21,
            },
            {
              kind: 'filter',
              negated: false,
              condition: { kind: 'last', count: 15, unit: 'minute' },
              line: 2,
              column: 2,
            },
            { kind: 'select', path: 'metadata.status', alias: 'code', line: 2, column: 13 },
          ],
          sql:
            'SELECT r1.status AS code FROM edge AS t LEFT JOIN UNNEST(t.metadata) AS r1 ON TRUE ' +
            'WHERE EXISTS (SELECT 1 FROM UNNEST(t.metadata) AS e1 WHERE e1.status >= @lql_1) ' +
            'AND NOT IFNULL(STRPOS(t.event_message, @lql_2) > 0, FALSE) ' +
            'AND t.timestamp >= @lql_3 AND t.timestamp <= @lql_4 ' +
            'ORDER BY t.timestamp DESC, t.id DESC LIMIT 100',
          parameters: [
            { name: 'lql_1', type: 'INT64', value: '5' },
            { name: 'lql_2', type: 'STRING', value: 'error' },
            { name: 'lql_3', type: 'TIMESTAMP', value: '2025-12-31T23:45:00Z' },
            { name: 'lql_4', type: 'TIMESTAMP', value: '2026-01-01T00:00:00Z' },
          ],
          window: { from: '2025-12-31T23:45:00Z', to: '2026-01-01T00:00:00Z' },
        },
      },
    });
    expect(service.runs.length).toBe(before);
  });

  test.each<[string, object]>([
    ['m.status:1..5', { kind: 'between', path: 'metadata.status', from: '1', to: '5' }],
    ['t:>=now', { kind: 'time', operator: '>=', point: 'now' }],
    ['t:2024-01-01', { kind: 'time', operator: '=', point: '2024-01-01' }],
    ['t:2024-01-{01..02}', { kind: 'time_between', from: '2024-01-01', to: '2024-01-02' }],
    ['t:today', { kind: 'day', day: 'today' }],
  ])('shows the condition of %s', async (lql, condition) => {
    const answer = await send({ lql: `f:edge ${lql}`, explain: 'true' });
    expect(answer.json()).toMatchObject({ explain: { lql: { clauses: [{}, { condition }] } } });
  });

  test('shows no LQL of a query in SQL', async () => {
    const answer = await send({ sql: 'select 1', lql: 'm', explain: 'true' });
    expect((answer.json() as { explain: object }).explain).not.toHaveProperty('lql');
    expect(answer.headers['x-ignored-parameters']).toContain('lql');
  });
});
