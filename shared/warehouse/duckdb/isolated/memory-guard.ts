import { writeSync } from 'node:fs';

/** How often the process looks at its memory, in ms. */
const LOOK_EVERY_MS = 50;

/** The file descriptor of standard error. */
const STDERR = 2;

/** What the process says on standard error before it ends itself. */
const TOO_MUCH_MEMORY = 'resident memory above the limit';

/**
 * Ends this process, at once and without cleaning up, when it has more memory than `maxBytes`: nothing in it could
 * stop an expression that takes ever more.
 */
export function guardMemory(maxBytes: number): void {
  setInterval(() => {
    const bytes = process.memoryUsage.rss();
    if (bytes <= maxBytes) return;
    writeSync(STDERR, `${TOO_MUCH_MEMORY}: ${bytes} of ${maxBytes} bytes`);
    process.kill(process.pid, 'SIGKILL');
  }, LOOK_EVERY_MS);
}
