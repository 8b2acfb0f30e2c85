import type { Clock } from '../../../../shared/concurrency/clock.ts';

interface Sleeper {
  readonly untilMs: number;
  wake(): void;
}

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  /** Moves both clocks on and wakes whom that concerns; what they then do has been done when it resolves. */
  advance(ms: number): Promise<void>;
  /** Moves the wall clock alone, as when it is set. */
  setWall(byMs: number): void;
  /** How many are asleep. */
  readonly sleepers: number;
}

/** Makes a clock. `wallOffsetMs` is by how much its wall clock goes wrong. */
export function manualClock(wallOffsetMs = 0): ManualClock {
  let monotonicMs = 1000;
  let wallMs = Date.UTC(2026, 0, 2) + wallOffsetMs;
  const sleepers = new Set<Sleeper>();
  return {
    monotonicMs: () => monotonicMs,
    wallMs: () => wallMs,
    get sleepers() {
      return sleepers.size;
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const sleeper = { untilMs: monotonicMs + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    setWall(byMs) {
      wallMs += byMs;
    },
    async advance(ms) {
      await settled();
      monotonicMs += ms;
      wallMs += ms;
      for (const sleeper of sleepers) {
        if (sleeper.untilMs > monotonicMs) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
      await settled();
    },
  };
}

/** Resolves when all promises that could go on have done so; none of them may wait for a thread or for the network. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 4; round += 1) await new Promise((resolve) => setImmediate(resolve));
}
