import type { Packing } from '../cache/answer-codec.ts';
import { type Clock, systemClock } from '../concurrency/clock.ts';
import { type Random, systemRandom } from '../concurrency/random.ts';

/** What a process gets from the machine that it runs on. */
export interface Machine {
  readonly clock: Clock;
  readonly random: Random;
  /** How stored answers are packed; in a thread, with Brotli, unless given. */
  readonly packing?: Packing;
}

/** The clock and the random numbers of the system. */
export const systemMachine: Machine = { clock: systemClock, random: systemRandom };
