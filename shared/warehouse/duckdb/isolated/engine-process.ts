import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { detachFromLoop } from './detach-from-loop.ts';
import { forkEngine } from './fork-engine.ts';
import type { Answer, OpenMessage, Order, Report, Usage } from './messages.ts';

/** How a query process is set up; its folder is made for each one in `temporaryParent`. */
export type EngineSettings = Omit<OpenMessage, 'kind'>;

/** How a query process ended. */
export interface EngineEnd {
  /** Whether it could run queries before. */
  readonly wasReady: boolean;
  /** Whether it probably took too much memory: it or the system ended it so. */
  readonly isOutOfMemory: boolean;
  /** In short, for the log. */
  readonly reason: string;
}

/** What the service receives from a query process. */
export interface EngineEvents {
  /** What it has taken so far; comes before the message that carries it. */
  readonly onUsage: (usage: Usage) => void;
  readonly onReady: () => void;
  readonly onAnswer: (answer: Answer) => void;
  /** Nothing comes after it. */
  readonly onEnd: (end: EngineEnd) => void;
}

/** A query process, seen from the service. */
export interface EngineProcess {
  readonly pid: number | undefined;
  send(order: Order): void;
  /** Ends it whatever it does; `onEnd` follows. */
  kill(): void;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
}

/** The process's module, which lies beside this one: a source beside a source, a bundle beside a bundle. */
const ENTRY = fileURLToPath(new URL(`./query-process${extname(import.meta.url)}`, import.meta.url));

/** A start that takes longer has failed, in ms. */
const START_LIMIT_MS = 60_000;

/** What is kept of standard error, in characters. */
const MAX_NOTES = 500;

/** Threads of libuv's pool: the query that runs holds one, another one closes results that are not read further. */
const POOL_THREADS = 3;

/** Starts a query process. It does not keep the service's process alive, and ends with it. */
export function startEngine(settings: EngineSettings, events: EngineEvents): EngineProcess {
  const child = forkEngine({
    entry: ENTRY,
    temporaryParent: settings.temporaryParent,
    stderr: 'pipe',
    env: { UV_THREADPOOL_SIZE: String(POOL_THREADS) },
  });
  const ended = Promise.withResolvers<void>();
  let isReady = false;
  let hasEnded = false;
  let notes = '';
  let folder: string | null = null;
  const send = (order: Order) => {
    // What cannot be sent is lost with the process, and its end is reported.
    if (child.connected) child.send(order, () => {});
  };
  const kill = () => {
    child.kill('SIGKILL');
  };
  const startTimer = setTimeout(kill, START_LIMIT_MS);
  const end = (signal: NodeJS.Signals | null, reason: string) => {
    if (hasEnded) return;
    hasEnded = true;
    clearTimeout(startTimer);
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    const isOutOfMemory = signal === 'SIGKILL' || signal === 'SIGABRT';
    events.onEnd({ wasReady: isReady, isOutOfMemory, reason: `${reason} ${notes}`.trim() });
    ended.resolve();
  };
  child.on('message', (report: Report) => {
    if (hasEnded) return;
    events.onUsage(report.usage);
    if (report.kind === 'usage') return;
    if (report.kind !== 'ready') return events.onAnswer(report);
    clearTimeout(startTimer);
    isReady = true;
    events.onReady();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    notes = `${notes}${chunk}`.slice(0, MAX_NOTES);
  });
  child.on('error', (error) => {
    if (child.pid === undefined) end(null, error.message);
  });
  child.on('close', (code, signal) => end(signal, `ended by ${signal ?? `exit code ${code}`}.`));
  detachFromLoop(child);

  void mkdtemp(join(settings.temporaryParent, 'queries-')).then(
    (temporaryParent) => {
      folder = temporaryParent;
      send({ kind: 'open', ...settings, temporaryParent });
    },
    (error: Error) => {
      notes = error.message;
      kill();
    },
  );
  return {
    pid: child.pid,
    send,
    kill: () => {
      child.ref();
      kill();
    },
    ended: ended.promise,
  };
}
