import { Random, seedOf } from '../../../shared/demo-logs/random.ts';
import { EventQueue, type Queued } from './event-queue.ts';

/** Whose code an event runs; null for what happens outside of the simulated machines. */
export interface Owner {
  readonly name: string;
  /** What becomes of an event of the owner that is due. */
  readonly state: 'running' | 'paused' | 'stopped';
  /** Takes an event that is due while the owner is paused. */
  hold(run: () => void, label: string): void;
}

interface Event extends Queued {
  readonly owner: Owner | null;
  readonly label: string;
  readonly run: () => void;
  isCancelled: boolean;
}

/** A rule that did not hold. */
export interface Violation {
  readonly rule: string;
  readonly atMs: number;
  readonly text: string;
}

/** Some events are far more than a run has; more of them is a loop without end. */
const MAX_EVENTS = 200_000;

/**
 * The simulated world: its time, its chance, and what is going to happen in it. One event at a time runs, and all
 * promises that can go on because of it do so before the next one: a seed therefore always gives the same run.
 */
export class World {
  readonly random: Random;
  readonly violations: Violation[] = [];
  /** Called before each event of an owner that runs, which is at each of its awaits. */
  beforeEvent: (owner: Owner) => void = () => {};
  /** Lines of what happened; null where they are not read. */
  readonly trace: string[] | null;
  readonly #events = new EventQueue<Event>();
  #nowMs = 0;
  #made = 0;

  constructor(seed: number, options: { readonly isTraced: boolean }) {
    this.random = new Random(seedOf('simulation'), seed);
    this.trace = options.isTraced ? [] : null;
  }

  /** The true time, in milliseconds since the beginning. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** How many events there have been or will be. */
  get eventCount(): number {
    return this.#made;
  }

  note(who: string, text: string): void {
    this.trace?.push(`${(this.#nowMs / 1000).toFixed(3).padStart(10)} s  ${who.padEnd(10)} ${text}`);
  }

  violate(rule: string, text: string): void {
    this.violations.push({ rule, atMs: this.#nowMs, text });
    this.note('VIOLATION', `${rule}: ${text}`);
  }

  /** Lets something happen after a time; the function that is answered takes it back. */
  after(delayMs: number, owner: Owner | null, label: string, run: () => void): () => void {
    const event: Event = {
      atMs: this.#nowMs + Math.max(0, delayMs),
      order: this.#made++,
      owner,
      label,
      run,
      isCancelled: false,
    };
    this.#events.add(event);
    return () => {
      event.isCancelled = true;
    };
  }

  /** Resolves after a time, unless the owner stops before that. */
  wait(delayMs: number, owner: Owner | null, label: string): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, owner, label, resolve));
  }

  /** Lets everything happen until a moment, or until there is nothing more. */
  run(untilMs: number = Number.POSITIVE_INFINITY): Promise<void> {
    return new Promise((resolve, reject) => {
      const step = () => {
        const event = this.#next();
        if (event === undefined || event.atMs > untilMs) {
          if (event !== undefined) this.#events.add(event);
          this.#nowMs = Math.max(this.#nowMs, Number.isFinite(untilMs) ? untilMs : 0);
          resolve();
          return;
        }
        if (this.#made > MAX_EVENTS) {
          reject(new Error(`more than ${MAX_EVENTS} events`));
          return;
        }
        this.#nowMs = event.atMs;
        try {
          this.#fire(event);
        } catch (error) {
          reject(error);
          return;
        }
        // The tick comes when no promise can go on any more.
        queueMicrotask(() => process.nextTick(step));
      };
      process.nextTick(step);
    });
  }

  #fire({ owner, run, label }: Event): void {
    if (owner?.state === 'running') this.beforeEvent(owner);
    if (owner === null || owner.state === 'running') run();
    else if (owner.state === 'paused') owner.hold(run, label);
  }

  #next(): Event | undefined {
    for (;;) {
      const event = this.#events.take();
      if (event === undefined || !event.isCancelled) return event;
    }
  }
}
