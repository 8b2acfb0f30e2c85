import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rename } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Emulator, freePort, startProcess } from './emulator.ts';

/** The project that the emulator knows; datasets are made in it. */
export const EMULATED_PROJECT = 'emulated-project';

const MODULE = 'test/emulators';
const COMMAND = 'github.com/goccy/bigquery-emulator/cmd/bigquery-emulator';

/** The first build compiles Google's analyzer as WebAssembly translated to Go, which takes minutes. */
const BUILD_DEADLINE_MS = 30 * 60_000;

/** Starts the BigQuery emulator, empty, on a free port. The first start on a machine builds it. */
export async function startBigQueryEmulator(): Promise<Emulator> {
  const binary = await builtEmulator();
  const [port, grpcPort] = [await freePort(), await freePort()];
  const { stop } = await startProcess(
    binary,
    [`--project=${EMULATED_PROJECT}`, '--host=127.0.0.1', `--port=${port}`, `--grpc-port=${grpcPort}`],
    { ready: /REST server listening/, deadlineMs: 180_000 },
  );
  return { host: `127.0.0.1:${port}`, stop };
}

/** The path of the emulator, which is built once for each state of go.mod and go.sum. */
async function builtEmulator(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(await readFile(join(MODULE, file)));
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const folder = join(cache, 'log-query-endpoints', `bigquery-emulator-${hash.digest('hex').slice(0, 16)}`);
  const binary = join(folder, 'bigquery-emulator');
  const isBuilt = await access(binary).then(
    () => true,
    () => false,
  );
  if (isBuilt) return binary;
  await mkdir(folder, { recursive: true });
  const unfinished = `${binary}.${process.pid}`;
  const build = ['build', '-o', unfinished, COMMAND];
  await promisify(execFile)('go', build, { cwd: MODULE, timeout: BUILD_DEADLINE_MS, maxBuffer: 2 ** 26 });
  await rename(unfinished, binary);
  return binary;
}
