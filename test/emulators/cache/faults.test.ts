import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CACHE_COLLECTION } from '../../../shared/cache/firestore/firestore-cache-store.ts';
import { firestoreConnection } from '../../../shared/firestore/firestore-connection.ts';
import { answerOf, largeAnswer, requestOf } from '../../shared/cache/support/answers.ts';
import { startFirestoreEmulator } from '../support/firestore-emulator.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { type Instance, startInstance } from './support/instance.ts';

const host = process.env.FIRESTORE_EMULATOR_HOST ?? '';
const newKey = () => randomBytes(32).toString('hex');
const instances: Instance[] = [];

/** On a busy machine an emulator may take its time. */
const PATIENT = { firstCallMs: 30_000, readMs: 10_000, writeWaitMs: 10_000 };

/** Starts an instance with the limits of the service, or patient ones where its connection is a good one. */
async function instance(at: string = host, wallOffsetMs = 0): Promise<Instance> {
  const limits = at === host ? PATIENT : {};
  const started = await startInstance(at, { wallOffsetMs, limits });
  instances.push(started);
  return started;
}

afterAll(() => Promise.all(instances.map((started) => started.close())));

/** Asks an instance for fresh keys until what it wrote reaches another instance. */
async function untilShared(writer: Instance, reader: Instance): Promise<void> {
  for (;;) {
    const key = newKey();
    await writer.cache.answer(
      key,
      requestOf(async () => answerOf(key)),
    );
    await writer.cache.settle();
    const reply = await reader.cache.answer(
      key,
      requestOf(async () => answerOf(key)),
    );
    if (reply.state === 'HIT') return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('while Firestore is gone', () => {
  it('answers are computed, and shared again when it is back', async () => {
    const emulator = await startFirestoreEmulator();
    const [a, b] = [await instance(emulator.host), await instance(emulator.host)];
    const key = newKey();
    await a.cache.answer(
      key,
      requestOf(async () => answerOf('before')),
    );
    await emulator.stop();

    const kept = await a.cache.answer(
      key,
      requestOf(async () => answerOf('never run')),
    );
    expect([kept.state, kept.entry.answer]).toEqual(['HIT', answerOf('before')]);
    for (const value of [1, 2, 3, 4, 5]) {
      const reply = await b.cache.answer(
        newKey(),
        requestOf(async () => answerOf(value)),
      );
      expect([reply.state, reply.entry.answer]).toEqual(['MISS', answerOf(value)]);
    }
    expect(b.level.counters.failures).toBeGreaterThan(0);
    expect(b.level.counters.skipped).toBeGreaterThan(0);
    expect(b.warnings[0]).toBe('The shared cache failed; the request goes on without it');

    const restarted = await startFirestoreEmulator(emulator.port);
    try {
      await untilShared(a, b);
      expect([...a.warnings, ...b.warnings]).toContain('The shared cache answers again');
    } finally {
      await restarted.stop();
    }
  });

  it('an instance that starts then answers too', async () => {
    const { cache, level } = await instance('127.0.0.1:9');
    const reply = await cache.answer(
      newKey(),
      requestOf(async () => answerOf(1)),
    );
    expect([reply.state, reply.entry.answer]).toEqual(['MISS', answerOf(1)]);
    expect(level.counters.failures).toBe(1);
  });
});

describe('on a bad way to Firestore', () => {
  let proxy: TcpProxy;
  beforeAll(async () => {
    proxy = await startTcpProxy(host);
  });
  afterAll(() => proxy.close());
  afterEach(() => {
    proxy.delayMs = 0;
  });

  it.each([
    ['slow', 2000],
    ['deaf', Number.POSITIVE_INFINITY],
  ])('that is %s, answers are computed after a bounded wait, then without one', async (_, delayMs) => {
    const [a, b] = [await instance(proxy.host), await instance()];
    await untilShared(a, b);
    proxy.delayMs = delayMs;
    for (let count = 0; count < 5; count += 1) {
      const reply = await a.cache.answer(
        newKey(),
        requestOf(async () => answerOf(count)),
      );
      expect([reply.state, reply.entry.answer]).toEqual(['MISS', answerOf(count)]);
    }
    expect(a.level.counters.failures).toBeGreaterThanOrEqual(3);
    expect(a.level.counters.skipped).toBeGreaterThan(0);
    proxy.delayMs = 0;
    proxy.cut();
    await untilShared(a, b);
  });

  it('that is cut again and again, answers stay right', async () => {
    const [a, b] = [await instance(proxy.host), await instance(proxy.host)];
    const keys = Array.from({ length: 30 }, newKey);
    const cutting = setInterval(() => proxy.cut(), 15);
    try {
      for (const key of keys) {
        const request = requestOf(async () => answerOf(key));
        expect((await a.cache.answer(key, request)).entry.answer).toEqual(answerOf(key));
        expect((await b.cache.answer(key, request)).entry.answer).toEqual(answerOf(key));
      }
    } finally {
      clearInterval(cutting);
    }
    await untilShared(a, b);
  });
});

describe('a process that is killed while it writes', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  it.each([[200_000], [1_200_000], [2_200_000]])(
    'after %i bytes leaves the answer that was there before, whole',
    async (killAfterBytes) => {
      const key = newKey();
      const before = largeAnswer(2_500_000);
      const reader = await instance();
      await reader.cache.answer(
        key,
        requestOf(async () => before),
      );
      await reader.cache.settle();

      const proxy = await startTcpProxy(host);
      const child = fork('test/emulators/cache/support/writing-process.ts', [proxy.host, key], {
        execArgv: [],
      });
      children.push(child);
      let uploaded = 0;
      proxy.onUpload = (bytes) => {
        uploaded += bytes;
        if (uploaded < killAfterBytes) return;
        proxy.delayMs = Number.POSITIVE_INFINITY;
        child.kill('SIGKILL');
      };
      await once(child, 'exit');
      await proxy.close();

      const other = await instance();
      const found = await other.cache.get(key, 900);
      expect(found?.entry.answer).toEqual(before);
      expect(other.warnings).toEqual([]);
    },
  );

  it('at any moment leaves a whole answer', async () => {
    const key = newKey();
    for (const afterMs of [5, 20, 45, 80, 120]) {
      const child = fork('test/emulators/cache/support/writing-process.ts', [host, key], { execArgv: [] });
      children.push(child);
      await once(child, 'message');
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      child.kill('SIGKILL');
      await once(child, 'exit');
      const other = await instance();
      const found = await other.cache.get(key, 900);
      const rows = found?.entry.answer.rows.length ?? 300;
      expect([rows, other.warnings]).toEqual([300, []]);
    }
  });
});

describe('clocks and documents that are wrong', () => {
  it.each([
    ['two minutes ahead', 120_000],
    ['two minutes behind', -120_000],
    ['a day behind', -86_400_000],
  ])('do not make an answer younger: an instance %s', async (_, offsetMs) => {
    const key = newKey();
    const [writer, reader] = [await instance(host, offsetMs), await instance(host, -offsetMs)];
    await writer.cache.answer(
      key,
      requestOf(async () => answerOf(1)),
    );
    const { database } = await firestoreConnection({
      googleProject: 'cache-tests',
      database: '(default)',
    }).open();
    const document = database.collection(CACHE_COLLECTION).doc(key);
    const { computedAtMs } = (await document.get()).data() ?? {};

    await document.update({ computedAtMs: computedAtMs - 600_000 });
    const hit = await reader.cache.get(key, 900);
    expect(hit?.ageSeconds).toBeGreaterThanOrEqual(600);
    expect(hit?.ageSeconds).toBeLessThan(700);

    await document.update({ computedAtMs: computedAtMs - 900_000 });
    const late = await instance(host, -offsetMs);
    expect(await late.cache.get(key, 900)).toBeNull();
    const anew = await late.cache.answer(
      key,
      requestOf(async () => answerOf(2)),
    );
    expect([anew.state, anew.entry.answer]).toEqual(['MISS', answerOf(2)]);
    await database.terminate();
  });

  it.each<[string, (data: Record<string, unknown>) => Record<string, unknown>]>([
    ['cut short', ({ data }) => ({ data: (data as Buffer).subarray(0, 30) })],
    ['of another key', () => ({ data: Buffer.from('LQEA\u0002 not this one') })],
    ['of text', () => ({ data: 'rows' })],
    ['from the future', ({ computedAtMs }) => ({ computedAtMs: Number(computedAtMs) + 120_000 })],
  ])('are computed again, and repaired: a document %s', async (_, damage) => {
    const key = newKey();
    const first = await instance();
    await first.cache.answer(
      key,
      requestOf(async () => answerOf('first')),
    );
    const connection = firestoreConnection({ googleProject: 'cache-tests', database: '(default)' });
    const document = (await connection.open()).database.collection(CACHE_COLLECTION).doc(key);
    await document.update(damage((await document.get()).data() ?? {}));
    await connection.close();

    const anew = await (await instance()).cache.answer(
      key,
      requestOf(async () => answerOf('second')),
    );
    expect([anew.state, anew.entry.answer]).toEqual(['MISS', answerOf('second')]);
    const next = await (await instance()).cache.answer(
      key,
      requestOf(async () => answerOf('third')),
    );
    expect([next.state, next.entry.answer]).toEqual(['HIT', answerOf('second')]);
  });

  it('of which none fits keep an answer in the process alone', async () => {
    const key = newKey();
    const [a, b] = [await instance(), await instance()];
    const large = largeAnswer(6_000_000);
    await a.cache.answer(
      key,
      requestOf(async () => large),
    );
    await a.cache.settle();
    expect(a.warnings).toEqual([
      'An answer is kept in this process alone: it is too large for the shared cache',
    ]);
    expect(await b.cache.get(key, 900)).toBeNull();
    expect(a.level.counters.failures).toBe(0);
  });
});
