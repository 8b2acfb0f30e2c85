import { cpus, loadavg } from 'node:os';
import { ENDPOINTS } from './endpoints.ts';
import { LOG_EXPLORER } from './log-explorer.ts';
import { parseOptions } from './options.ts';
import { type Measured, tables } from './report.ts';
import { SANDBOX } from './sandbox.ts';

const BENCHMARKS = [ENDPOINTS, LOG_EXPLORER, SANDBOX];

const options = parseOptions(
  process.argv.slice(2),
  BENCHMARKS.map(({ name }) => name),
);
if (typeof options === 'string') {
  process.stdout.write(options);
  process.exitCode = 2;
} else {
  const lines: Measured[] = [];
  const say = (line: string) => process.stderr.write(`${line}\n`);
  for (const benchmark of BENCHMARKS) {
    if (options.only !== null && options.only !== benchmark.name) continue;
    lines.push(...(await benchmark.run({ entries: options.entries, budgetMs: options.budgetMs, say })));
  }
  const [oneMinute = 0] = loadavg();
  const machine = `${cpus().length} CPUs (${cpus()[0]?.model ?? 'unknown'}), load ${oneMinute.toFixed(1)}, Node ${process.version}`;
  process.stdout.write(`\n${tables(lines)}\n${machine}\n`);
}
