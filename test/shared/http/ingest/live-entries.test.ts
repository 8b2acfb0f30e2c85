import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RealService, startWritableService } from '../../../data/support/real-service.ts';
import { type Answer, call } from '../support/http-client.ts';

const WRITER = 'lqe_test-token-that-writes-edge-logs-for-real';

let running: RealService;
beforeAll(async () => {
  running = await startWritableService(WRITER);
});
afterAll(() => running.close());

const post = (entries: unknown): Promise<Answer> =>
  call(running.port, '/api/logs?source_name=cloudflare.logs.prod', {
    method: 'POST',
    headers: { 'X-API-KEY': WRITER, 'Content-Type': 'application/json' },
    body: JSON.stringify(entries),
  });

async function rowsOf(sql: string): Promise<unknown> {
  const answer = await running.ask('logs.all', new URLSearchParams({ project: 'demo', sql }));
  return (answer.json() as { result: unknown }).result;
}

describe('entries that are posted to a local service', () => {
  test('are in the next answer, in order of time', async () => {
    expect(
      (await post([{ id: 'b', timestamp: '2026-01-02', message: 'second', project: 'demo' }])).status,
    ).toBe(200);
    expect(
      (await post({ batch: [{ id: 'a', timestamp: '2026-01-01', message: 'first', project: 'demo' }] }))
        .status,
    ).toBe(200);
    const rows = await rowsOf('select id, event_message from edge_logs order by timestamp');
    expect(rows).toEqual([
      { id: 'a', event_message: 'first' },
      { id: 'b', event_message: 'second' },
    ]);
  });

  test('are taken once for each id', async () => {
    const entry = { id: 'once', timestamp: '2026-01-03', message: 'once', project: 'demo' };
    expect((await post([entry])).json()).toEqual({ message: 'Logged!', taken: 1, duplicates: 0 });
    expect((await post([entry])).json()).toEqual({ message: 'Logged!', taken: 0, duplicates: 1 });
    expect(await rowsOf("select count(*) as n from edge_logs where id = 'once'")).toEqual([{ n: 1 }]);
  });

  test('are taken for each project with its own ids', async () => {
    const entry = { id: 'shared', timestamp: '2026-01-03', message: 'of demo', project: 'demo' };
    const other = { ...entry, message: 'of another', project: 'other' };
    expect((await post([entry])).json()).toEqual({ message: 'Logged!', taken: 1, duplicates: 0 });
    expect((await post([other, entry])).json()).toEqual({ message: 'Logged!', taken: 1, duplicates: 1 });
    // Once they are stored as well, and with names that are written another way.
    const again = { ...other, project: undefined, PROJECT: 'other', message: 'ü' };
    expect((await post([again, { ...entry, project: null }])).json()).toEqual({
      message: 'Logged!',
      taken: 1,
      duplicates: 1,
    });
    const rows = await rowsOf("select event_message from edge_logs where id = 'shared'");
    expect(rows).toEqual([{ event_message: 'of demo' }]);
  });

  test('can be asked for by their metadata, fields that came up with them included', async () => {
    const request = { method: 'GET', path: '/rest/v1/todos' };
    await post([{ id: 'meta', message: 'm', project: 'demo', appname: 'kong', metadata: { request } }]);
    const sql =
      'select m.appname, r.path from edge_logs cross join unnest(metadata) m cross join unnest(m.request) r';
    expect(await rowsOf(sql)).toEqual([{ appname: 'kong', path: '/rest/v1/todos' }]);
  });

  test('may come as OTLP, which is answered as its clients expect', async () => {
    const record = {
      timeUnixNano: '1790000000000000000',
      body: { stringValue: 'over OTLP' },
      severityText: 'WARN',
      attributes: [{ key: 'http.route', value: { stringValue: '/todos' } }],
    };
    const resource = { attributes: [{ key: 'project', value: { stringValue: 'demo' } }] };
    const answer = await post({ resourceLogs: [{ resource, scopeLogs: [{ logRecords: [record] }] }] });
    expect([answer.status, answer.json()]).toEqual([200, {}]);
    const sql =
      "select timestamp, m.level, m.http_route from edge_logs cross join unnest(metadata) m where event_message = 'over OTLP'";
    expect(await rowsOf(sql)).toEqual([
      { timestamp: 1_790_000_000_000_000, level: 'WARN', http_route: '/todos' },
    ]);
    const bad = await post({ resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: 'noon' }] }] }] });
    expect(bad.json()).toMatchObject({ error: { code: 400, details: [{ entry: 0 }] } });
  });

  test('add no fields beyond a thousand, and others are answered as before', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => [`field_${index}`, index]);
    const entry = { id: 'wide', message: 'm', project: 'demo', metadata: Object.fromEntries(names) };
    const answer = await post([entry]);
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining('entries add none to a table that has 1000 columns and nested fields'),
    ]);
    expect((await post([{ id: 'narrow', message: 'm', project: 'demo' }])).status).toBe(200);
    expect(await rowsOf("select id from edge_logs where id in ('wide', 'narrow')")).toEqual([
      { id: 'narrow' },
    ]);
  });

  test('leave nothing when one of them is malformed', async () => {
    const answer = await post([
      { id: 'good', message: 'good', project: 'demo' },
      { id: 'bad', timestamp: 'yesterday' },
    ]);
    expect(answer.json()).toMatchObject({ error: { details: [{ entry: 1, field: 'timestamp' }] } });
    expect(await rowsOf("select id from edge_logs where id in ('good', 'bad')")).toEqual([]);
  });
});
