import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { digestToken } from '../../../../shared/access/access-token.ts';
import { ServiceError } from '../../../../shared/errors/service-error.ts';
import { type Cursor, makeCursors } from '../../../../shared/http/paging/cursor.ts';
import { makeQueryHandler } from '../../../../shared/http/query/query-handler.ts';
import type { QueryResult } from '../../../../shared/warehouse/warehouse.ts';
import { type Host, serve } from '../support/hosts.ts';
import { type Answer, call } from '../support/http-client.ts';
import {
  LOGS_ID,
  makeTestService,
  NARROW_TOKEN,
  NOW_MICROS,
  type TestService,
  TOKEN,
} from '../support/test-service.ts';

const LOGS = '/api/endpoints/query/logs.all';
const ROWS = Array.from({ length: 7 }, (_, at) => `{"n":${at},"ip":"192.0.2.${at}"}`);
const PAGE = 3;
const NOW_MS = Number(NOW_MICROS / 1000n);

const time = { nowMs: NOW_MS };
/** Whether the rows are kept still. */
const world = { isKept: true };

const tokenOf = (startIndex: number) =>
  ({ kind: 'job', jobId: 'secret-job', startIndex, rowLimit: 100 }) as const;

/** A page of the rows, from the place that the warehouse names. */
function pageFrom(start: number): QueryResult {
  const isLast = start + PAGE >= ROWS.length;
  return {
    columns: [],
    rows: ROWS.slice(start, start + PAGE),
    truncated: !isLast,
    bytesProcessed: null,
    bytesBilled: null,
    ...(isLast ? {} : { pageToken: tokenOf(start + PAGE) }),
  };
}

let service: TestService;
let host: Host;
beforeAll(async () => {
  const made = makeTestService({ run: async () => pageFrom(0) });
  service = {
    ...made,
    wallClockMs: () => time.nowMs,
    warehouse: {
      ...made.warehouse,
      nextPage: async (token) => {
        if (!world.isKept) throw new ServiceError('gone', 'It has expired.');
        if (token.kind !== 'job') throw new TypeError('the token is of another warehouse');
        return pageFrom(token.startIndex);
      },
    },
  };
  host = await serve(makeQueryHandler(service));
});
afterAll(() => host.close());
beforeEach(() => {
  Object.assign(time, { nowMs: NOW_MS });
  world.isKept = true;
});

function send(path: string, headers: Record<string, string> = {}, token = TOKEN): Promise<Answer> {
  return call(host.port, path, { headers: { 'x-api-key': token, ...headers } });
}

function nextOf({ headers }: Answer): string {
  const [, next] = /^<([^>]+)>; rel="next"$/.exec(String(headers.link ?? '')) ?? [];
  if (next === undefined) throw new Error('there is no next page');
  return next;
}

/** The address with another first character of its cursor; the last ones may stand for bits that are not read. */
function changed(next: string): string {
  return next.replace(/cursor=(.)/, (_, first: string) => `cursor=${first === 'A' ? 'B' : 'A'}`);
}

const linked = async (query = '?project=demo', token = TOKEN) => nextOf(await send(LOGS + query, {}, token));

