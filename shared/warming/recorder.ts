import type { Clock } from '../concurrency/clock.ts';
import { DeadlineExceeded, within } from '../concurrency/within.ts';
import type { Warn } from '../errors/warn.ts';
import { lazyLru } from '../lru/lazy-lru.ts';
import { type DemandLog, type ParameterSet, setKey } from './demand-log.ts';

/** An answer waits no longer for its set to be noted. */
export const RECORD_WAIT_MS = 100;
/** Of one set, so much time lies between two notes of this process. */
export const RECORD_EVERY_MS = 60_000;
/** What could not be noted is noted by whoever asks after this time; as long no answer waits for a note. */
const TRY_AGAIN_MS = 10_000;
/** Sets whose last note is remembered; forgetting one costs a note more. */
const MAX_REMEMBERED = 5000;
/** Notes under way at the same time; what is asked for beside them is not noted. A store that hangs keeps each of them for minutes. */
const MAX_UNDER_WAY = 200;

export interface RecorderDeps {
  /** Writes a set down, and answers whether it is kept: a token may have so many only. */
  readonly write: (set: ParameterSet, owner: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly warn: Warn;
}

/**
 * Notes what is asked for in a store that takes time and may fail, at most once a minute for each set. An answer waits for
 * the note, since a process gets no CPU in the cloud once its answers are given, but a short time only, and not at all
 * in the ten seconds after the store was late or failed. A token whose new sets were refused as too many is left alone for a minute.
 */
export function makeRecorder({ write, clock, warn }: RecorderDeps): DemandLog['record'] {
  const notes = lazyLru<{ readonly dueAtMs: number; readonly isRecorded: boolean }>(MAX_REMEMBERED);
  const full = lazyLru<{ readonly untilMs: number }>(MAX_REMEMBERED);
  let underWay = 0;
  let waitFromMs = Number.NEGATIVE_INFINITY;
  const answerWithoutIt = () => {
    waitFromMs = clock.monotonicMs() + TRY_AGAIN_MS;
  };

  async function note(set: ParameterSet, key: string, owner: string): Promise<void> {
    underWay += 1;
    try {
      const isRecorded = await write(set, owner);
      waitFromMs = Number.NEGATIVE_INFINITY;
      notes.set(key, { dueAtMs: clock.monotonicMs() + RECORD_EVERY_MS, isRecorded });
      if (!isRecorded) full.set(owner, { untilMs: clock.monotonicMs() + RECORD_EVERY_MS });
    } catch (error) {
      answerWithoutIt();
      const isRecorded = notes.get(key)?.isRecorded ?? false;
      notes.set(key, { dueAtMs: clock.monotonicMs() + TRY_AGAIN_MS, isRecorded });
      warn('What is asked for could not be recorded; it may go cold', { error });
    } finally {
      underWay -= 1;
    }
  }

  return async (set, owner) => {
    const key = setKey(set);
    const nowMs = clock.monotonicMs();
    const last = notes.get(key);
    if (last !== undefined && nowMs < last.dueAtMs) return;
    const isNew = last === undefined || !last.isRecorded;
    if (isNew && nowMs < (full.get(owner)?.untilMs ?? nowMs)) return;
    if (underWay >= MAX_UNDER_WAY) return;
    notes.set(key, { dueAtMs: nowMs + RECORD_EVERY_MS, isRecorded: !isNew });
    const noting = note(set, key, owner);
    if (nowMs < waitFromMs) return;
    await within(clock, RECORD_WAIT_MS, () => noting).catch((error: unknown) => {
      if (!(error instanceof DeadlineExceeded)) throw error;
      answerWithoutIt();
    });
  };
}
