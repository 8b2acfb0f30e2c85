import { request } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { NO_LIMITS, type TokenLimits } from '../../../../shared/access/token-limits.ts';
import { memoryTokenStore } from '../../../../shared/access/token-store.ts';
import { makeQueryHandler } from '../../../../shared/http/query/query-handler.ts';
import type { QueryResult, RunOptions, WarehouseQuery } from '../../../../shared/warehouse/warehouse.ts';
import { tokenRecord } from '../../access/support/token-record.ts';
import { type Host, serve } from '../support/hosts.ts';
import { type Answer, call } from '../support/http-client.ts';
import { makeTestService, rowsOf, type TestService } from '../support/test-service.ts';

const LOGS = '/api/endpoints/query/logs.all?project=demo';
const sql = (n: number) => `${LOGS}&sql=select+${n}`;

const ONE = 'lqe_one-of-two-callers';
const OTHER = 'lqe_other-of-two-callers';
const RICH = 'lqe_with-time-of-its-own';
const RATED = 'lqe_with-a-number-of-requests-as-well';
const TOKENS: Readonly<Record<string, Partial<TokenLimits>>> = {
  [ONE]: {},
  [OTHER]: {},
  [RICH]: { cpuSecondsPerMinute: 600, sqlDeadlineSeconds: 20 },
  [RATED]: { requestsPerMinute: 50 },
};

/** A query that the warehouse has been asked. */
interface Asked {
  readonly query: WarehouseQuery;
  readonly options: RunOptions;
  readonly answer: (result: QueryResult) => void;
  readonly fail: (error: unknown) => void;
}

const time = { nowMs: 0 };
const clock = { monotonicMs: () => time.nowMs, wallMs: () => time.nowMs, sleep: async () => {} };

let service: TestService;
let host: Host;
/** Those of consumers. Nothing is answered before the test does. */
let asked: Asked[];

beforeEach(async () => {
  asked = [];
  service = makeTestService({
    clock,
    limits: { running: 1, waiting: 1 },
    tokens: memoryTokenStore(
      Object.entries(TOKENS).map(([token, limits]) =>
        tokenRecord(token, { limits: { ...NO_LIMITS, ...limits } }),
      ),
    ),
    run: (query, options) => {
      if (query.isUntrusted !== true) return Promise.resolve(rowsOf('{"id":"stored"}'));
      const { promise, resolve, reject } = Promise.withResolvers<QueryResult>();
      options.signal?.addEventListener('abort', () => reject(options.signal?.reason), { once: true });
      asked.push({ query, options, answer: resolve, fail: reject });
      return promise;
    },
  });
  host = await serve(makeQueryHandler(service));
});
afterEach(() => host.close());

const send = (token: string, path: string): Promise<Answer> =>
  call(host.port, path, { headers: { 'x-api-key': token } });

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate();
}

/** A request whose caller can go away. */
function sendAndLeave(token: string, path: string): () => void {
  const outgoing = request({ host: '127.0.0.1', port: host.port, path, headers: { 'x-api-key': token } });
  outgoing.on('error', () => {});
  outgoing.end();
  return () => void outgoing.destroy();
}

/** Gives what was sent before time to come as far as it can: these requests wait for nothing. */
async function letOthersArrive(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await send(OTHER, LOGS);
}

/** The query that was sent with `sql(n)`, once the warehouse is asked it. */
async function askedFor(n: number): Promise<Asked> {
  const find = () => asked.find(({ query }) => new RegExp(`select ${n}$`, 'i').test(query.sql));
  await until(() => find() !== undefined);
  return find() as Asked;
}