describe('the next page', () => {
  test('follows from page to page to the end, without a gap or a row twice', async () => {
    const texts: string[] = [];
    let answer = await send(`${LOGS}?project=demo`);
    for (;;) {
      texts.push(...(answer.json() as { result: object[] }).result.map((row) => JSON.stringify(row)));
      expect(answer.headers).toMatchObject({ 'x-cache': 'BYPASS' });
      if (answer.headers['x-truncated'] === undefined) break;
      answer = await send(nextOf(answer));
    }
    expect(texts).toEqual(ROWS);
    expect(answer.headers).not.toHaveProperty('link');
  });

  test('can be asked for again', async () => {
    const next = await linked();
    expect((await send(next)).text).toBe((await send(next)).text);
  });

  test('has the format and the meta of the first', async () => {
    const csv = await send(await linked('?project=demo&format=ndjson'));
    expect(csv.headers['content-type']).toContain('ndjson');
    const meta = (await send(await linked('?project=demo&meta=true'))).json();
    expect(meta).toMatchObject({ meta: { rowCount: 3, next: expect.stringContaining('meta=true') } });
  });

  test('reports the time bounds of the first', async () => {
    const first = await send(`${LOGS}?project=demo&iso_timestamp_start=2026-01-01`);
    const second = await send(nextOf(first));
    expect(second.headers['x-time-window']).toBe('2026-01-01T00:00:00Z/..');
    expect((await send(nextOf(second))).headers['x-time-window']).toBe('2026-01-01T00:00:00Z/..');
  });

  test('is redacted where the first was, and where it is asked for', async () => {
    const redact = { 'lf-endpoint-redact-pii': 'true' };
    const redacted = nextOf(await send(`${LOGS}?project=demo`, redact));
    expect((await send(redacted)).text).not.toContain('192.0.2');
    expect((await send(await linked(), redact)).text).not.toContain('192.0.2');
    expect((await send(await linked())).text).toContain('192.0.2');
  });

  test('reveals nothing of the inside in its address', async () => {
    const next = await linked();
    const [, cursor = ''] = /cursor=([\w-]+)$/.exec(next) ?? [];
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('secret');
    expect(await linked()).not.toBe(next);
  });
});

describe('a cursor is refused', () => {
  test.each<[string, () => Promise<string>, number]>([
    ['that is none', async () => `${LOGS}?cursor=abc`, 400],
    ['that was changed', async () => changed(await linked()), 400],
    ['that is too long', async () => `${LOGS}?cursor=${'a'.repeat(5000)}`, 400],
    ['that is given twice', async () => `${await linked()}&cursor=a`, 400],
    [
      'of another service',
      async () => {
        const { cursors } = { cursors: makeCursors('another secret') };
        const cursor = {
          pageToken: tokenOf(1),
          endpointId: 'x',
          project: null,
          isRedacted: false,
          hiddenPaths: '',
          maxRows: 1,
          timeRange: null,
          isConsumers: false,
        };
        return `${LOGS}?cursor=${cursors.seal({ ...cursor, expiresAtMs: NOW_MS + 1000 }, 'digest')}`;
      },
      400,
    ],
    ['at another endpoint', async () => (await linked()).replace('logs.all', 'usage.api-counts'), 400],
  ])('%s', async (_, path, status) => {
    const answer = await send(await path());
    expect(answer.status).toBe(status);
    expect(answer.json()).toMatchObject({ error: { details: [{ parameter: 'cursor' }] } });
  });

  test('of another access token', async () => {
    expect((await send(await linked(), {}, NARROW_TOKEN)).status).toBe(400);
  });

  test('after ten minutes, and not before', async () => {
    const next = await linked();
    time.nowMs = NOW_MS + 599_999;
    expect((await send(next)).status).toBe(200);
    time.nowMs = NOW_MS + 600_000;
    expect((await send(next)).status).toBe(410);
  });

  test('as expired that an earlier version of the service has given out', async () => {
    const content = {
      rest: 'secret.table@3',
      endpointId: LOGS_ID,
      project: 'demo',
      isRedacted: false,
      hiddenPaths: '',
      maxRows: PAGE,
      window: null,
      isConsumers: false,
      expiresAtMs: NOW_MS + 1000,
    };
    const text = service.cursors.seal(content as unknown as Cursor, digestToken(TOKEN));
    const answer = await send(`${LOGS}?cursor=${text}`);
    expect(answer.status).toBe(410);
    expect(answer.json()).toMatchObject({ error: { details: [{ parameter: 'cursor' }] } });
  });

  test('when the rows have expired', async () => {
    const next = await linked();
    world.isKept = false;
    expect((await send(next)).status).toBe(410);
  });

  test('without an access token', async () => {
    expect((await call(host.port, await linked())).status).toBe(401);
  });
});
