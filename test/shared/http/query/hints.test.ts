import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeGateway } from '../../../../functions/gateway.ts';
import { NO_LIMITS } from '../../../../shared/access/token-limits.ts';
import { memoryTokenStore } from '../../../../shared/access/token-store.ts';
import { makeQueryHandler } from '../../../../shared/http/query/query-handler.ts';
import type { RunOptions, WarehouseQuery } from '../../../../shared/warehouse/warehouse.ts';
import { type RealService, startRealService } from '../../../data/support/real-service.ts';
import { tokenRecord } from '../../access/support/token-record.ts';
import { type Host, serve } from '../support/hosts.ts';
import { call } from '../support/http-client.ts';
import { ENDPOINTS, makeTestService, rowsOf, TOKEN } from '../support/test-service.ts';

/** Tokens by how many seconds they may read at once. */
const HOUR = 'lqe_token-for-an-hour-at-once';
const DAY = 'lqe_token-for-a-day-at-once';

let running: RealService;
let limited: Host;
beforeAll(async () => {
  running = await startRealService('--now', '2026-01-31T12:10:00Z');
  const record = (token: string, maxWindowSeconds: number) =>
    tokenRecord(token, { limits: { ...NO_LIMITS, maxWindowSeconds } });
  const tokens = memoryTokenStore([record(HOUR, 3600), record(DAY, 86_400)]);
  limited = await serve(makeGateway({ ...running.service, tokens, hintMs: 600_000 }));
});
afterAll(async () => {
  await limited.close();
  await running.close();
});

async function hintsOf(query: string): Promise<unknown> {
  const { status, text } = await running.ask('logs.all', `meta=true&${query}`);
  expect(status).toBe(200);
  return (JSON.parse(text) as { meta: { hints: unknown } }).meta.hints;
}

describe('an answer without rows', () => {
  const late = expect.stringMatching(
    /^edge_logs has no entries within the bounds of time; the newest is of 2026-01-31T12:0\d:\d\d\.\d{6}Z\.$/,
  );

  test.each([
    ['of the endpoint itself', 'project=demo&iso_timestamp_start=2026-02-01'],
    ["of a consumer's own query", 'project=demo&iso_timestamp_end=2000-01-01&sql=select+id+from+edge_logs'],
    ['of LQL', 'project=demo&iso_timestamp_start=2026-02-01&lql=f:edge_logs+s:id'],
    ['of LQL that bounds time itself', 'project=demo&lql=f:edge_logs+t:2001-01-01+s:id'],
  ])('%s says when the newest entry was, where the bounds leave none', async (_, query) => {
    expect(await hintsOf(query)).toEqual([late]);
  });

  test.each([
    ['of the request', 'iso_timestamp_start=2026-02-01&iso_timestamp_end=2026-01-01'],
    ['of the request and LQL', 'iso_timestamp_start=2026-02-01&lql=f:edge_logs+t:2026-01-01'],
    ['of LQL', 'lql=f:edge_logs+t:today+t:yesterday'],
    ['that are one instant', 'iso_timestamp_start=2026-01-31&iso_timestamp_end=2026-01-31'],
  ])('says that the bounds %s exclude each other', async (_, bounds) => {
    expect(await hintsOf(`project=demo&${bounds}`)).toEqual([
      'The bounds of time exclude each other: the start does not lie before the end.',
    ]);
  });

  test('says that there is nothing at all', async () => {
    expect(await hintsOf('project=nobody&iso_timestamp_start=2026-01-01')).toEqual([
      'edge_logs has no entries at all for these parameters.',
    ]);
  });

  test.each([
    [
      'the bounds leave entries, and the query none of them',
      'project=demo&iso_timestamp_start=2020-01-01&sql=select+id+from+edge_logs+where+false',
    ],
    ['there are no bounds', 'project=nobody'],
    ['LQL finds nothing in a time that has entries', 'project=demo&lql=f:edge_logs+t:last@1d+"no+such+text"'],
    ['there are rows', 'project=demo&iso_timestamp_start=2020-01-01'],
    [
      'several sources are read',
      'project=demo&iso_timestamp_end=2000-01-01&sql=select+id+from+edge_logs+union+all+select+id+from+auth_logs',
    ],
  ])('says nothing where %s', async (_, query) => {
    expect(await hintsOf(query)).toEqual([]);
  });
});

