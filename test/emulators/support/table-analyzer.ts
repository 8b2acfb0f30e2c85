import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { builtGoCommand } from '../../support/built-go-command.ts';

/** The analyzer of the BigQuery emulator, Google's own, for the tables that queries read. */
export interface TableAnalyzer {
  /** Takes a CREATE TABLE or CREATE VIEW. Throws what the analyzer says against it. */
  define(statement: string): Promise<void>;
  /** The whole names of the tables that a query reads, those beneath views in their place; or why it is none. */
  tablesOf(
    query: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<{ readonly tables: readonly string[] } | { readonly error: string }>;
  stop(): Promise<void>;
}

const COMMAND = {
  name: 'table-analyzer',
  module: 'test/emulators',
  package: './table-analyzer',
  files: ['go.mod', 'go.sum', 'table-analyzer/main.go'],
};

const answer = z.object({ tables: z.array(z.string()).default([]), error: z.string().optional() });

/** Starts it, in its own process, without tables. `project` is that of names that have none. */
export async function startTableAnalyzer(project: string): Promise<TableAnalyzer> {
  const binary = await builtGoCommand(COMMAND);
  const child = spawn(binary, [project], { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting: ((line: string) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(line));
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the table analyzer ended with code ${String(code)}`);
  });
  ended.catch(() => {});

  /** It answers lines in their order. */
  const ask = async (request: object) => {
    const line = new Promise<string>((resolve) => waiting.push(resolve));
    child.stdin.write(`${JSON.stringify(request)}\n`);
    return answer.parse(JSON.parse(await Promise.race([line, ended])));
  };

  return {
    async define(statement) {
      const { error } = await ask({ define: statement });
      if (error !== undefined) throw new Error(`${error} in ${statement.slice(0, 500)}`);
    },
    async tablesOf(query, parameters) {
      const { tables, error } = await ask({ query, parameters });
      return error === undefined ? { tables } : { error };
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
