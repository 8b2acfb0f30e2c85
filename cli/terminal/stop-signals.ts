/** SIGINT and SIGTERM as one command takes them. */
export interface StopSignals {
  /** Aborted by the first of them. */
  readonly signal: AbortSignal;
  /** The exit code that shells give a process which the signal ended, 130 or 143; null as long as none came. */
  exitCode(): number | null;
  /** From here on the command ends in its own time. */
  settle(): void;
  /** Leaves signals to the process again. */
  release(): void;
}

/** What the work may take to stop after a signal, in ms; then the process is ended by that signal. */
const GRACE_MS = 8_000;

/**
 * How long repetitions count as the same signal, in ms. Ctrl-C reaches every process of the terminal, and npm and the
 * launcher pass theirs on to the command, which so sees one key press up to three times.
 */
const SAME_SIGNAL_MS = 500;

const CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Takes SIGINT and SIGTERM. The work under way is asked to stop; where it has not "settled" in time, be it that a file
 * system or the engine does not answer, the signal ends the process as if nothing had taken it. A second signal that
 * is not the first one's repetition does that at once.
 */
export function takeStopSignals(
  process: NodeJS.Process,
  graceMs: number = GRACE_MS,
  repeatedMs: number = SAME_SIGNAL_MS,
): StopSignals {
  const stop = new AbortController();
  let received: keyof typeof CODES | null = null;
  let isRepetition = true;
  let overdue: NodeJS.Timeout | undefined;
  let isSettled = false;

  const handlers = { SIGINT: () => onSignal('SIGINT'), SIGTERM: () => onSignal('SIGTERM') };
  /** At its end Node takes its handlers down first, and a repetition of the signal would then end the process. */
  const exitWithHandlers = () => process.exit();
  const release = () => {
    clearTimeout(overdue);
    process.off('SIGINT', handlers.SIGINT).off('SIGTERM', handlers.SIGTERM).off('exit', exitWithHandlers);
  };

  function onSignal(name: keyof typeof CODES): void {
    if (received !== null) {
      if (!isRepetition) end(name);
      return;
    }
    received = name;
    process.on('exit', exitWithHandlers);
    // Only after the signals that came while the process was busy with something else.
    setTimeout(() => setImmediate(() => (isRepetition = false)), repeatedMs).unref();
    if (!isSettled) overdue = setTimeout(() => end(name), graceMs).unref();
    stop.abort();
  }

  /** Not by `exit`, which waits for threads that are in the middle of a call. */
  function end(name: keyof typeof CODES): void {
    release();
    process.kill(process.pid, process.listenerCount(name) === 0 ? name : 'SIGKILL');
  }

  process.on('SIGINT', handlers.SIGINT).on('SIGTERM', handlers.SIGTERM);
  return {
    signal: stop.signal,
    exitCode: () => (received === null ? null : CODES[received]),
    settle: () => {
      isSettled = true;
      clearTimeout(overdue);
    },
    release,
  };
}
