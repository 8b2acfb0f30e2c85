import { expect } from '@jest/globals';
import { TOKEN_COLLECTION } from '../../../shared/access/firestore/token-document.ts';
import { CACHE_COLLECTION } from '../../../shared/cache/firestore/firestore-cache-store.ts';
import { DEMAND_COLLECTION } from '../../../shared/warming/firestore/firestore-demand-log.ts';
import { type FakeAnswer, failed } from '../../shared/warehouse/bigquery/support/fake-bigquery.ts';
import type { Fault } from './faults.ts';
import { type Cloud, newProject } from './support/cloud.ts';
import {
  everyFaultIsTried,
  expectError,
  expectRight,
  fault,
  until,
  untilRight,
  untilShared,
} from './support/fault-tests.ts';

const UNKNOWN_TOKEN = 'a-token-that-nobody-has-issued';

everyFaultIsTried();

fault('Firestore is down when an instance starts', async (cloud) => {
  const [instance, other] = [
    await cloud.startInstance({ withoutFirestore: true }),
    await cloud.startInstance(),
  ];
  for (const token of [cloud.token, UNKNOWN_TOKEN])
    expectError(await instance.counts(newProject(), token), 503, 'UNAVAILABLE');
  expect((await instance.send('/healthz')).status).toBe(200);
  expect(instance.bigquery.calls).toEqual([]);

  instance.firestore.isDown = false;
  await untilRight(() => instance.counts(newProject(), cloud.token));
  await untilShared(other, instance);
});

fault('Firestore goes down later', async (cloud) => {
  const [instance, other] = [await cloud.startInstance(), await cloud.startInstance()];
  const kept = newProject();
  expectRight(await instance.counts(kept));
  expectRight(await instance.counts(kept, cloud.token));
  instance.firestore.isDown = true;
  instance.firestore.cut();

  expect(expectRight(await instance.counts(kept, cloud.token))).toBe('HIT');
  for (const project of [newProject(), newProject(), newProject(), newProject()])
    expect(expectRight(await instance.counts(project))).toBe('MISS');
  expectError(await instance.counts(kept, UNKNOWN_TOKEN), 503, 'UNAVAILABLE');
  expect(instance.log.join('\n')).toContain('The shared cache failed; the request goes on without it');

  instance.firestore.isDown = false;
  await untilShared(instance, other);
  await until(async () => (await instance.counts(kept, UNKNOWN_TOKEN)).status === 401);
  expect(instance.log.join('\n')).toContain('The shared cache answers again');
});

const slowFirestore = (name: Fault, delayMs: number, unknownToken: (code: number) => void) =>
  fault(name, async (cloud) => {
    const [instance, other] = [await cloud.startInstance(), await cloud.startInstance()];
    expectRight(await instance.counts(newProject()));
    instance.firestore.delayMs = delayMs;
    for (let count = 0; count < 5; count++)
      expect(expectRight(await instance.counts(newProject()))).toBe('MISS');
    unknownToken((await instance.counts(newProject(), UNKNOWN_TOKEN)).status);

    instance.firestore.delayMs = 0;
    instance.firestore.cut();
    await untilShared(instance, other);
  });

// An answer later than the five seconds that a token's check may take is none.
slowFirestore('Firestore is slow', 1500, (code) => expect([401, 503]).toContain(code));
slowFirestore('Firestore does not answer', Number.POSITIVE_INFINITY, (code) => expect(code).toBe(503));

fault('Connections to Firestore break again and again', async (cloud) => {
  const [instance, other] = [await cloud.startInstance(), await cloud.startInstance()];
  expectRight(await instance.counts(newProject()));
  const cutting = setInterval(() => instance.firestore.cut(), 40);
  try {
    for (let count = 0; count < 10; count++) expectRight(await instance.counts(newProject()));
  } finally {
    clearInterval(cutting);
  }
  await untilShared(instance, other);
});

/**
 * BigQuery fails: for a while, which callers do not notice where `passes`, then for good. Kept results are served all the
 * time, no failure is kept, and the next query is answered.
 */
const bigQueryFails = (
  name: Fault,
  answer: FakeAnswer,
  expected: {
    readonly code: number;
    readonly status: string;
    readonly passes?: true;
    readonly told?: RegExp;
    readonly deadlineMs?: number;
  },
) =>
  fault(name, async (cloud) => {
    const { deadlineMs } = expected;
    const [instance, other] = [
      await cloud.startInstance(deadlineMs === undefined ? {} : { deadlineMs }),
      await cloud.startInstance(),
    ];
    const { bigquery } = instance;
    const [kept, asked] = [newProject(), newProject()];
    expectRight(await instance.counts(kept));

    if (expected.passes) {
      let left = 2;
      bigquery.fault = (_, passOn) => (left-- > 0 ? answer : passOn());
      expect(expectRight(await instance.counts(newProject()))).toBe('MISS');
    }

    bigquery.fault = () => answer;
    for (let count = 0; count < 2; count++)
      expectError(await instance.counts(asked), expected.code, expected.status);
    const [hit, ready] = [await instance.counts(kept), await instance.send('/readyz')];
    expect(expectRight(hit)).toBe('HIT');
    expect(ready.status).toBe(503);
    if (expected.told !== undefined) expect(instance.log.join('\n')).toMatch(expected.told);

    bigquery.fault = null;
    expect(expectRight(await instance.counts(asked))).toBe('MISS');
    expectRight(await other.counts(asked));
    // The warehouse is asked once a second at most; the last failure may still hold.
    await until(async () => (await instance.send('/readyz')).status === 200);
  });