describe("a token's queries", () => {
  test('are refused when it has as many as it may have, with this reason; those of others are not', async () => {
    const running = send(ONE, sql(1));
    const first = await askedFor(1);
    const waiting = send(ONE, sql(2));
    await letOthersArrive();
    const refused = await send(ONE, sql(3));
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.json()).toEqual({
      error: {
        code: 429,
        status: 'RESOURCE_EXHAUSTED',
        message:
          'This access token has reached its limit of queries: 1 running and 1 waiting; try again when one of them has ended.',
        details: [],
      },
    });
    expect(asked).toHaveLength(1);
    const other = send(OTHER, sql(4));
    (await askedFor(4)).answer(rowsOf('{"n":4}'));
    expect((await other).json()).toEqual({ result: [{ n: 4 }] });
    first.answer(rowsOf('{"n":1}'));
    (await askedFor(2)).answer(rowsOf('{"n":2}'));
    expect([(await running).status, (await waiting).status]).toEqual([200, 200]);
  });

  test('count once for all callers of the same one', async () => {
    const answers = [1, 2, 3, 4].map(() => send(ONE, sql(1)));
    await until(() => asked.length === 1);
    await letOthersArrive();
    asked[0]?.answer(rowsOf('{"n":1}'));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(asked).toHaveLength(1);
  });

  test('never keep stored queries waiting', async () => {
    const leave = [1, 2].map((n) => sendAndLeave(ONE, sql(n)));
    await until(() => asked.length === 1);
    expect((await send(ONE, LOGS)).json()).toEqual({ result: [{ id: 'stored' }] });
    for (const one of leave) one();
  });

  test('make room when their callers go away', async () => {
    const leave = [1, 2].map((n) => sendAndLeave(ONE, sql(n)));
    await until(() => asked.length === 1);
    await letOthersArrive();
    for (const one of leave) one();
    await until(() => asked.every(({ options }) => options.signal?.aborted === true));
    await letOthersArrive();
    const next = send(ONE, sql(3));
    (await askedFor(3)).answer(rowsOf('{"n":3}'));
    expect((await next).status).toBe(200);
  });

  test('keep their place while the warehouse still cancels them', async () => {
    const leave = sendAndLeave(ONE, sql(1));
    const { options } = await askedFor(1);
    const cancelled = Promise.withResolvers<void>();
    options.onEnding?.(cancelled.promise);
    leave();
    await until(() => options.signal?.aborted === true);
    const next = send(ONE, sql(2));
    await letOthersArrive();
    expect(asked).toHaveLength(1);
    cancelled.resolve();
    (await askedFor(2)).answer(rowsOf('{"n":2}'));
    expect((await next).status).toBe(200);
  });

  test('go on for those who share them when whoever asked first goes away', async () => {
    const leave = sendAndLeave(ONE, sql(1));
    await until(() => asked.length === 1);
    const other = send(OTHER, sql(1));
    await letOthersArrive();
    leave();
    // The place of the one who left is free: what it had running counts for the other now.
    const next = send(ONE, sql(2));
    (await askedFor(2)).answer(rowsOf('{"n":2}'));
    (await askedFor(1)).answer(rowsOf('{"n":1}'));
    expect([(await other).status, (await next).status]).toEqual([200, 200]);
  });

  test('begin in the turn of a caller who may have them, whoever of those that share them was first', async () => {
    const leave = [sendAndLeave(ONE, sql(1))];
    await until(() => asked.length === 1);
    leave.push(sendAndLeave(ONE, sql(2)));
    await letOthersArrive();
    const other = send(OTHER, sql(2));
    (await askedFor(2)).answer(rowsOf('{"n":2}'));
    expect((await other).json()).toEqual({ result: [{ n: 2 }] });
    for (const one of leave) one();
  });
});

describe('the CPU time of the engine', () => {
  const spend = async (token: string, seconds: number) => {
    const count = asked.length;
    const answer = send(token, sql(count + 100));
    await until(() => asked.length > count);
    asked[count]?.options.onCpu?.(seconds * 1000);
    asked[count]?.answer(rowsOf());
    return answer;
  };

  test('is what a token has for its queries each minute; then this token has to wait, and no other', async () => {
    expect((await spend(ONE, 66)).status).toBe(200);
    const refused = await send(ONE, sql(1));
    expect(refused.status).toBe(429);
    const { message } = (refused.json() as { error: { message: string } }).error;
    const [, seconds] =
      /^This access token's queries have used up their 60 CPU seconds a minute; try again in (\d+) seconds\.$/.exec(
        message,
      ) ?? [];
    expect(['6', '7']).toContain(seconds);
    expect(refused.headers).toMatchObject({
      'retry-after': seconds,
      'ratelimit-limit': '60',
      'ratelimit-remaining': '0',
      'ratelimit-reset': seconds,
    });
    expect((await send(ONE, `${sql(1)}&explain=true`)).status).toBe(429);
    expect((await send(ONE, LOGS)).status).toBe(200);
    expect((await spend(OTHER, 1)).status).toBe(200);
    time.nowMs += (Number(seconds) + 1) * 1000;
    expect((await spend(ONE, 1)).status).toBe(200);
  });

  test('counts for queries whose callers went away', async () => {
    const leave = sendAndLeave(ONE, sql(1));
    await until(() => asked.length === 1);
    leave();
    await until(() => asked[0]?.options.signal?.aborted === true);
    asked[0]?.options.onCpu?.(70_000);
    expect((await send(ONE, sql(2))).status).toBe(429);
  });

  test('is as much as the token says, where it says something', async () => {
    await spend(RICH, 500);
    expect((await spend(RICH, 150)).status).toBe(200);
    const refused = await send(RICH, sql(1));
    expect(refused.headers).toMatchObject({
      'ratelimit-limit': '600',
      'retry-after': expect.stringMatching(/^[56]$/),
    });
  });

  test('is reported once where the token has a number of requests as well', async () => {
    await spend(RATED, 66);
    const { rawHeaders } = await send(RATED, sql(1));
    const limits = rawHeaders.flatMap((name, at) =>
      at % 2 === 0 && name === 'RateLimit-Limit' ? [rawHeaders[at + 1]] : [],
    );
    expect(limits).toEqual(['60']);
  });
});

describe("the deadline of consumers' queries", () => {
  test.each([
    ["the service's", ONE, 10_000],
    ["the token's own", RICH, 20_000],
  ])('is %s', async (_, token, deadlineMs) => {
    const answer = send(token, sql(1));
    await until(() => asked.length === 1);
    expect(asked[0]?.options.deadlineMs).toBe(deadlineMs);
    asked[0]?.answer(rowsOf());
    await answer;
  });

  test('is not that of stored ones', async () => {
    await send(ONE, LOGS);
    expect(service.runs.at(-1)?.options.deadlineMs).toBe(30_000);
  });
});
