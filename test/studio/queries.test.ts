import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DEMO_PROJECTS } from '../../shared/demo-logs/demo-entries.ts';
import { type RealService, startRealService } from '../data/support/real-service.ts';
import { STUDIO_QUERIES, sendAsStudio } from './support/studio-queries.ts';

let service: RealService;
beforeAll(async () => {
  service = await startRealService('--now', '2026-01-31T12:10:00Z');
});
afterAll(() => service.close());

const KINDS = [...new Set(STUDIO_QUERIES.map(({ kind }) => kind))];

test('there are queries of every page that reads logs', () => {
  expect(KINDS).toEqual([
    'api-reports',
    'auth-overview',
    'auth-reports',
    'explorer-templates',
    'function-reports',
    'guides',
    'log-pages',
    'request-flow',
    'storage-reports',
    'unified-logs',
  ]);
});

describe.each([...DEMO_PROJECTS])('over the demo logs of %s, Supabase Studio gets rows', (project) => {
  describe.each(KINDS)('for its %s', (kind) => {
    const queries = STUDIO_QUERIES.filter((one) => one.kind === kind);

    test.each(queries.map((one) => [one.name, one] as const))('%s', async (_, query) => {
      expect((await sendAsStudio(service, project, query)).length).toBeGreaterThan(0);
    });
  });
});

describe('what Studio writes that is no GoogleSQL is refused with what to write', () => {
  test.each([
    [
      "select id from postgres_logs where ( event_message::text LIKE '%cron job%' )",
      'write CAST(event_message AS STRING) (line 1, column 51)',
    ],
    [
      "select id from edge_logs where regexp_contains(event_message, 'it''s')",
      "write 'it\\'s' (line 1, column 67)",
    ],
  ])('%s', async (sql, hint) => {
    const { status, text } = await service.ask('logs.all', new URLSearchParams({ project: 'default', sql }));
    const { error } = JSON.parse(text) as { error: { message: string } };
    expect([status, error.message]).toEqual([400, expect.stringContaining(hint)]);
  });
});

describe('what a request flow shows is filled', () => {
  test.each(['postgrest', 'auth', 'storage', 'edge-function', 'postgres'])('of %s', async (name) => {
    const query = STUDIO_QUERIES.find((one) => one.kind === 'request-flow' && one.name === name);
    if (query === undefined) throw new Error(`no request flow of ${name}`);
    const [row = {}] = await sendAsStudio(service, 'default', query);
    const filled = Object.values(row).filter((value) => value !== null);
    expect(filled.length).toBeGreaterThan(Object.keys(row).length / 3);
  });

  test("the auth server's entries are those of requests that the edge logged", async () => {
    const auth = STUDIO_QUERIES.find((one) => one.kind === 'unified-logs' && one.name === 'rows');
    const sql = `${auth?.sql.split('\nSELECT\n')[0]}
      select countif(id is null) as alone, count(*) as entries from unified_logs where log_type = 'auth'`;
    const [row] = await sendAsStudio(service, 'default', { kind: '', name: '', sql });
    const { alone, entries } = row as { alone: number; entries: number };
    expect(entries).toBeGreaterThan(50);
    // The edge drops the records of a few entries, and logs others before the window begins.
    expect(alone / entries).toBeLessThan(0.02);
  });
});