bigQueryFails('BigQuery answers 500', failed(500, 'backendError', 'Error in emulated-project, job 5'), {
  ...{ code: 503, status: 'UNAVAILABLE', passes: true, told: /backendError/ },
});
bigQueryFails(
  'BigQuery answers 503',
  { status: 503, text: '<html>Google</html>' },
  { code: 503, status: 'UNAVAILABLE', passes: true, told: /answered 503/ },
);
bigQueryFails(
  "BigQuery's quota is used up",
  failed(403, 'quotaExceeded', 'Quota exceeded: emulated-project'),
  { code: 429, status: 'RESOURCE_EXHAUSTED', told: /quotaExceeded/ },
);
bigQueryFails(
  'BigQuery refuses for want of a right',
  failed(403, 'accessDenied', 'Access Denied: Table emulated-project:logs.edge_logs'),
  { code: 502, status: 'UNAVAILABLE', told: /Access Denied/ },
);
bigQueryFails('BigQuery is slower than the deadline', 'hang', {
  ...{ code: 504, status: 'DEADLINE_EXCEEDED', deadlineMs: 8_000 },
});
bigQueryFails('A connection to BigQuery breaks in the middle of an answer', 'reset in the middle', {
  ...{ code: 503, status: 'UNAVAILABLE', passes: true, told: /did not answer, or not to the end/ },
});
bigQueryFails('BigQuery cannot be reached', 'reset', {
  ...{ code: 503, status: 'UNAVAILABLE', passes: true, told: /did not answer/ },
});

/** Asks for a project and answers the document that its result is kept in. */
async function documentOf(cloud: Cloud, ask: () => Promise<unknown>) {
  const collection = cloud.database.collection(CACHE_COLLECTION);
  const before = new Set((await collection.get()).docs.map(({ id }) => id));
  await ask();
  for (;;) {
    const found = (await collection.get()).docs.find(({ id }) => !before.has(id));
    if (found !== undefined) return found;
  }
}

fault('A cached document is malformed', async (cloud) => {
  const [first, second, third] = [
    await cloud.startInstance(),
    await cloud.startInstance(),
    await cloud.startInstance(),
  ];
  await untilShared(first, second);
  await untilShared(first, third);
  const damages: ((data: Record<string, unknown>) => object)[] = [
    ({ data }) => ({ data: (data as Buffer).subarray(0, 30) }),
    () => ({ data: Buffer.from('LQEA\u0002 not this one') }),
    () => ({ data: '{"result":[{"total_rest_requests":99}]}' }),
    ({ computedAtMs }) => ({ computedAtMs: Number(computedAtMs) + 120_000 }),
    () => ({ ttlSeconds: -1, chunks: 10 ** 9 }),
  ];
  for (const damage of damages) {
    const project = newProject();
    const document = await documentOf(cloud, async () => expectRight(await first.counts(project)));
    await document.ref.update(damage(document.data()));
    expect(expectRight(await second.counts(project))).toBe('MISS');
    await until(async () => (await document.ref.get()).updateTime?.isEqual(document.updateTime) === false);
    expectRight(await third.counts(project));
  }
  expect(second.log.join('\n')).toContain('A cached answer is not used');
});

fault("A token's document is malformed", async (cloud) => {
  const instance = await cloud.startInstance();
  const { token, digest } = await cloud.addToken('damaged');
  const document = cloud.database.collection(TOKEN_COLLECTION).doc(digest);
  const { limits } = (await document.get()).data() ?? {};
  await document.update({ limits: 'none at all' });

  expectError(await instance.counts(newProject(), token), 503, 'UNAVAILABLE');
  expectRight(await instance.counts(newProject(), cloud.token));
  expect(instance.log.join('\n')).toContain(`${TOKEN_COLLECTION}/${digest} is malformed`);

  await document.update({ limits });
  expectRight(await instance.counts(newProject(), token));
});

