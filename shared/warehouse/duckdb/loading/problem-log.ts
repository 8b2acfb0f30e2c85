import { ConfigurationError } from '../../../errors/configuration-error.ts';
import type { EntryInput } from './entry-input.ts';
import type { SkippedFile } from './load-report.ts';
import type { EntryProblem } from './malformed-entry.ts';

/** What happens to malformed entries. */
export interface ProblemLog {
  /** Counts the entry; throws a ConfigurationError of one line (file, place, field, reason) unless they are skipped. */
  refuse(input: EntryInput, position: number, problem: EntryProblem): void;
  files(): readonly SkippedFile[];
}

/** A log without problems. With `skipInvalid`, malformed entries are counted and left out. */
export function problemLog(skipInvalid: boolean): ProblemLog {
  const files = new Map<string, SkippedFile>();
  return {
    refuse: (input, position, { path, reason }) => {
      const field = path === '' ? '' : `${path}: `;
      const problem = `${input.name}, ${input.unit} ${position}: ${field}${reason}`;
      if (!skipInvalid) throw new ConfigurationError(problem);
      const { skipped, first } = files.get(input.name) ?? { skipped: 0, first: problem };
      files.set(input.name, { file: input.name, skipped: skipped + 1, first });
    },
    files: () => [...files.values()],
  };
}
