import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Runner } from '../../../cli/commands/runners.ts';

/** How a command ended in this process, and all that it wrote. */
export interface EndedHere {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunHere {
  readonly env?: Readonly<Record<string, string>>;
  /** What its standard input holds. */
  readonly stdin?: string;
  /** Whether its standard output claims to be a terminal. */
  readonly isTerminal?: boolean;
}

/** Runs a command in this process: many rows of a table would take minutes as their own processes. */
export async function runHere(
  run: Runner,
  argv: readonly string[],
  { env = {}, stdin = '', isTerminal = false }: RunHere = {},
): Promise<EndedHere> {
  const written = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr', isTTY: boolean) => ({
    isTTY,
    columns: 80,
    write: (text: string, done?: () => void) => {
      written[name] += text;
      done?.();
      return true;
    },
  });
  // Commands listen to signals until their process ends.
  const signals = new EventEmitter();
  const changes = {
    on: signals.on.bind(signals),
    off: signals.off.bind(signals),
    env,
    stdin: new PassThrough().end(stdin),
    stdout: stream('stdout', isTerminal),
    stderr: stream('stderr', isTerminal),
    // What would end the tests; the command answers its code besides.
    exit: () => {},
  };
  const fake = Object.create(
    process,
    Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, { value }])),
  );
  return { code: await run(argv, fake), ...written };
}