fault('The clocks of two instances are two minutes apart', async (cloud) => {
  const [ahead, behind] = [
    await cloud.startInstance({ wallOffsetMs: 60_000 }),
    await cloud.startInstance({ wallOffsetMs: -60_000 }),
  ];
  await untilShared(ahead, behind);
  await untilShared(behind, ahead);

  for (const [writer, reader] of [
    [ahead, behind],
    [behind, ahead],
  ] as const) {
    const [young, old] = [newProject(), newProject()];
    const aged = async (project: string, byMs: number) => {
      const document = await documentOf(cloud, () => writer.counts(project));
      await document.ref.update({ computedAtMs: (document.get('computedAtMs') as number) - byMs });
    };
    await aged(young, 840_000);
    const answer = await reader.counts(young);
    expect(expectRight(answer)).toBe('HIT');
    expect(Number(answer.headers.age)).toBeGreaterThanOrEqual(840);
    expect(Number(answer.headers.age)).toBeLessThanOrEqual(900);
    await aged(old, 900_000);
    expect(expectRight(await reader.counts(old))).toBe('MISS');
  }
});

fault('An instance is killed while it writes', async (cloud) => {
  const [writer, other] = [await cloud.startInstance(), await cloud.startInstance()];
  await untilShared(writer, other);
  const project = newProject();
  writer.bigquery.fault = async (_, passOn) => {
    const answer = await passOn();
    // What it writes from here on gets nowhere, as when it dies before the last byte.
    writer.firestore.delayMs = Number.POSITIVE_INFINITY;
    return answer;
  };
  expect(expectRight(await writer.counts(project))).toBe('MISS');
  await writer.kill();

  expect(expectRight(await other.counts(project))).toBe('MISS');
  await untilShared(other, await cloud.startInstance());
});

/** The set of usage.api-counts that was noted for a project. */
async function notedFor(cloud: Cloud, project: string): Promise<boolean> {
  const noted = await cloud.database
    .collection(DEMAND_COLLECTION)
    .where('parameters.project', '==', project)
    .get();
  return !noted.empty;
}

fault('Firestore is slow to note what is asked for', async (cloud) => {
  const [instance, other] = [await cloud.startInstance(), await cloud.startInstance()];
  expectRight(await instance.counts(newProject()));
  const [slow, deaf, after] = [newProject(), newProject(), newProject()];
  instance.firestore.delayMs = 150;
  expectRight(await instance.counts(slow));
  instance.firestore.delayMs = Number.POSITIVE_INFINITY;
  expectRight(await instance.counts(deaf));

  instance.firestore.delayMs = 0;
  instance.firestore.cut();
  await until(() => notedFor(cloud, slow));
  expectRight(await other.counts(after));
  await until(() => notedFor(cloud, after));
});

fault('An instance stands still once its answer is given', async (cloud) => {
  const [instance, other] = [await cloud.startInstance(), await cloud.startInstance()];
  expectRight(await instance.counts(newProject()));
  // So long that a note needs more time than there is between its answer and the moment when the instance stands still.
  instance.firestore.delayMs = 5;
  // A note that takes longer than an answer waits for is lost, as on a busy machine some are.
  await until(async () => {
    const project = newProject();
    expectRight(await instance.counts(project));
    instance.freeze();
    const isNoted = await notedFor(cloud, project);
    if (!isNoted) instance.thaw();
    return isNoted;
  });
  expect((await other.warm()).json()).toMatchObject({ failed: 0, left: 0 });
});

fault('Firestore does not answer when a round of warming begins', async (cloud) => {
  const instance = await cloud.startInstance();
  expectRight(await instance.counts(newProject()));
  await until(async () => !(await cloud.database.collection(DEMAND_COLLECTION).get()).empty);
  instance.firestore.delayMs = Number.POSITIVE_INFINITY;
  expectError(await instance.warm(), 503, 'UNAVAILABLE');

  instance.firestore.delayMs = 0;
  instance.firestore.cut();
  await until(async () => (await instance.warm()).text === '{"refreshed":1,"skipped":0,"failed":0,"left":0}');
});

fault('Queries fail while results are warmed', async (cloud) => {
  const instance = await cloud.startInstance();
  const projects = [newProject(), newProject()];
  for (const project of projects) expectRight(await instance.counts(project));
  await until(
    async () => (await cloud.database.collection(DEMAND_COLLECTION).get()).size === projects.length,
  );

  let left = 1;
  instance.bigquery.fault = (_, passOn) =>
    left-- > 0 ? failed(403, 'quotaExceeded', 'Quota exceeded: emulated-project') : passOn();
  const report = await instance.warm();
  expect([report.status, report.json()]).toEqual([200, { refreshed: 1, skipped: 0, failed: 1, left: 0 }]);
  expect(instance.log.join('\n')).toContain('A result could not be warmed');
  for (const project of projects) expect(expectRight(await instance.counts(project))).toBe('HIT');

  instance.bigquery.fault = null;
  expect((await instance.warm()).json()).toEqual({ refreshed: 2, skipped: 0, failed: 0, left: 0 });
});
