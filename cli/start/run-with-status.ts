import { isHelpRequested } from '../arguments/parse-arguments.ts';
import { statusLine } from '../terminal/status-line.ts';

/** Runs `lqe start` with a sign of life on a terminal from the first moment: reading the code alone may take a second. */
export async function runStartWithStatus(argv: readonly string[], process: NodeJS.Process): Promise<number> {
  const status = statusLine(process.stderr);
  if (!isHelpRequested(argv)) status.show('Starting the service');
  try {
    const { runStart } = await import('../start.ts');
    return await runStart(argv, process, status);
  } finally {
    status.clear();
  }
}
