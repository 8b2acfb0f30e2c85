import { spawn } from 'node:child_process';
import { z } from 'zod';
import { builtGoCommand } from '../../support/built-go-command.ts';

const COMMAND = {
  name: 'promql',
  module: 'test/terraform/promql',
  package: '.',
  files: ['go.mod', 'go.sum', 'main.go'],
};

const answer = z.object({ minutes: z.array(z.array(z.number())) });

/** A time series with a value a minute, from minute 0 on; null is a minute without one. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly values: readonly (number | null)[];
}

/** For each query the minutes from `first` to `last` in which it has a result, as Prometheus's own engine finds it. */
export async function minutesWithResult(
  queries: readonly string[],
  series: readonly Series[],
  [first, last]: readonly [number, number],
): Promise<readonly (readonly number[])[]> {
  const binary = await builtGoCommand(COMMAND);
  const text = await piped(binary, JSON.stringify({ queries, first, last, series }));
  return answer.parse(JSON.parse(text)).minutes;
}

/** What a command writes for an input; rejects with its complaint where it fails. */
function piped(binary: string, input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, { stdio: 'pipe' });
    const written = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      written.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      written.stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(written.stdout) : reject(new Error(written.stderr))));
    child.stdin.end(input);
  });
}
