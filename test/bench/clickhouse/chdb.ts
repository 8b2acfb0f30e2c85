import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Embedded ClickHouse, as PyPI has it. */
const PACKAGE = 'chdb==4.4.0';
const SCRIPT = fileURLToPath(new URL('./answer_queries.py', import.meta.url));

/** Embedded ClickHouse in a process of its own, which answers one query after the other. */
export interface ChDb {
  /** The rows as the lines of JSON that ClickHouse writes. */
  rows(sql: string): Promise<string>;
  /** Resolves when the process has ended. */
  close(): Promise<void>;
}

/** The Python that has chDB, installed into the folder on first use. Throws where there is no Python, or no package for it. */
export async function installChDb(folder: string): Promise<string> {
  const environment = join(folder, 'chdb-venv');
  const python = join(environment, 'bin', 'python');
  const done = await run(python, ['-c', 'import chdb']).then(
    () => true,
    () => false,
  );
  if (done) return python;
  if (!existsSync(python)) await run('python3', ['-m', 'venv', environment]);
  await run(python, ['-m', 'pip', 'install', '--quiet', PACKAGE]);
  return python;
}

/** Opens the database in the folder, which is made where there is none. */
export function openChDb(python: string, folder: string): ChDb {
  const child: ChildProcess = spawn(python, [SCRIPT, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  if (child.stdout === null || child.stdin === null) throw new TypeError('the process has no pipes');
  const { stdin } = child;
  const ended = new Promise((resolve) => child.once('close', resolve));
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    rows: async (sql) => {
      stdin.write(`${JSON.stringify({ sql })}\n`);
      const { value, done } = await answers.next();
      if (done === true) throw new Error('chDB has ended');
      const answer = JSON.parse(value) as { readonly rows?: string; readonly error?: string };
      if (answer.rows === undefined) throw new Error(`chDB: ${answer.error}`);
      return answer.rows;
    },
    close: async () => {
      stdin.end();
      await ended;
    },
  };
}
