import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { mappedStack } from '../../../shared/runtime/mapped-stack.ts';

let folder: string;
let code: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mapped-stack-'));
  await mkdir(join(folder, 'shared'));
  await writeFile(
    join(folder, 'shared/fail.ts'),
    'export function fail(): never {\n\n  throw new Error("x");\n}\n',
  );
  await writeFile(join(folder, 'entry.ts'), "import { fail } from './shared/fail.ts';\nfail();\n");
  await build({
    entryPoints: [join(folder, 'entry.ts')],
    outfile: join(folder, 'bundle/code/index.mjs'),
    bundle: true,
    minify: true,
    sourcemap: true,
    format: 'esm',
  });
  code = `${pathToFileURL(join(folder, 'bundle/code')).href}/`;
});
afterAll(() => rm(folder, { recursive: true }));

/** Where the bundle throws: the column of `new Error` on its one line. */
async function thrownAt(): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  const [line = ''] = (await readFile(join(folder, 'bundle/code/index.mjs'), 'utf8')).split('\n');
  return `${code}index.mjs:1:${line.indexOf('new Error') + 1}`;
}

test('a place in bundled code is shown as the one in its source', async () => {
  const stack = `Error: x\n    at fail (${await thrownAt()})\n    at node:internal/modules:1:2`;
  expect(mappedStack(stack, code)).toBe(
    'Error: x\n    at fail (../../shared/fail.ts:3:9)\n    at node:internal/modules:1:2',
  );
});

test.each([
  ['another folder', () => thrownAt().then((place) => place.replace('/bundle/code/', '/bundle/'))],
  ['a module without a map', async () => `${code}other.mjs:1:1`],
  ['a place that is not in the map', async () => `${code}index.mjs:900:1`],
  ['a name that is no path', async () => `${code}%zz%00.mjs:1:1`],
])('%s stays as it is', async (_, place) => {
  const stack = `Error: x\n    at fail (${await place()})`;
  expect(mappedStack(stack, code)).toBe(stack);
});
