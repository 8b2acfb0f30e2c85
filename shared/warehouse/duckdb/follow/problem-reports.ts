import { nounFor } from '../../../errors/noun-for.ts';
import type { EntryProblem } from '../loading/malformed-entry.ts';

/** Names malformed lines to the operator: the first ones of each file in a minute, and how many there were besides. */
export interface ProblemReports {
  report(path: string, line: number, problem: EntryProblem): void;
  /** Ends the minute when it is over; with `isLast` in any case. */
  tick(isLast?: boolean): void;
}

const PERIOD_MS = 60_000;
const NAMED_LINES = 5;

/**
 * Reports to `warn`: of each file at most `NAMED_LINES` lines in a minute, and then the number of the others. `nowMs` is
 * a clock in milliseconds.
 */
export function problemReports(warn: (message: string) => void, nowMs: () => number): ProblemReports {
  const counts = new Map<string, number>();
  let begunMs = nowMs();
  return {
    report: (path, line, { path: field, reason }) => {
      if (counts.size === 0) begunMs = nowMs();
      const count = (counts.get(path) ?? 0) + 1;
      counts.set(path, count);
      const place = field === '' ? '' : `${field}: `;
      if (count <= NAMED_LINES) warn(`${path}, line ${line}: ${place}${reason}; the line was left out`);
    },
    tick: (isLast = false) => {
      if (!isLast && nowMs() - begunMs < PERIOD_MS) return;
      for (const [path, count] of counts) {
        const more = count - NAMED_LINES;
        if (more > 0)
          warn(`${path}: ${more} more malformed ${nounFor(more, 'line was', 'lines were')} left out`);
      }
      counts.clear();
      begunMs = nowMs();
    },
  };
}
