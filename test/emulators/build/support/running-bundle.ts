import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../support/free-port.ts';
import { EMULATED_PROJECT } from '../../support/bigquery-emulator.ts';

const run = promisify(execFile);

/** The token of the functions that are started here. */
export const BUNDLE_TOKEN = 'token-of-the-bundles-in-the-tests';

/** A function's process, and where it listens. */
export interface RunningBundle {
  /** Without a slash at its end. */
  readonly url: string;
  readonly log: () => string;
  stop(): Promise<void>;
}

export interface BundleOptions {
  /** Where the functions were built. */
  readonly built: string;
  /** A folder that does not exist yet, outside the repository. */
  readonly folder: string;
  /** The dataset of the logs in the emulator. */
  readonly dataset: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Builds all functions into a folder. */
export async function buildBundles(folder: string): Promise<void> {
  await run(process.execPath, ['build/run.ts', folder]);
}

/**
 * Installs a function as the platform does, without any `node_modules` that it may have, and starts it against the
 * emulators, which have to run. Answers what the platform's step of the build printed, too.
 */
export async function startBundle(
  name: string,
  { built, folder, dataset, env = {} }: BundleOptions,
): Promise<RunningBundle & { readonly compiled: string }> {
  await cp(join(built, name), folder, {
    recursive: true,
    filter: (path) => !path.slice(built.length).includes('node_modules'),
  });
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
  const { stdout: compiled } = await run('npm', ['run', 'gcp-build'], { cwd: folder });
  const port = await freePort();
  const framework = join(folder, 'node_modules/@google-cloud/functions-framework/build/src/main.js');
  const child = spawn(process.execPath, [framework, `--target=${name}`, `--port=${port}`], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      FIRESTORE_EMULATOR_HOST: process.env.FIRESTORE_EMULATOR_HOST,
      BIGQUERY_EMULATOR_HOST: process.env.BIGQUERY_EMULATOR_HOST,
      METADATA_SERVER_DETECTION: 'none',
      NODE_COMPILE_CACHE: '.compile-cache',
      LQE_WAREHOUSE: 'bigquery',
      LQE_GOOGLE_PROJECT: EMULATED_PROJECT,
      LQE_BIGQUERY_DATASET: dataset,
      LQE_CACHE: 'firestore',
      LQE_TOKEN_STORE: 'firestore',
      LQE_FIRESTORE_DATABASE: '(default)',
      LQE_TOKEN: BUNDLE_TOKEN,
      ...env,
    },
  });
  const written: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => written.push(String(data)));
  const log = () => written.join('');
  await listening(child, log);
  const stop = async () => {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
    child.kill('SIGKILL');
    await ended;
  };
  return { url: `http://localhost:${port}`, log, stop, compiled };
}

/** Resolves when the framework says where it listens; rejects when its process ends before. */
function listening(child: ChildProcess, log: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      if (log().includes('URL:')) resolve();
    });
    child.once('close', (code) => reject(new Error(`ended with code ${code}: ${log()}`)));
  });
}
