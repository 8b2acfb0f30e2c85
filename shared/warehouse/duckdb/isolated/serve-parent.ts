import { writeFileSync } from 'node:fs';

/** Linux ends the process with the highest score when memory runs out; 1000 is the highest there is. */
const OUT_OF_MEMORY_SCORE = '1000';

/**
 * Makes this process one that serves the process which started it over an IPC channel: it ends with that process and not
 * before, and goes first when the machine runs out of memory.
 */
export function serveParent(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', OUT_OF_MEMORY_SCORE);
  } catch {
    // Another operating system, or a container that does not allow it.
  }
  // A terminal sends Ctrl-C to this process too; the service decides when it ends.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  // Without the service nothing waits for an answer. A query may hold other threads, so that an orderly exit could hang.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}
