import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CostModel } from '../../cli/cost/model.ts';
import type { LimitName } from './limits.ts';
import { loadOf } from './load.ts';
import { QueryQueue } from './query-queue.ts';
import { exceeded } from './report.ts';
import { docsSize, runSizes } from './run-scale.ts';
import { type Limits, simulate } from './simulate.ts';
import { WaitingLine } from './waiting-line.ts';

let model: CostModel;
let limits: Limits;
beforeAll(async () => {
  ({ model, limits } = await docsSize());
});

const run = (multiple: number, changed: Partial<Record<LimitName, number>> = {}, seed = 1) => {
  const moved = Object.fromEntries(
    Object.entries(limits).map(([name, limit]) => [
      name,
      { ...limit, value: changed[name as LimitName] ?? limit.value },
    ]),
  ) as Limits;
  return simulate(loadOf(model, multiple), moved, model.deployment, seed);
};
const BOUNDLESS = 1e15;
const lost = ({ refused }: ReturnType<typeof run>) =>
  [...refused.values()].reduce((sum, count) => sum + count, 0);

describe('a simulated size', () => {
  test('is the same with the same seed, and another with another', () => {
    expect(run(10)).toEqual(run(10));
    expect(run(10, {}, 2)).not.toEqual(run(10));
  });

  test('of one is answered, and nothing gives way', () => {
    const outcome = run(1);
    expect([exceeded(outcome), lost(outcome)]).toEqual([[], 0]);
    expect(outcome.calls).toBeGreaterThan(1000);
  });

  test('without limits is answered whole', () => {
    const boundless = Object.fromEntries(Object.keys(limits).map((name) => [name, BOUNDLESS]));
    expect(lost(run(100, boundless))).toBe(0);
  });

  test.each<[LimitName, number, number?]>([
    ['address', 1],
    ['tokenTurns', 0],
    // One instance has room for eighty.
    ['logsInstances', 1, 100],
    ['apiRequests', 1],
    ['queuedQueries', 0],
    ['consumerCap', 1],
  ])('refuses calls for %s alone where only that is small', (name, value, multiple = 2) => {
    const rest = Object.fromEntries(Object.keys(limits).map((other) => [other, BOUNDLESS]));
    const small = name === 'queuedQueries' ? { [name]: value, runningQueries: 1 } : { [name]: value };
    const { refused } = run(multiple, { ...rest, ...small });
    expect([...refused.keys()]).toEqual([name]);
    expect(refused.get(name)).toBeGreaterThan(0);
  });

  test('never refuses more calls than there are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 1000 }), (multiple, seed) => {
        const outcome = run(multiple, {}, seed);
        expect(lost(outcome)).toBeLessThanOrEqual(outcome.calls);
      }),
      { numRuns: 10 },
    );
  });

  test('ends with nothing that gives way once all that did was moved', () => {
    const [sized] = runSizes(model, limits, 1, [20]);
    const names = sized!.steps.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['consumerCap', 'warmBytes']));
    const moved = Object.fromEntries(sized!.steps.map(({ name, value }) => [name, value]));
    expect(exceeded(run(20, moved))).toEqual([]);
  });
});

describe('those who wait', () => {
  test('go in the order in which they came, and leave when they have waited too long', () => {
    const line = new WaitingLine(3);
    line.add(0, 2);
    line.add(1, 5);
    expect(line.take(3)).toBe(3);
    expect([line.expire(2), line.length]).toEqual([0, 4]);
    expect([line.expire(4), line.length]).toEqual([4, 0]);
  });
});

describe('queries on BigQuery', () => {
  const bounds = { deadlineSeconds: 50, slots: 10, slotBytes: 1 };
  const batch = (count: number, seconds = 1, bytes = 0) => [{ of: 'logs', count, seconds, bytes }];

  test('run up to their number, wait up to another, and are refused beyond', () => {
    const queue = new QueryQueue(2, 3);
    expect(queue.step(0, batch(7), bounds)).toMatchObject({ wanted: 7, queued: 3, refused: 2 });
    expect(queue.step(1, [], bounds)).toMatchObject({ queued: 1, refused: 0 });
    expect([queue.step(2, [], bounds).queued, queue.inFlight('logs')]).toEqual([0, 0]);
  });

  test('get on more slowly when they want more slots than there are', () => {
    const queue = new QueryQueue(10, 0);
    // Two queries of two seconds that want ten slots each: together they take four.
    for (let second = 0; second < 3; second += 1)
      queue.step(second, second === 0 ? batch(2, 2, 20) : [], bounds);
    expect(queue.inFlight('logs')).toBe(2);
    queue.step(3, [], bounds);
    expect(queue.inFlight('logs')).toBe(0);
  });

  test('are given up at their deadline', () => {
    const queue = new QueryQueue(1, 5);
    queue.step(0, batch(2, 100), bounds);
    expect(queue.step(50, [], bounds)).toMatchObject({ late: 2, queued: 0 });
  });
});
