#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/*
 * Starts `lqe` on a Node that can run it. Plain JavaScript that Node 20 reads, because whoever calls `npx lqe` does so
 * with the Node of the machine; the right one comes with the package `node`.
 */

/** The oldest Node that runs the code, by major version. */
const NODE_MAJOR = 24;

/** What `npm start` gives to Node: long SQL in a URL fits. It cannot be set in a process that runs. */
const START_FLAGS = ['--max-http-header-size=65536'];

/** What a terminal, npm or a supervisor sends to the process that it has started, and means for `lqe`. */
const FORWARDED = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** How often a process that npm started looks whether npm's shell still lives, in ms. */
const PARENT_INTERVAL_MS = 1000;

const EXIT_WRONG = 2;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const sources = join(root, 'cli', 'lqe.ts');
/** Node strips no types below node_modules, so a package has a bundle in the place of the sources. */
const entry = existsSync(sources) ? sources : join(root, 'dist', 'cli', 'lqe.mjs');
const argv = process.argv.slice(2);

endWithShellOfNpm();
if (isRecent() && hasFlags()) await import(pathToFileURL(entry).href);
else run(isRecent() ? process.execPath : installedNode());

/**
 * npm starts commands through a shell and passes signals on to that; dash ends of them and leaves its child running.
 * A process without its shell takes that for the signal.
 */
function endWithShellOfNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const { ppid } = process;
  const timer = setInterval(() => {
    if (process.ppid === ppid) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_INTERVAL_MS);
  timer.unref();
}

function isRecent() {
  return Number(process.versions.node.split('.')[0]) >= NODE_MAJOR;
}

function hasFlags() {
  return argv[0] !== 'start' || START_FLAGS.every((flag) => process.execArgv.includes(flag));
}

/** The Node that npm installed beside this package; null where it did not. */
function installedNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json');
    const file = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(file) ? file : null;
  } catch {
    return null;
  }
}

/** @param {string | null} node */
function run(node) {
  if (node === null) {
    process.stderr.write(
      `lqe: Node ${NODE_MAJOR} is missing, and this is Node ${process.versions.node}. Run npm ci (or npm install) with ` +
        `install scripts allowed: it brings Node ${NODE_MAJOR}. Or start lqe with Node ${NODE_MAJOR}.\n`,
    );
    process.exitCode = EXIT_WRONG;
    return;
  }
  const child = spawn(node, [...START_FLAGS, entry, ...argv], { stdio: 'inherit' });
  const forward = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  child.once('error', (error) => {
    process.stderr.write(`lqe: ${node} cannot be started: ${error.message}\n`);
    process.exitCode = EXIT_WRONG;
  });
  child.once('close', (code, signal) => {
    // Not in Node's own time: it takes handlers down first, and a repeated signal would then end this process.
    if (signal === null) process.exit(code ?? 1);
    for (const name of FORWARDED) process.off(name, forward);
    process.kill(process.pid, signal);
  });
}
