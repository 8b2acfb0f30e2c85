import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ended, type RunningLqe, runLqe } from './run-lqe.ts';

/** A folder to start services in, which keeps count of them. */
export interface Starts {
  readonly folder: string;
  /** Runs `lqe start` in the folder. */
  start(argv: readonly string[], env?: Readonly<Record<string, string>>): RunningLqe;
  /** Writes files into a folder in it and answers its path. */
  folderOf(name: string, files: Readonly<Record<string, string>>): Promise<string>;
  /** Ends what still runs and removes the folder. */
  end(): Promise<void>;
}

export async function makeStarts(): Promise<Starts> {
  const folder = await mkdtemp(join(tmpdir(), 'start-'));
  const running = new Set<RunningLqe>();
  return {
    folder,
    start: (argv, env = {}) => {
      const process = runLqe(['start', ...argv], { env, cwd: folder });
      running.add(process);
      void process.ended.then(() => running.delete(process));
      return process;
    },
    folderOf: async (name, files) => {
      const path = join(folder, name);
      await mkdir(path, { recursive: true });
      for (const [file, text] of Object.entries(files)) await writeFile(join(path, file), text);
      return path;
    },
    end: async () => {
      for (const process of running) process.signal('SIGKILL');
      await Promise.all([...running].map(({ ended }) => ended));
      await rm(folder, { recursive: true });
    },
  };
}

/** Where a service listens, once it does and has told how to call it. */
export async function urlOf(process: RunningLqe): Promise<string> {
  const [, url = ''] = await process.printed(/^Listening on (\S+) /m);
  await process.printed(/^Ctrl-C/m);
  return url;
}

export async function stop(process: RunningLqe): Promise<Ended> {
  process.signal('SIGINT');
  return process.ended;
}

/** The text of a log file. */
export function lines(...entries: readonly object[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

/** A request to the REST API of the project `mine`, at noon of 2024-05-01. */
export function entry(id: string, more: object = {}): object {
  return {
    id,
    timestamp: '2024-05-01T12:00:00Z',
    project: 'mine',
    event_message: 'hello',
    metadata: { request: { path: '/rest/v1', url: 'https://mine.example/rest/v1' } },
    ...more,
  };
}
