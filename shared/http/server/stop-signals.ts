import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** What a shell makes of a signal that ended a process. */
const SIGNALLED = 128;

/**
 * Calls `stop` at the first SIGINT or SIGTERM; the second one, whichever it is, ends the process at once. Answers how to
 * take that back.
 */
export function onStopSignal(process: NodeJS.Process, stop: () => void): () => void {
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(SIGNALLED + (constants.signals[signal] ?? 0));
    isStopping = true;
    stop();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
}

/** The listeners of those signals that there are now, to distinguish them from later ones. */
export function stopListeners(process: NodeJS.Process): ReadonlySet<NodeJS.SignalsListener> {
  return new Set(SIGNALS.flatMap((signal) => process.listeners(signal)));
}

/** Removes the listeners of those signals that were added since; answers whether there were any. */
export function removeLaterListeners(
  process: NodeJS.Process,
  known: ReadonlySet<NodeJS.SignalsListener>,
): boolean {
  let hasRemoved = false;
  for (const signal of SIGNALS) {
    for (const listener of process.listeners(signal)) {
      if (known.has(listener)) continue;
      process.off(signal, listener);
      hasRemoved = true;
    }
  }
  return hasRemoved;
}
