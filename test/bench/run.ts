import { cpus, loadavg } from 'node:os';
import { ConfigurationError } from '../../shared/errors/configuration-error.ts';
import { CLICKHOUSE } from './clickhouse.ts';
import { COLD_START } from './cold-start.ts';
import { ENDPOINTS } from './endpoints.ts';
import { FAIRNESS } from './fairness.ts';
import { INGEST } from './ingest.ts';
import { LOAD } from './load.ts';
import { LOG_EXPLORER } from './log-explorer.ts';
import { LQL } from './lql.ts';
import { MEMORY } from './memory.ts';
import { parseOptions } from './options.ts';
import { REPEATED } from './repeated.ts';
import { type Measured, tables } from './report.ts';
import { SANDBOX } from './sandbox.ts';

const BENCHMARKS = [
  ENDPOINTS,
  LOG_EXPLORER,
  SANDBOX,
  LQL,
  LOAD,
  MEMORY,
  FAIRNESS,
  COLD_START,
  REPEATED,
  INGEST,
  CLICKHOUSE,
];

async function main(argv: readonly string[]): Promise<number> {
  const options = parseOptions(
    argv,
    BENCHMARKS.map(({ name }) => name),
  );
  if (typeof options === 'string') {
    process.stdout.write(options);
    return 2;
  }
  const lines: Measured[] = [];
  const say = (line: string) => process.stderr.write(`${line}\n`);
  for (const benchmark of BENCHMARKS) {
    if (options.only !== null && options.only !== benchmark.name) continue;
    lines.push(...(await benchmark.run({ entries: options.entries, budgetMs: options.budgetMs, say })));
  }
  process.stdout.write(`\n${tables(lines)}\n${machine()}\n`);
  return 0;
}

/** What the figures depend on. */
function machine(): string {
  const [oneMinute = 0] = loadavg();
  const model = cpus()[0]?.model ?? 'unknown';
  return `${cpus().length} CPUs (${model}), load ${oneMinute.toFixed(1)}, Node ${process.version}`;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // Such as a database that another run of the benchmarks has open.
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
