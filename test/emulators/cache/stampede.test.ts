import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, expect, it } from '@jest/globals';

const PROCESSES = 8;
const CALLERS_EACH = 6;
const QUERY_MS = 1000;
const SCRIPT = 'test/emulators/cache/support/stampede-process.ts';

interface Outcome {
  readonly queries: number;
  readonly rows: readonly string[];
  readonly warnings: readonly string[];
}

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

it('lets 48 callers of 8 cold instances who want one answer at once cost a handful of queries', async () => {
  const key = randomBytes(32).toString('hex');
  const args = [process.env.FIRESTORE_EMULATOR_HOST ?? '', key, String(CALLERS_EACH), String(QUERY_MS)];
  for (let count = 0; count < PROCESSES; count += 1) children.push(fork(SCRIPT, args, { execArgv: [] }));
  await Promise.all(children.map((child) => once(child, 'message')));
  const outcomes = children.map(async (child) => (await once(child, 'message'))[0] as Outcome);
  for (const child of children) child.send('go');
  const all = await Promise.all(outcomes);
  expect(all.flatMap(({ warnings }) => warnings)).toEqual([]);
  const queries = all.reduce((sum, outcome) => sum + outcome.queries, 0);
  const rows = all.flatMap((outcome) => outcome.rows);
  expect(rows).toHaveLength(PROCESSES * CALLERS_EACH);
  expect(queries).toBeGreaterThan(0);
  expect(queries).toBeLessThanOrEqual(3);
  expect(new Set(rows).size).toBeLessThanOrEqual(queries);
});
