import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter } from 'node:path';

/** How a command ended, and all that it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that goes on until it is told to end. */
export interface Running {
  /** Resolves to the first match in its standard output; rejects when it ends before. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal and resolves to how it ended, once nothing that it has started writes any more. */
  end(
    name: NodeJS.Signals,
  ): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** Commands as a person enters them: with the machine's own Node, and nothing of what npm has set for the tests. */
export interface Shell {
  run(file: string, argv: readonly string[], cwd: string): Promise<Ended>;
  start(file: string, argv: readonly string[], cwd: string): Running;
}

/** `variables` are set besides PATH and HOME. */
export function makeShell(variables: Readonly<Record<string, string>>): Shell {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const { HOME } = process.env;
  const env = { PATH: path.join(delimiter), ...(HOME === undefined ? {} : { HOME }), ...variables };

  return {
    run: (file, argv, cwd) =>
      new Promise((resolve) => {
        const options = { cwd, env, maxBuffer: 64 * 1024 * 1024 };
        const child = execFile(file, argv, options, (_, stdout, stderr) =>
          resolve({ code: child.exitCode, stdout, stderr }),
        );
        child.stdin?.end();
      }),

    start: (file, argv, cwd) => {
      const child = spawn(file, argv, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
      const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      return {
        printed: (pattern) =>
          new Promise((resolve, reject) => {
            const look = () => {
              const match = pattern.exec(text);
              if (match !== null) resolve(match);
            };
            look();
            child.stdout.on('data', look);
            void ended.then(({ code }) =>
              reject(new Error(`ended with ${code}, without ${pattern}: ${text}`)),
            );
          }),
        end: (name) => {
          child.kill(name);
          return ended;
        },
      };
    },
  };
}
