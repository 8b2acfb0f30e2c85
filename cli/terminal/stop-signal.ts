import { systemClock } from '../../shared/concurrency/clock.ts';

/**
 * How long repetitions of a signal count as the same one, in ms. Ctrl-C reaches every process of the terminal, and npm
 * and the launcher pass theirs on to the command, which so sees one key press up to three times.
 */
const SAME_SIGNAL_MS = 500;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Aborts on SIGINT and SIGTERM, for a command that then ends by itself. One that comes later than the first one's
 * repetitions ends the process at once, as it would have without this. Holds until the process ends.
 */
export function stopSignal(process: NodeJS.Process, { monotonicMs } = systemClock): AbortSignal {
  const stop = new AbortController();
  let firstMs = Number.POSITIVE_INFINITY;
  const onSignal = (name: NodeJS.Signals) => {
    if (!stop.signal.aborted) {
      firstMs = monotonicMs();
      stop.abort();
    } else if (monotonicMs() - firstMs > SAME_SIGNAL_MS) {
      for (const one of SIGNALS) process.off(one, onSignal);
      process.kill(process.pid, name);
    }
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return stop.signal;
}
