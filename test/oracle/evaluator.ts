import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Answer, Cell } from './answer.ts';
import { EVALUATOR_LIMITS } from './differences.ts';

/** Google's reference implementation of GoogleSQL, in a process of its own. */
export interface Evaluator {
  /** What the query answers; it never rejects. */
  run(sql: string): Promise<Answer>;
  close(): void;
}

const FOLDER = new URL('./evaluator/', import.meta.url);
/** A query that takes longer is not judged, and its process is started anew. */
const TIMEOUT_MS = 60_000;
/** What the evaluator answers where it, and not the query, is at fault. */
const UNJUDGED_CODES: readonly string[] = ['UNIMPLEMENTED', 'INTERNAL', 'RESOURCE_EXHAUSTED', 'UNKNOWN'];

interface Line {
  readonly id: number;
  readonly columns: readonly (readonly [string, string])[];
  readonly rows: readonly (readonly Cell[])[];
  readonly error?: string;
  readonly code?: string;
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Starts the evaluator, which needs Java 17 and `lib/`, and starts it again whenever a query brings it down. */
export function startEvaluator(): Evaluator {
  let child: Child | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  const waiting = new Map<number, (answer: Answer) => void>();
  let nextId = 0;

  const start = (): Child => {
    const lib = fileURLToPath(new URL('lib/', FOLDER));
    const program = fileURLToPath(new URL('ReferenceEvaluator.java', FOLDER));
    const started = spawn('java', ['-Xss64m', '-Xmx2g', '-cp', `${lib}*`, program], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    process.once('exit', () => started.kill('SIGKILL'));
    started.stdin.on('error', () => {});
    createInterface({ input: started.stdout, crlfDelay: Infinity }).on('line', (text) => {
      const line = JSON.parse(text) as Line;
      waiting.get(line.id)?.(toAnswer(line));
      waiting.delete(line.id);
    });
    started.once('exit', () => {
      if (child === started) child = null;
      for (const resolve of waiting.values())
        resolve({ kind: 'unjudged', message: 'the evaluator ended on this query' });
      waiting.clear();
    });
    return started;
  };

  const ask = (sql: string): Promise<Answer> =>
    new Promise((resolve) => {
      child ??= start();
      const asked = child;
      const id = nextId++;
      const timer = setTimeout(() => asked.kill('SIGKILL'), TIMEOUT_MS);
      waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      asked.stdin.write(`${JSON.stringify({ id, sql })}\n`);
    });

  return {
    run: (sql) => {
      const answer = turn.then(() => ask(sql));
      turn = answer;
      return answer;
    },
    close: () => {
      child?.kill('SIGKILL');
    },
  };
}

function toAnswer({ columns, rows, error, code = '' }: Line): Answer {
  if (error === undefined) {
    return { kind: 'rows', columns: columns.map(([name, type]) => ({ name, type })), rows };
  }
  const unjudged = UNJUDGED_CODES.includes(code) || EVALUATOR_LIMITS.test(error);
  return { kind: unjudged ? 'unjudged' : 'error', message: error };
}
