import type { Clock } from '../../../shared/concurrency/clock.ts';
import type { Random } from '../../../shared/concurrency/random.ts';
import type { Owner, World } from './world.ts';

/** The simulation's beginning on clocks that show the date. */
const EPOCH_MS = Date.UTC(2026, 0, 2);
/** Events that waited for a paused machine come in some order within this time after it goes on. */
const RESUME_SPREAD_MS = 3;

export interface HostOptions {
  readonly name: string;
  /** By which part its monotonic clock runs fast; negative for slow. */
  readonly monotonicDrift: number;
  readonly wallDrift: number;
  /**
   * Whether its monotonic clock stands still when it is paused for a while. Of such a machine the wall clock is not set
   * back: with both, no clock of it would know how much time has passed, and nothing could be promised.
   */
  readonly canSleep: boolean;
  /** By how much its wall clock goes wrong at first. */
  readonly wallOffsetMs: number;
}

/** A machine with its own clocks and chance, which can be paused, put to sleep and stopped at any await. */
export class Host implements Owner {
  readonly name: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly #world: World;
  readonly #options: HostOptions;
  readonly #bootMs: number;
  readonly #held: { readonly run: () => void; readonly label: string }[] = [];
  #state: Owner['state'] = 'running';
  #wallSetMs = Number.NEGATIVE_INFINITY;
  #wallOffsetMs: number;
  #sleptMs = 0;
  #pausedMs = 0;
  #pausedAtMs = 0;
  #isAsleep = false;
  #drawn = 0;

  constructor(world: World, options: HostOptions) {
    this.#world = world;
    this.#options = options;
    this.name = options.name;
    this.#bootMs = world.nowMs;
    this.#wallOffsetMs = options.wallOffsetMs;
    this.clock = {
      monotonicMs: () => this.#monotonicMs(),
      wallMs: () => EPOCH_MS + this.#world.nowMs * (1 + options.wallDrift) + this.#wallOffsetMs,
      sleep: (ms, signal) => this.#sleep(ms, signal),
    };
    this.random = {
      fraction: () => world.random.unit(),
      id: () => `${this.name}-${++this.#drawn}`,
    };
  }

  get state(): Owner['state'] {
    return this.#state;
  }

  /** When its wall clock was set last. */
  get wallSetMs(): number {
    return this.#wallSetMs;
  }

  /** For how long it has been paused in all. */
  get pausedMs(): number {
    return this.#pausedMs + (this.#state === 'paused' ? this.#world.nowMs - this.#pausedAtMs : 0);
  }

  /** Stops it for good; what it has asked of others may happen all the same. */
  stop(): void {
    this.#world.note(this.name, 'stops');
    this.#state = 'stopped';
    this.#held.length = 0;
  }

  /** Lets nothing of it go on for a time; asleep, where it can sleep, its monotonic clock stands still as well. */
  pause(ms: number, mayBeAsleep: boolean): void {
    if (this.#state !== 'running') return;
    const isAsleep = mayBeAsleep && this.#options.canSleep;
    this.#world.note(this.name, `${isAsleep ? 'sleeps' : 'pauses'} for ${(ms / 1000).toFixed(1)} s`);
    this.#state = 'paused';
    this.#isAsleep = isAsleep;
    this.#pausedAtMs = this.#world.nowMs;
    this.#world.after(ms, null, `${this.name} goes on`, () => this.#resume());
  }

  setWall(byMs: number): void {
    if (byMs < 0 && this.#options.canSleep) return;
    this.#world.note(this.name, `sets its wall clock by ${Math.round(byMs)} ms`);
    this.#wallOffsetMs += byMs;
    this.#wallSetMs = this.#world.nowMs;
  }

  hold(run: () => void, label: string): void {
    this.#held.push({ run, label });
  }

  #resume(): void {
    if (this.#state !== 'paused') return;
    const pausedMs = this.#world.nowMs - this.#pausedAtMs;
    this.#pausedMs += pausedMs;
    if (this.#isAsleep) this.#sleptMs += pausedMs;
    this.#isAsleep = false;
    this.#state = 'running';
    this.#world.note(this.name, 'goes on');
    for (const { run, label } of this.#held.splice(0)) {
      this.#world.after(this.#world.random.unit() * RESUME_SPREAD_MS, this, label, run);
    }
  }

  #monotonicMs(): number {
    const awakeMs = this.#world.nowMs - this.#bootMs - this.#sleptMs;
    return 1000 + awakeMs * (1 + this.#options.monotonicDrift);
  }

  #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const untilMs = this.#monotonicMs() + ms;
      let cancel = () => {};
      const onAbort = () => {
        cancel();
        reject(signal?.reason);
      };
      const wake = () => {
        const leftMs = untilMs - this.#monotonicMs();
        if (leftMs > 1e-6) return arm(leftMs);
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      const arm = (leftMs: number) => {
        const trueMs = leftMs / (1 + this.#options.monotonicDrift);
        cancel = this.#world.after(trueMs + 1e-6, this, 'timer', wake);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      arm(ms);
    });
  }
}
