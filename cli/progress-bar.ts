import type { LoadProgress } from '../shared/warehouse/duckdb/loading/load-progress.ts';

/** The part of a terminal or another stream that is written to. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const CLEAR_LINE = '\r\u001b[2K';
const BAR_CELLS = 30;
const DEFAULT_COLUMNS = 80;

/**
 * Shows how the loading of logs goes on: a bar that is drawn over on a terminal, elsewhere nothing until a source
 * is done. A source that has entries leaves one line behind.
 */
export function progressBar(stream: ProgressStream): (progress: LoadProgress) => void {
  return (progress) => {
    const clear = stream.isTTY === true ? CLEAR_LINE : '';
    if (progress.phase !== 'done') {
      // One column less than there is: a full line makes some terminals scroll.
      const width = (stream.columns ?? DEFAULT_COLUMNS) - 1;
      if (stream.isTTY === true) stream.write(clear + describe(progress).slice(0, width));
      return;
    }
    const line = progress.rows === 0 ? '' : `${progress.source}: ${count(progress.rows)}\n`;
    if (clear + line !== '') stream.write(clear + line);
  };
}

function describe({ source, phase, bytesRead, totalBytes, rows }: LoadProgress): string {
  if (phase === 'sorting') return `${source}: sorting ${count(rows)} by time`;
  const share = totalBytes === 0 ? 1 : Math.min(1, bytesRead / totalBytes);
  const filled = Math.round(share * BAR_CELLS);
  const bar = '#'.repeat(filled) + '-'.repeat(BAR_CELLS - filled);
  return `${source}: [${bar}] ${String(Math.floor(share * 100)).padStart(3)} %, ${count(rows)}`;
}

function count(rows: number): string {
  return rows === 1 ? '1 entry' : `${rows.toLocaleString('en-US')} entries`;
}