describe('a token that may read so much time at once', () => {
  async function hintsFor(token: string, query: string): Promise<unknown> {
    const path = `/api/endpoints/query/logs.all?meta=true&project=demo&${query}`;
    const { status, text } = await call(limited.port, path, { headers: { 'x-api-key': token } });
    expect([status, text]).toEqual([200, expect.any(String)]);
    return (JSON.parse(text) as { meta: { hints: unknown } }).meta.hints;
  }
  const nothing =
    'edge_logs has no entries within the bounds of time, nor any in the 3600 seconds up to their end.';

  test.each([
    [
      'the end of the bounds',
      'iso_timestamp_start=2026-02-09T00:00:00Z&iso_timestamp_end=2026-02-09T00:10:00Z',
    ],
    [
      'bounds before all entries',
      'iso_timestamp_start=2001-01-01T00:00:00Z&iso_timestamp_end=2001-01-01T00:10:00Z',
    ],
    [
      "a consumer's query",
      'iso_timestamp_start=2026-02-09T00:00:00Z&iso_timestamp_end=2026-02-09T00:10:00Z&sql=select+id+from+edge_logs',
    ],
    [
      'LQL',
      'iso_timestamp_start=2026-02-09T00:00:00Z&iso_timestamp_end=2026-02-09T00:10:00Z&lql=f:edge_logs+s:id',
    ],
  ])('has no hint at an earlier entry: %s', async (_, query) => {
    expect(await hintsFor(HOUR, query)).toEqual([nothing]);
  });

  test('has a hint at the newest entry that it may read', async () => {
    const bounds = 'iso_timestamp_start=2026-01-31T12:30:00Z&iso_timestamp_end=2026-01-31T12:40:00Z';
    expect(await hintsFor(HOUR, bounds)).toEqual([
      expect.stringMatching(
        /^edge_logs has no entries within the bounds of time; the newest in the 3600 seconds up to their end is of 2026-01-31T12:0\d/,
      ),
    ]);
    const later = 'iso_timestamp_start=2026-02-01T00:30:00Z&iso_timestamp_end=2026-02-01T00:40:00Z';
    expect(await hintsFor(DAY, later)).toEqual([expect.stringContaining('is of 2026-01-31T12:0')]);
  });

  test('has a hint with the present where the bounds have no end', async () => {
    expect(await hintsFor(HOUR, 'iso_timestamp_start=2026-01-31T12:10:00Z')).toEqual([
      expect.stringContaining('the newest in the 3600 seconds up to their end is of 2026-01-31T12:0'),
    ]);
  });
});

describe('looking for a hint', () => {
  const LOGS = ENDPOINTS[0]!;
  const sql =
    "with edge_logs as (select timestamp '2026-01-01' as timestamp, @project as id) select id from edge_logs";
  const path = '/api/endpoints/query/logs.all?project=demo&iso_timestamp_start=2026-02-01';

  /** Asks for rows that are not there; `hint` runs all queries after the first. */
  async function hintOf(
    query: string,
    hint: () => ReturnType<typeof rowsOf> | Promise<never>,
    limits: { readonly hintMs?: number } = {},
  ) {
    const asked: { readonly query: WarehouseQuery; readonly options: RunOptions }[] = [];
    const service = makeTestService({
      endpoints: [{ ...LOGS, sql }],
      run: async (one, options) => {
        asked.push({ query: one, options });
        return asked.length === 1 ? rowsOf() : hint();
      },
    });
    const host = await serve(makeQueryHandler({ ...service, ...limits }));
    const { status, headers } = await call(host.port, path + query, { headers: { 'x-api-key': TOKEN } });
    await host.close();
    expect(status).toBe(200);
    return { hint: headers['x-hint'], asked };
  }

  test.each([
    ['of the endpoint itself', ''],
    ["of a consumer's own query", '&sql=select+id+from+edge_logs'],
  ])("runs as the service's own and stops soon, for an answer %s", async (_, query) => {
    const { asked } = await hintOf(query, () => rowsOf(), { hintMs: 60_000 });
    const looked = asked.slice(1);
    expect(looked).not.toEqual([]);
    for (const one of looked) {
      expect(one.query.isUntrusted).toBeUndefined();
      expect(one.options.deadlineMs).toBe(60_000);
    }
  });

  test('holds no answer back where the warehouse does not answer', async () => {
    const { hint } = await hintOf('', () => new Promise<never>(() => {}));
    expect(hint).toBeUndefined();
  });
});
