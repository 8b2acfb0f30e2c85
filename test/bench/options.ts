import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** Sizes of edge_logs, ascending. */
  readonly entries: readonly number[];
  /** The one benchmark to run; null for all. */
  readonly only: string | null;
  /** How long each comparison may measure, in ms. */
  readonly budgetMs: number;
}

export const HELP = `npm run bench -- [--entries 10000,1000000,5000000] [--only NAME] [--seconds 4]

  --entries   sizes of the table of edge requests (5000000 takes some minutes the first time)
  --only      one benchmark: endpoints, log-explorer, sandbox, lql, load, memory, fairness, cold-start, repeated,
              ingest, clickhouse (chDB of PyPI)
  --seconds   how long each comparison measures
`;

/** The options of a run, or a complaint to print. */
export function parseOptions(argv: readonly string[], names: readonly string[]): BenchOptions | string {
  let values: { entries?: string; only?: string; seconds?: string; help?: boolean };
  try {
    ({ values } = parseArgs({
      args: [...argv],
      options: {
        entries: { type: 'string' },
        only: { type: 'string' },
        seconds: { type: 'string' },
        help: { type: 'boolean' },
      },
    }));
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n${HELP}`;
  }
  if (values.help) return HELP;
  const entries = (values.entries ?? '10000,1000000').split(',').map(Number);
  if (!entries.every((count) => Number.isInteger(count) && count >= 1000)) {
    return `--entries takes whole numbers from 1000 up, with commas between them\n${HELP}`;
  }
  if (values.only !== undefined && !names.includes(values.only)) {
    return `--only takes one of ${names.join(', ')}\n${HELP}`;
  }
  const seconds = Number(values.seconds ?? '4');
  if (!(seconds > 0 && seconds <= 600)) return `--seconds takes a number up to 600\n${HELP}`;
  return { entries: entries.toSorted((a, b) => a - b), only: values.only ?? null, budgetMs: seconds * 1000 };
}
