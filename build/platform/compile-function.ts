import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

/*
 * Runs where the platform builds a function, after it has installed the packages (`gcp-build` in package.json):
 *   node bundle/compile-function.mjs <function>
 * It starts the function once and has it refuse a request, so that V8 keeps what it compiled for that in
 * `.compile-cache`, and then has it compile the pieces that are loaded later. Functions find the folder by
 * NODE_COMPILE_CACHE (https://nodejs.org/api/module.html#module-compile-cache). Without it they start slower and are
 * otherwise the same, so nothing here fails a build.
 */
const CACHE_FOLDER = '.compile-cache';
const FRAMEWORK = 'node_modules/@google-cloud/functions-framework/build/src/main.js';
const MOST_WAIT_MS = 60_000;
const TOKEN = 'token-of-a-function-that-is-being-built';

/** Settings under which a function refuses a request without asking anybody. */
const ENVIRONMENT = {
  LQE_WAREHOUSE: 'bigquery',
  LQE_GOOGLE_PROJECT: 'being-built',
  LQE_BIGQUERY_DATASET: 'logs',
  LQE_CACHE: 'firestore',
  LQE_TOKEN_STORE: 'firestore',
  LQE_TOKEN: TOKEN,
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [name = ''] = process.argv.slice(2);
try {
  await compileStart(name, AbortSignal.timeout(MOST_WAIT_MS));
  const pieces = await compilePieces();
  process.stdout.write(`Compiled ${name} and ${pieces} pieces of it into ${CACHE_FOLDER}\n`);
} catch (error) {
  process.stderr.write(`Warning: ${name} will start slower, since it could not be compiled: ${error}\n`);
}

async function compileStart(target: string, signal: AbortSignal): Promise<void> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(root, FRAMEWORK), `--target=${target}`, `--port=${port}`], {
    cwd: root,
    stdio: 'ignore',
    env: { ...ENVIRONMENT, NODE_COMPILE_CACHE: join(root, CACHE_FOLDER) },
  });
  const ended = once(child, 'exit');
  try {
    while ((await statusOf(port)) === null) {
      if (child.exitCode !== null) throw new Error(`it ended with code ${child.exitCode}`);
      await wait(50, undefined, { signal });
    }
  } finally {
    // Its code is written down as it ends.
    child.kill('SIGTERM');
    await ended;
  }
}

/** The code of an answer; null while nothing listens. */
function statusOf(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const headers = { 'X-API-KEY': TOKEN, 'Content-Length': '0' };
    const outgoing = request({ port, host: '127.0.0.1', method: 'POST', headers }, (incoming) => {
      incoming.resume().once('close', () => resolve(incoming.statusCode ?? 0));
    });
    outgoing.once('error', () => resolve(null));
    outgoing.end();
  });
}

async function compilePieces(): Promise<number> {
  enableCompileCache(join(root, CACHE_FOLDER));
  const folder = join(root, 'bundle/code');
  const pieces = (await readdir(folder)).filter((file) => file.endsWith('.mjs') && file !== 'index.mjs');
  for (const file of pieces) await import(pathToFileURL(join(folder, file)).href);
  flushCompileCache();
  return pieces.length;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
