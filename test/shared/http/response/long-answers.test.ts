import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeGateway } from '../../../../functions/gateway.ts';
import { makeResultCache } from '../../../../shared/cache/result-cache.ts';
import { type ByteBudget, makeByteBudget } from '../../../../shared/concurrency/byte-budget.ts';
import { systemClock } from '../../../../shared/concurrency/clock.ts';
import { type RealService, startRealService } from '../../../data/support/real-service.ts';
import { withResults } from '../../results/support/with-results.ts';
import { type Host, serve } from '../support/hosts.ts';
import { type Answer, call } from '../support/http-client.ts';

const MIB = 1024 * 1024;
const CAPACITY = 16 * MIB;
const ROWS = 100;

let running: RealService;
let host: Host;
let hurried: Host;
let budget: ByteBudget;
/** Most bytes that all answers held together since a test began, seen whenever one of them was given room. */
let most = 0;
beforeAll(async () => {
  running = await startRealService('--now', '2026-01-31T12:10:00Z');
  budget = watched(makeByteBudget({ capacityBytes: CAPACITY, nowMs: () => performance.now() }));
  const cache = makeResultCache({ maxBytes: MIB, shared: null, clock: systemClock, budget });
  const deps = withResults({ ...running.service, cache });
  host = await serve(makeGateway(deps));
  hurried = await serve(makeGateway(withResults({ ...deps, deadlineMs: 3000 })));
});
afterAll(async () => {
  await Promise.all([host.close(), hurried.close()]);
  await running.close();
});

/** A budget that tells `most`: what is held may be given back in the turn of the event loop in which it was taken. */
function watched(inner: ByteBudget): ByteBudget {
  return {
    get heldBytes() {
      return inner.heldBytes;
    },
    begin(ending) {
      const reservation = inner.begin(ending);
      return {
        get heldBytes() {
          return reservation.heldBytes;
        },
        async grow(bytes) {
          await reservation.grow(bytes);
          most = Math.max(most, inner.heldBytes);
        },
        settle: reservation.settle,
        release: reservation.release,
      };
    },
  };
}

/** The address of rows with so many bytes together, different for each `tag`. */
function pathOf(tag: string, bytes: number, more = ''): string {
  const sql = `select concat('${tag} 192.0.2.1 ', repeat('x', ${Math.floor(bytes / ROWS)})) as text from edge_logs limit ${ROWS}`;
  return `/api/endpoints/query/logs.all?project=demo&sql=${encodeURIComponent(sql)}${more}`;
}

const send = (path: string, headers: Record<string, string> = {}, { port }: Host = host): Promise<Answer> =>
  call(port, path, { headers: { 'x-api-key': running.service.localToken, ...headers } });

/** Resolves when nothing is held any more. */
async function allReleased(): Promise<void> {
  while (budget.heldBytes > 0) await new Promise((resolve) => setImmediate(resolve));
}

describe('more long answers than there is room for', () => {
  test.each([
    ['as JSON', '', {}],
    ['as NDJSON, compressed', '&format=ndjson', { 'accept-encoding': 'br' }],
    ['as CSV, redacted', '&format=csv', { 'lf-endpoint-redact-pii': 'true' }],
    ['with what is known of them', '&meta=true', {}],
  ])('are all given, one after the other, %s', async (_, more, headers) => {
    most = 0;
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_row, index) => send(pathOf(`caller ${index}`, 2 * MIB, more), headers)),
    );
    expect(answers.map(({ status, headers: { 'x-row-count': rows } }) => [status, rows])).toEqual(
      answers.map(() => [200, String(ROWS)]),
    );
    expect(most).toBeGreaterThan(2 * MIB);
    expect(most).toBeLessThanOrEqual(CAPACITY);
    await allReleased();
  });

  test('give their room back when their callers go', async () => {
    const sockets = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const socket = connect(host.port, '127.0.0.1');
        await once(socket, 'connect');
        socket.pause();
        const head = `GET ${pathOf(`gone ${index}`, 2 * MIB)} HTTP/1.1\r\nHost: a\r\n`;
        socket.write(`${head}X-API-KEY: ${running.service.localToken}\r\n\r\n`);
        return socket;
      }),
    );
    while (budget.heldBytes === 0) await new Promise((resolve) => setImmediate(resolve));
    for (const socket of sockets) socket.destroy();
    await allReleased();
  });
});

describe('where others have all the room', () => {
  test('a long answer is refused with 503 before its deadline is over, and a short one is given', async () => {
    const other = budget.begin({ deadlineMs: 1, signal: new AbortController().signal });
    other.settle(CAPACITY);
    const [long, short] = await Promise.all([
      send(pathOf('late', 2 * MIB), {}, hurried),
      send(pathOf('short', 2000), {}, hurried),
    ]);
    expect([long.status, short.status]).toEqual([503, 200]);
    expect(long.headers['retry-after']).toMatch(/^\d+$/);
    expect(long.json()).toMatchObject({
      error: { message: expect.stringContaining('try again in a moment') },
    });
    other.release();
    expect((await send(pathOf('late', 2 * MIB))).status).toBe(200);
    await allReleased();
  });

  test('an answer that none may have is refused with 429', async () => {
    const answer = await send(pathOf('too long', 8 * MIB));
    expect(answer.status).toBe(429);
    expect(answer.text).toContain('select fewer columns or rows');
    await allReleased();
  });
});
