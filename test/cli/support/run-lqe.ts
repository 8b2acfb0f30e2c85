import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

/** How a process ended, and all that it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of the command line as a person starts it. */
export interface RunningLqe {
  /** Resolves to the first match in what it has written to standard output; rejects when it ends before. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** The same for standard error. */
  complained(pattern: RegExp): Promise<RegExpExecArray>;
  readonly stdout: string;
  readonly stderr: string;
  signal(name: NodeJS.Signals): void;
  readonly ended: Promise<Ended>;
}

/** Runs `lqe` with the flags of `npm start`. Of the environment it sees the path and what is given. */
export function runLqe(
  argv: readonly string[],
  { env = {}, cwd }: { readonly env?: Readonly<Record<string, string>>; readonly cwd: string },
): RunningLqe {
  const child = spawn(process.execPath, ['--max-http-header-size=65536', resolve('cli/lqe.ts'), ...argv], {
    cwd,
    env: { PATH: process.env.PATH, TZ: 'America/New_York', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
  return {
    printed: (pattern) => stdout.match(pattern, child),
    complained: (pattern) => stderr.match(pattern, child),
    get stdout() {
      return stdout.text;
    },
    get stderr() {
      return stderr.text;
    },
    signal: (name) => void child.kill(name),
    ended: once(child, 'close').then(([code, signal]) => ({
      code,
      signal,
      stdout: stdout.text,
      stderr: stderr.text,
    })),
  };
}

function gather(stream: NodeJS.ReadableStream) {
  const gathered = {
    text: '',
    match(pattern: RegExp, child: ChildProcess): Promise<RegExpExecArray> {
      return new Promise((resolveMatch, reject) => {
        const look = () => {
          const match = pattern.exec(gathered.text);
          if (match !== null) resolveMatch(match);
          return match !== null;
        };
        if (look()) return;
        stream.on('data', look);
        child.once('close', (code) => {
          if (!look()) reject(new Error(`ended with ${code} and without ${pattern}: ${gathered.text}`));
        });
      });
    },
  };
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    gathered.text += text;
  });
  return gathered;
}
