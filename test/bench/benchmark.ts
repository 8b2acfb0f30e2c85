import type { Measured } from './report.ts';

export interface BenchContext {
  /** The sizes of edge_logs to measure at. */
  readonly entries: readonly number[];
  /** How long each comparison may measure, in ms. */
  readonly budgetMs: number;
  /** Reports what is going on. */
  say(line: string): void;
}

export interface Benchmark {
  readonly name: string;
  run(context: BenchContext): Promise<readonly Measured[]>;
}
