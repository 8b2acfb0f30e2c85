import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MUTATIONS, type Mutation } from './mutations.ts';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../../..');
/** What the simulation needs of the repository. */
const COPIED = [
  'package.json',
  'shared',
  'test/simulation',
  'test/shared/access/support',
  'test/shared/admission/support',
];
/** As many as a CI run lives through. */
const SEEDS = 2_000;

let copy: string;
beforeAll(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'simulation-'));
  for (const part of COPIED) {
    await mkdir(path.dirname(path.join(copy, part)), { recursive: true });
    await cp(path.join(ROOT, part), path.join(copy, part), { recursive: true });
  }
  await symlink(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
});
afterAll(() => rm(copy, { recursive: true, force: true }));

/** What the simulation says in the copy until the first seed fails, with how it ends. */
async function simulate(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly text: string }> {
  try {
    const { stdout } = await run(process.execPath, ['test/simulation/run.ts', ...args], { cwd: copy });
    return { code: 0, text: stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, text: stdout };
  }
}

async function broken<T>({ file, text, replacement }: Mutation, work: () => Promise<T>): Promise<T> {
  const place = path.join(copy, file);
  const source = await readFile(place, 'utf8');
  expect(source.split(text)).toHaveLength(2);
  await writeFile(
    place,
    source.replace(text, () => replacement),
  );
  try {
    return await work();
  } finally {
    await writeFile(place, source);
  }
}

describe('the simulation', () => {
  it.each(MUTATIONS.map((mutation) => [mutation.name, mutation] as const))(
    'finds code that %s, and replays it',
    async (_, mutation) => {
      const rule = mutation.rule;
      await broken(mutation, async () => {
        const { code, text } = await simulate('--seeds', String(SEEDS), '--rule', rule);
        const [, seed] = new RegExp(`^seed (\\d+): ${rule},`, 'm').exec(text) ?? [];
        expect([code, seed]).toEqual([1, expect.any(String)]);
        const replayed = await simulate('--seed', String(seed));
        expect(replayed.code).toBe(1);
        expect(replayed.text).toMatch(new RegExp(`VIOLATION +${rule}: `));
      });
    },
  );

  it('finds nothing in the code as it is, in the same way each time', async () => {
    const [one, other] = [await simulate('--seed', '7'), await simulate('--seed', '7')];
    expect(one).toEqual({ code: 0, text: expect.stringMatching(/starts[\s\S]*request 1/) });
    expect(other).toEqual(one);
  });
});
