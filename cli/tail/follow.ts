import { type Entry, inOrder } from './entry.ts';
import { readWindow, type WindowAnswer, type WindowRequest } from './read-window.ts';

/** How late the clock of a writer of entries may be against the service's before entries are missed, in µs. */
const MAX_BEHIND_MICROS = 3_600_000_000;

export interface FollowOptions {
  /** Fetches a window from the service; `nowMicros` is the service's own clock when it answered. Throws what `retryDelayMs` is asked about. */
  readonly fetchWindow: (request: WindowRequest) => Promise<WindowAnswer & { readonly nowMicros: number }>;
  /** Entries to begin with. */
  readonly lines: number;
  readonly intervalMs: number;
  /** How long after its time an entry may arrive. */
  readonly lateMs: number;
  /** How long to wait before trying again what failed so many times in a row; null to give up. */
  readonly retryDelayMs: (error: unknown, failures: number) => number | null;
  readonly emit: (entries: readonly Entry[]) => void;
  /** Called where more entries share one instant than an answer holds. */
  readonly onGap: (micros: number) => void;
  /** Resolves after so long, or earlier when the signal is aborted. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Emits the newest entries, then every new one once, until the signal is aborted. Each round asks for what is later
 * than the round before by less than `lateMs`, and leaves out what was emitted: so an entry that arrives late, or shares
 * its instant with others, is neither lost nor shown twice. Throws what `retryDelayMs` gives up on.
 */
export async function follow(options: FollowOptions): Promise<void> {
  const { fetchWindow, emit, onGap, signal } = options;
  const lateMicros = options.lateMs * 1000;
  const readAtMicros = new Map<string, number>();
  const time = { startMicros: 0, newestMicros: Number.NEGATIVE_INFINITY };

  /** Those that were not seen before, oldest first. */
  const take = (entries: readonly Entry[]): Entry[] => {
    const fresh = entries.filter(({ key }) => !readAtMicros.has(key));
    for (const { key, micros } of fresh) {
      readAtMicros.set(key, micros);
      time.newestMicros = Math.max(time.newestMicros, micros);
    }
    return fresh.sort(inOrder);
  };
  /** From where the next round asks: not from so far back that it would cost much. */
  const advance = (nowMicros: number): void => {
    const reached = Math.min(nowMicros, Math.max(time.newestMicros, nowMicros - MAX_BEHIND_MICROS));
    time.startMicros = Math.max(time.startMicros, reached - lateMicros);
    for (const [key, micros] of readAtMicros) if (micros <= time.startMicros) readAtMicros.delete(key);
  };

  /** What a round finds that was not seen before; null when the signal was aborted. */
  const round = async (): Promise<Entry[] | null> => {
    let nowMicros = Number.POSITIVE_INFINITY;
    const found = await retried(options, () =>
      readWindow(
        time.startMicros,
        async (request) => {
          const answer = await fetchWindow(request);
          nowMicros = Math.min(nowMicros, answer.nowMicros);
          return answer;
        },
        onGap,
      ),
    );
    if (found === null) return null;
    const fresh = take(found);
    advance(nowMicros);
    return fresh;
  };

  const first = await retried(options, () => fetchWindow({ startMicros: null, endMicros: null }));
  if (first === null) return;
  const newest = take(first.entries);
  advance(first.nowMicros);
  if (options.lines > 0) emit(newest.slice(-options.lines));
  // An answer that was full had no room for these: they are no news, but older.
  const [oldest] = newest;
  const isOlder = (entry: Entry) => first.isFull && oldest !== undefined && inOrder(entry, oldest) < 0;
  let fresh = (await round())?.filter((entry) => !isOlder(entry));
  while (fresh !== undefined) {
    if (fresh.length > 0) emit(fresh);
    await options.sleep(options.intervalMs);
    fresh = signal.aborted ? undefined : ((await round()) ?? undefined);
  }
}

/** What `work` answers, tried again as long as that may help; null when the signal was aborted meanwhile. */
async function retried<T>(options: FollowOptions, work: () => Promise<T>): Promise<T | null> {
  const { retryDelayMs, sleep, signal } = options;
  for (let failures = 1; !signal.aborted; failures++) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) return null;
      const delayMs = retryDelayMs(error, failures);
      if (delayMs === null) throw error;
      await sleep(delayMs);
    }
  }
  return null;
}
