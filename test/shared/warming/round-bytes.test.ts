import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { makeRoundBytes } from '../../../shared/warming/round-bytes.ts';

const MAX_BYTES = 100;

/** A query: what it is estimated to bill, the part of that which it does, and how long it and its estimate take. */
const query = fc.record({
  estimate: fc.oneof(fc.integer({ min: 0, max: 130 }), fc.constant(null)),
  part: fc.double({ min: 0, max: 1, noNaN: true }),
  estimateTurns: fc.integer({ min: 0, max: 5 }),
  queryTurns: fc.integer({ min: 0, max: 5 }),
  fails: fc.boolean(),
});
type Query = typeof query extends fc.Arbitrary<infer T> ? T : never;

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
};

/** Lives through a round; answers those that are left. */
async function runRound(line: readonly Query[], workers: number) {
  const bytes = makeRoundBytes(MAX_BYTES);
  const waiting = [...line];
  const served: Query[] = [];
  const left: Query[] = [];
  let underWay = 0;
  let billed = 0;
  let most = 0;
  const estimateOf = async ({ estimate, estimateTurns, fails }: Query) => {
    await turns(estimateTurns);
    if (fails) throw new Error('no estimate');
    return estimate;
  };
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const answer = await bytes.reserve(estimateOf(next)).catch(() => null);
      if (answer === null || answer.kind === 'never') {
        expect(answer === null ? next.fails : (next.estimate ?? 0) > MAX_BYTES).toBe(true);
        served.push(next);
      } else if (answer.kind === 'left') left.push(next);
      else {
        const mostBytes = answer.mostBytes ?? 0;
        underWay += mostBytes;
        most = Math.max(most, billed + underWay);
        await turns(next.queryTurns);
        underWay -= mostBytes;
        billed += mostBytes * next.part;
        answer.settle(mostBytes * next.part);
        served.push(next);
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return { served, left, most };
}

test('a round never has more billed and reserved than it may, and its first query always has room', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(query, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 6 }),
      async (all, workers) => {
        let line: readonly Query[] = all;
        for (let rounds = 0; line.length > 0; rounds += 1) {
          expect(rounds).toBeLessThan(all.length);
          const { served, left, most } = await runRound(line, workers);
          expect(most).toBeLessThanOrEqual(MAX_BYTES);
          expect(served).toContain(line[0]);
          expect(served.length + left.length).toBe(line.length);
          line = line.filter((one) => left.includes(one));
        }
      },
    ),
  ));

test('what comes later has no room that what came before waits for', async () => {
  const bytes = makeRoundBytes(MAX_BYTES);
  const first = await bytes.reserve(Promise.resolve(60));
  const order: string[] = [];
  const large = bytes.reserve(Promise.resolve(80)).then((answer) => void order.push(`large ${answer.kind}`));
  const small = bytes.reserve(Promise.resolve(10)).then((answer) => void order.push(`small ${answer.kind}`));
  await turns(50);
  expect(order).toEqual([]);
  if (first.kind === 'reserved') first.settle(5);
  await Promise.all([large, small]);
  expect(order).toEqual(['large reserved', 'small reserved']);
});
