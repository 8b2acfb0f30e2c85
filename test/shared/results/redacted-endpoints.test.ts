import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadEndpoints } from '../../../shared/endpoints/load-endpoints.ts';
import { makeRedactedEndpoints } from '../../../shared/results/redacted-endpoints.ts';
import { loadTableSchemas } from '../../../shared/schema/load-table-schemas.ts';
import { type RealService, startRealService } from '../../data/support/real-service.ts';

const PATHS = [
  'metadata.request.headers.user_agent',
  'metadata.request.url',
  'event_message',
  'metadata.auth_event.traits.provider',
];
const REDACT = { 'lf-endpoint-redact-pii': 'true' };

let folder: string;
let running: RealService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redacted-'));
  await cp('queries', folder, { recursive: true });
  const file = join(folder, 'logs.all.json');
  const settings = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...settings, redactPaths: PATHS }));
  running = await startRealService(
    '--now',
    '2026-01-31T12:10:00Z',
    '--queries',
    folder,
    '--sources',
    join(folder, 'sources'),
  );
});
afterAll(async () => {
  await running.close();
  await rm(folder, { recursive: true });
});

async function ask(query: string, headers: Record<string, string> = REDACT): Promise<unknown> {
  const { status, text } = await running.ask('logs.all', `project=demo&${query}`, headers);
  expect([status, text]).toEqual([200, expect.any(String)]);
  return (JSON.parse(text) as { result: unknown }).result;
}

const sql = (text: string) => `sql=${encodeURIComponent(text)}`;

describe('a path that is redacted', () => {
  test('is hidden in every element, and the rest of the entry stays', async () => {
    const [plain] = (await ask('', {})) as { id: string; metadata: object[] }[];
    const [hidden] = (await ask('')) as { id: string; event_message: string; metadata: object[] }[];
    expect(hidden).toMatchObject({ id: plain?.id, event_message: 'REDACTED' });
    expect(hidden?.metadata).toMatchObject([
      { request: [{ url: 'REDACTED', headers: [{ user_agent: 'REDACTED' }] }] },
    ]);
    const path = (entry: unknown) =>
      (entry as { metadata: { request: { path: string }[] }[] }).metadata[0]?.request[0]?.path;
    expect(path(hidden)).toBe(path(plain));
    expect(path(plain)).toMatch(/^\//);
  });

  test.each([
    [
      'under another name',
      'select r.url as x, reverse(r.url) as y from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r limit 3',
      ['REDACTED', 'DETCADER'],
    ],
    [
      'in a text of the whole',
      'select to_json_string(struct(r.url as url)) as x from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r limit 3',
      ['{"url":"REDACTED"}'],
    ],
    ['in a condition', "select count(*) as x from edge_logs where event_message like '%GET%'", [0]],
    [
      'in a join of its own',
      'with e as (select event_message from edge_logs) select distinct event_message as x from e',
      ['REDACTED'],
    ],
  ])('cannot be seen by a query %s', async (_, query, values) => {
    const rows = (await ask(sql(query))) as object[];
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(Object.values(row)).toEqual(values);
  });

  test('cannot be seen in LQL', async () => {
    expect(await ask('lql=f:edge_logs+GET')).toEqual([]);
    const rows = (await ask('lql=f:edge_logs+s:m.request.url@x')) as object[];
    expect(new Set(rows.map((row) => JSON.stringify(row)))).toEqual(new Set(['{"x":"REDACTED"}']));
  });

  test('leaves the order of the entries, and NULL', async () => {
    const times = (rows: unknown) => (rows as { timestamp: number }[]).map(({ timestamp }) => timestamp);
    const query = sql('select timestamp from edge_logs limit 50');
    expect(times(await ask(query))).toEqual(times(await ask(query, {})));
    const nulls = sql(
      'select countif(r.url is null) as n from edge_logs left join unnest(metadata) as m left join unnest(m.request) as r',
    );
    expect(await ask(nulls)).toEqual(await ask(nulls, {}));
  });

  test.each([
    ["of a consumer's query", sql('select id, event_message from edge_logs'), 'json'],
    ['of a query whose rows are held', sql('select distinct id, event_message from edge_logs'), 'ndjson'],
    ['of a table', sql('select event_message, id from edge_logs order by timestamp'), 'csv'],
  ])('is hidden on every page or on none, %s', async (_, query, format) => {
    const nextOf = async (asked: string, headers: Record<string, string>) => {
      const first = await running.ask('logs.all', asked, headers);
      return /^<[^?]+\?([^>]+)>/.exec(String(first.headers.link))?.[1] ?? '';
    };
    const asked = `project=demo&format=${format}&${query}`;
    const plain = await nextOf(asked, {});
    for (const header of ['true', 'false, TRUE']) {
      const refused = await running.ask('logs.all', plain, { 'lf-endpoint-redact-pii': header });
      expect(refused.status).toBe(400);
      expect(refused.json()).toMatchObject({ error: { details: [{ parameter: 'cursor' }] } });
      expect(refused.text).toContain('run the query again, redacted');
    }
    const seen = await running.ask('logs.all', plain);
    expect([seen.status, seen.text.includes('REDACTED')]).toEqual([200, false]);
    const third = /^<[^?]+\?([^>]+)>/.exec(String(seen.headers.link))?.[1] ?? '';
    expect((await running.ask('logs.all', third, REDACT)).status).toBe(400);
    const hidden = await nextOf(asked, REDACT);
    for (const headers of [{}, REDACT]) {
      const { status, text } = await running.ask('logs.all', hidden, headers);
      expect([status, /GET|POST/.test(text)]).toEqual([200, false]);
      expect(text).toContain('REDACTED');
    }
  });

  test('is seen where redaction is off', async () => {
    const seen = await ask(
      sql("select count(*) > 0 as x from edge_logs where event_message like '%GET%'"),
      {},
    );
    expect(seen).toEqual([{ x: true }]);
  });
});

test.each(['metadata.nope', 'metadata.response.status_code', 'metadata.request', 'nope'])(
  'the path %s, which leads to no text, is refused by name',
  async (path) => {
    const endpoints = await loadEndpoints('queries');
    const tables = await loadTableSchemas('queries/sources');
    const endpoint = endpoints.find('logs.all');
    if (endpoint === undefined) throw new Error('there is no logs.all');
    const redacted = makeRedactedEndpoints({ tables });
    await expect(redacted({ ...endpoint, redactPaths: [path] })).rejects.toThrow(
      `logs.all: redactPaths: ${path} leads to no text in any CTE`,
    );
  },
);
