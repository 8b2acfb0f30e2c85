import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../support/free-port.ts';
import type { BenchContext, Benchmark } from './benchmark.ts';
import { type Measured, milliseconds, ratio } from './report.ts';

/** Goal: from the start of the process to the first answer, as a part of what a function needs that does nothing. */
const COLD_RATIO = 1.1;
const ROUNDS = 15;
const FUNCTIONS = ['logs-all', 'usage-api-counts', 'warm'];
const BENCHMARK = 'Cold start, spawn to first answer';
const TOKEN = 'lqe_token-of-the-cold-start-benchmark';

/** The environment as Terraform makes it, apart from what was compiled. */
const DEPLOYED = {
  LQE_WAREHOUSE: 'bigquery',
  LQE_GOOGLE_PROJECT: 'some-project',
  LQE_BIGQUERY_DATASET: 'logs',
  LQE_CACHE: 'firestore',
  LQE_TOKEN_STORE: 'firestore',
  LQE_LOG_FORMAT: 'json',
  LQE_TOKEN: TOKEN,
  NODE_OPTIONS: '--max-http-header-size=65536',
};

/** The bundles as they are deployed and as they are without what was compiled for them, each against a bare function in the same framework. */
export const COLD_START: Benchmark = { name: 'cold-start', run };

async function run({ say }: BenchContext): Promise<readonly Measured[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lqe-cold-'));
  try {
    say('cold-start: building');
    const root = fileURLToPath(new URL('../../', import.meta.url));
    const exec = promisify(execFile);
    await exec(process.execPath, ['build/run.ts', folder], { cwd: root });
    const [first = ''] = FUNCTIONS;
    await exec('npm', ['ci', '--no-audit', '--no-fund'], { cwd: join(folder, first) });
    const packages = join(folder, first, 'node_modules');
    for (const name of FUNCTIONS.slice(1)) await symlink(packages, join(folder, name, 'node_modules'));
    for (const name of FUNCTIONS) await exec('npm', ['run', 'gcp-build'], { cwd: join(folder, name) });
    const bare = await makeBare(folder, packages);
    const lines: Measured[] = [];
    for (const name of FUNCTIONS) {
      say(`cold-start: ${name}`);
      lines.push(
        await compareStarts(name, join(folder, name), bare, (await stat(join(folder, `${name}.zip`))).size),
      );
    }
    return lines;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function makeBare(folder: string, packages: string): Promise<string> {
  const bare = join(folder, 'bare');
  await mkdir(bare);
  await symlink(packages, join(bare, 'node_modules'));
  await writeFile(join(bare, 'package.json'), '{"type":"module","main":"index.mjs"}');
  await writeFile(
    join(bare, 'index.mjs'),
    `import { http } from '@google-cloud/functions-framework';
     http('bare', (req, res) => res.end('{"result":[]}'));`,
  );
  return bare;
}

/** In turn, so that whatever else the machine does takes from all; medians. */
async function compareStarts(name: string, own: string, bare: string, bytes: number): Promise<Measured> {
  const starts = {
    own: () => firstAnswerMs(own, name, { ...DEPLOYED, NODE_COMPILE_CACHE: '.compile-cache' }),
    uncompiled: () => firstAnswerMs(own, name, DEPLOYED),
    bare: () => firstAnswerMs(bare, 'bare', {}),
  };
  const taken = { own: [] as number[], uncompiled: [] as number[], bare: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const which of ['own', 'uncompiled', 'bare'] as const) taken[which].push(await starts[which]());
  }
  const bareMs = median(taken.bare);
  const reached = median(taken.own) / bareMs;
  return {
    benchmark: BENCHMARK,
    what: name,
    entries: 0,
    figures: {
      archive: `${Math.round(bytes / 1024)} KiB`,
      own: milliseconds(median(taken.own)),
      uncompiled: milliseconds(median(taken.uncompiled)),
      bare: milliseconds(bareMs),
      ratio: ratio(reached),
      'uncompiled ratio': ratio(median(taken.uncompiled) / bareMs),
    },
    goal: { text: `≤ ${ratio(COLD_RATIO)}`, isMet: reached <= COLD_RATIO },
  };
}

/** The first answer is a refusal that needs the whole service: of a missing parameter, or of an unknown endpoint. */
async function firstAnswerMs(
  folder: string,
  target: string,
  environment: Readonly<Record<string, string>>,
): Promise<number> {
  const port = await freePort();
  const framework = join(folder, 'node_modules/@google-cloud/functions-framework/build/src/main.js');
  const began = performance.now();
  const child = spawn(process.execPath, [framework, `--target=${target}`, `--port=${port}`], {
    cwd: folder,
    stdio: 'ignore',
    env: { PATH: process.env.PATH, ...environment },
  });
  try {
    while (!(await isAnswered(port))) await new Promise((resolve) => setTimeout(resolve, 2));
    return performance.now() - began;
  } finally {
    child.kill('SIGKILL');
  }
}

function isAnswered(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { 'X-API-KEY': TOKEN, 'Content-Length': '0' };
    const outgoing = request({ port, host: '127.0.0.1', method: 'POST', headers }, (incoming) => {
      incoming.resume().on('end', () => resolve(true));
    });
    outgoing.on('error', () => resolve(false));
    outgoing.end();
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
