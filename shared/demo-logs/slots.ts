import { later, type Moment } from './moment.ts';
import { Random, seedOf, unitHash } from './random.ts';

/** A row of slots of equal length on the absolute time line, so that what a slot holds never depends on now. */
export interface Stream {
  readonly name: string;
  readonly slotSeconds: number;
  /** Slots for which this answers false are never used; asked once for each minute that is not used. */
  readonly isActive?: (project: string, second: number) => boolean;
}

/** One slot of a stream, for one project; the seed decides what it holds. */
export interface Slot {
  readonly project: string;
  readonly seed: number;
  readonly index: number;
  /** When it begins, in seconds since the epoch. */
  readonly second: number;
  readonly seconds: number;
}

const { floor } = Math;

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** How far back the demo logs reach. */
export const REACH_SECONDS = 8 * DAY_SECONDS;

/** Every slot is used up to this age: a little over an hour, so that 60 whole minutes are dense. */
const DENSE_SECONDS = HOUR_SECONDS + 120;

/** Which share of the older slots is used, up to a day and beyond. */
const DAY_SHARE = 0.1;
const WEEK_SHARE = 1 / 60;

/** Traffic by hour of the day (UTC), against the day's mean; the dense hour is left as it is. */
const RHYTHM = [
  0.7, 0.6, 0.5, 0.5, 0.5, 0.6, 0.8, 0.9, 1.1, 1.2, 1.3, 1.3, 1.2, 1.3, 1.4, 1.4, 1.3, 1.3, 1.2, 1.2, 1.1, 1,
  0.9, 0.8,
] as const;

/** The time that slots are wanted of, in seconds. */
export interface Period {
  /** Since the epoch. */
  readonly nowSecond: number;
  /** How far back it reaches. */
  readonly reachSeconds: number;
}

/** The slots used within the period, oldest first. An ageing slot may drop out. */
export function* usedSlots(
  stream: Stream,
  project: string,
  { nowSecond, reachSeconds }: Period,
): Generator<Slot> {
  const seed = seedOf(`${stream.name}/${project}`);
  const seconds = stream.slotSeconds;
  const last = floor(nowSecond / seconds);
  for (let index = Math.ceil((nowSecond - reachSeconds) / seconds); index <= last; index++) {
    const second = index * seconds;
    if (stream.isActive !== undefined && !stream.isActive(project, second)) {
      index = Math.max(index, Math.ceil(nextMinute(second) / seconds) - 1);
      continue;
    }
    if (unitHash(seed, index) < shareAt(second, nowSecond - second))
      yield { project, seed, index, second, seconds };
  }
}

/** The slot's own generator for one purpose; other purposes draw other numbers. */
export function randomOf(slot: Slot, purpose: string): Random {
  return new Random(slot.seed ^ seedOf(purpose), slot.index);
}

/** A moment inside the slot. */
export function momentIn(slot: Slot, random: Random): Moment {
  return later({ second: slot.second, micro: 0 }, random.int(0, slot.seconds * 1_000_000 - 1) / 1000);
}

const nextMinute = (second: number): number => (floor(second / 60) + 1) * 60;

function shareAt(second: number, ageSeconds: number): number {
  if (ageSeconds <= DENSE_SECONDS) return 1;
  const hour = floor(second / HOUR_SECONDS) - 24 * floor(second / DAY_SECONDS);
  return (ageSeconds <= DAY_SECONDS ? DAY_SHARE : WEEK_SHARE) * (RHYTHM[hour] ?? 1);
}
