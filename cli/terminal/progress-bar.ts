import { nounFor } from '../../shared/errors/noun-for.ts';
import type { LoadProgress } from '../../shared/warehouse/duckdb/loading/load-progress.ts';
import { type StatusLine, type StatusStream, statusLine } from './status-line.ts';

const BAR_CELLS = 30;

/**
 * Shows how the loading of logs goes on: a bar that is drawn over on a terminal, elsewhere nothing until a source
 * is done. A source that has entries leaves one line behind.
 */
export function progressBar(
  stream: StatusStream,
  status: StatusLine = statusLine(stream),
): (progress: LoadProgress) => void {
  return (progress) => {
    if (progress.phase !== 'done') return status.show(describe(progress));
    status.clear();
    if (progress.rows > 0) stream.write(`${progress.source}: ${count(progress.rows)}\n`);
  };
}

function describe({ source, phase, bytesRead, totalBytes, rows }: LoadProgress): string {
  if (phase === 'making') return `Generating demo logs: ${source}`;
  if (phase === 'sorting') return `${source}: sorting ${count(rows)} by time`;
  const share = totalBytes === 0 ? 1 : Math.min(1, bytesRead / totalBytes);
  const filled = Math.round(share * BAR_CELLS);
  const bar = '#'.repeat(filled) + '-'.repeat(BAR_CELLS - filled);
  return `${source}: [${bar}] ${String(Math.floor(share * 100)).padStart(3)} %, ${count(rows)}`;
}

function count(rows: number): string {
  return `${rows.toLocaleString('en-US')} ${nounFor(rows, 'entry', 'entries')}`;
}
