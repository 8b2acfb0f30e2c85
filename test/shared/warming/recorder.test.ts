import { beforeEach, describe, expect, test } from '@jest/globals';
import { makeRecorder, RECORD_EVERY_MS, RECORD_WAIT_MS } from '../../../shared/warming/recorder.ts';

const set = (project: string) => ({ endpointId: 'usage', parameters: { project }, isRedacted: false });

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

/** A clock that stands until the test moves it, and a store that answers when the test says so. */
function open() {
  const time = { ms: 0 };
  const sleepers = new Set<Sleeper>();
  const written: string[] = [];
  const warnings: string[] = [];
  const store = {
    answer: async (_owner: string): Promise<boolean> => true,
  };
  const clock = {
    monotonicMs: () => time.ms,
    wallMs: () => time.ms,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const sleeper = { atMs: time.ms + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
  };
  const record = makeRecorder({
    write: ({ parameters }, owner) => {
      written.push(`${parameters.project} of ${owner}`);
      return store.answer(owner);
    },
    clock,
    warn: (message) => void warnings.push(message),
  });
  const advance = async (ms: number) => {
    time.ms += ms;
    for (const sleeper of [...sleepers]) if (sleeper.atMs <= time.ms) sleeper.wake();
    await new Promise((resolve) => setImmediate(resolve));
  };
  /** Whether the note lets its answer go after so many milliseconds. */
  const takes = async (note: Promise<void>, ms: number): Promise<boolean> => {
    let isDone = false;
    const watched = note.then(() => {
      isDone = true;
    });
    await advance(ms - 1);
    if (isDone) return false;
    await advance(1);
    await watched;
    return true;
  };
  return { record, advance, takes, store, written, warnings, sleepers };
}

let world: ReturnType<typeof open>;
beforeEach(() => {
  world = open();
});

const never = () => new Promise<boolean>(() => {});

describe('what is noted', () => {
  test('is written before the note ends, and no timer is left', async () => {
    await world.record(set('a'), 'token');
    expect(world.written).toEqual(['a of token']);
    expect(world.sleepers.size).toBe(0);
  });

  test('is written at most once a minute for each set', async () => {
    for (let times = 0; times < 5; times += 1) await world.record(set('a'), 'token');
    await world.record(set('b'), 'token');
    await world.advance(RECORD_EVERY_MS - 1);
    await world.record(set('a'), 'another');
    expect(world.written).toEqual(['a of token', 'b of token']);
    await world.advance(1);
    await world.record(set('a'), 'token');
    expect(world.written).toEqual(['a of token', 'b of token', 'a of token']);
  });

  test('is written ten seconds later by whoever asks then, where it could not be', async () => {
    world.store.answer = () => Promise.reject(new Error('down'));
    await world.record(set('a'), 'token');
    await world.record(set('a'), 'token');
    expect(world.warnings).toEqual(['What is asked for could not be recorded; it may go cold']);
    world.store.answer = async () => true;
    await world.advance(10_000);
    await world.record(set('a'), 'token');
    expect(world.written).toHaveLength(2);
  });
});

describe('an answer', () => {
  test(`waits ${RECORD_WAIT_MS} ms for a store that is slow, and the next ones do not wait at all`, async () => {
    world.store.answer = never;
    expect(await world.takes(world.record(set('a'), 'token'), RECORD_WAIT_MS)).toBe(true);
    await world.record(set('b'), 'token');
    expect(world.written).toEqual(['a of token', 'b of token']);
    await world.advance(10_000);
    expect(await world.takes(world.record(set('c'), 'token'), RECORD_WAIT_MS)).toBe(true);
  });

  test('waits again once the store has answered', async () => {
    const late = Promise.withResolvers<boolean>();
    world.store.answer = () => late.promise;
    expect(await world.takes(world.record(set('a'), 'token'), RECORD_WAIT_MS)).toBe(true);
    late.resolve(true);
    await world.advance(0);
    world.store.answer = never;
    expect(await world.takes(world.record(set('b'), 'token'), RECORD_WAIT_MS)).toBe(true);
  });

  test('is given though nothing can be written, whoever asks', async () => {
    world.store.answer = () => {
      throw new Error('not even a promise');
    };
    await world.record(set('a'), 'token');
    expect(world.warnings).toHaveLength(1);
  });

  test('is given when too many notes are under way, without a new one', async () => {
    world.store.answer = never;
    const notes = Array.from({ length: 500 }, (_, number) => world.record(set(String(number)), 'token'));
    await world.advance(RECORD_WAIT_MS);
    await Promise.all(notes);
    expect(world.written).toHaveLength(200);
  });
});

describe('a token with as many sets as it may have', () => {
  beforeEach(async () => {
    await world.record(set('known'), 'token');
    world.store.answer = async (owner) => owner !== 'token';
    await world.record(set('new'), 'token');
    world.written.length = 0;
  });

  test('has none of its new sets written for a minute', async () => {
    for (let number = 0; number < 100; number += 1) await world.record(set(`other ${number}`), 'token');
    await world.record(set('other'), 'another');
    expect(world.written).toEqual(['other of another']);
    await world.advance(RECORD_EVERY_MS);
    await world.record(set('other 1'), 'token');
    expect(world.written).toEqual(['other of another', 'other 1 of token']);
  });

  test('keeps those that it has', async () => {
    await world.advance(RECORD_EVERY_MS - 1);
    await world.record(set('new 2'), 'token');
    await world.advance(1);
    world.store.answer = async () => true;
    await world.record(set('known'), 'token');
    expect(world.written).toEqual(['known of token']);
  });
});
