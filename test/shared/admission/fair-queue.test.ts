import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type FairQueueLimits, makeFairQueue, type Place } from '../../../shared/admission/fair-queue.ts';

const LIMITS: FairQueueLimits = { running: 2, waiting: 3, lanes: 100 };

/** A queue, and the names of the queries that have begun, in that order. */
function open(limits: Partial<FairQueueLimits> = {}) {
  const queue = makeFairQueue({ ...LIMITS, ...limits });
  const begun: string[] = [];
  const bring = (account: string, key: string): Place | null => {
    const place = queue.enter(account, key);
    place?.ready(() => begun.push(key));
    return place;
  };
  return { queue, begun, bring };
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n + 1}`);

describe('an account', () => {
  test('runs so many, has so many wait, and is refused more', () => {
    const { queue, begun, bring } = open();
    const places = names('a', 6).map((key) => bring('a', key));
    expect(places.map((place) => place !== null)).toEqual([true, true, true, true, true, false]);
    expect(begun).toEqual(['a1', 'a2']);
    expect(queue.counts('a')).toEqual({ running: 2, waiting: 3 });
    expect(queue.counts('b')).toEqual({ running: 0, waiting: 0 });
  });

  test('begins the next where one has ended or left, in its order', () => {
    const { queue, begun, bring } = open();
    const places = names('a', 5).map((key) => bring('a', key));
    places[2]?.leave();
    places[0]?.end();
    places[0]?.leave();
    expect(begun).toEqual(['a1', 'a2', 'a4']);
    expect(queue.counts('a')).toEqual({ running: 2, waiting: 1 });
  });

  test('keeps its place while a query that no caller waits for has not ended', () => {
    const { begun, bring } = open({ running: 1 });
    const first = bring('a', 'a1');
    bring('a', 'a2');
    first?.leave();
    expect(begun).toEqual(['a1']);
    first?.end();
    expect(begun).toEqual(['a1', 'a2']);
  });

  test('counts nothing twice, however often an end is reported', () => {
    const { queue, bring } = open();
    const place = bring('a', 'a1');
    for (let n = 0; n < 3; n += 1) {
      place?.end();
      place?.leave();
    }
    expect(queue.counts('a')).toEqual({ running: 0, waiting: 0 });
    bring('a', 'a2');
    expect(queue.counts('a')).toEqual({ running: 1, waiting: 0 });
  });
});

describe('accounts', () => {
  test('take turns, whatever number of queries they bring', () => {
    const queue = makeFairQueue({ lanes: 1, running: 5, waiting: 50 });
    const begun: string[] = [];
    const places = new Map<string, Place | null>();
    for (const key of [...names('a', 4), ...names('b', 2), ...names('c', 1)]) {
      const place = queue.enter(key[0] ?? '', key);
      places.set(key, place);
      place?.ready(() => begun.push(key));
    }
    for (let ended = 0; ended < begun.length; ended += 1) {
      const place = places.get(begun[ended] ?? '');
      place?.end();
      place?.leave();
    }
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  test('leave lanes free for those that have none', () => {
    const { begun, bring } = open({ lanes: 8, running: 4, waiting: 20 });
    for (const account of ['a', 'b', 'c']) for (const key of names(account, 10)) bring(account, key);
    bring('d', 'd1');
    expect(begun).toContain('d1');
    expect(begun.filter((key) => key.startsWith('a'))).toHaveLength(4);
    expect(begun).toHaveLength(8);
  });

  test('share a query, which begins in the turn of whoever comes first', () => {
    const { queue, begun, bring } = open({ running: 1 });
    bring('a', 'a1');
    const led = bring('a', 'shared');
    expect([begun, led?.account]).toEqual([['a1'], 'a']);
    queue.enter('b', 'shared');
    expect([begun, led?.account]).toEqual([['a1', 'shared'], 'b']);
    expect(queue.counts('a')).toEqual({ running: 1, waiting: 0 });
    expect(queue.counts('b')).toEqual({ running: 1, waiting: 0 });
  });

  test('take over a query that whoever began it leaves', () => {
    const { queue, bring } = open();
    const led = bring('a', 'shared');
    const joined = queue.enter('b', 'shared');
    expect([led?.account, queue.counts('a').running, queue.counts('b').running]).toEqual(['a', 1, 0]);
    led?.leave();
    expect([led?.account, queue.counts('a').running, queue.counts('b').running]).toEqual(['b', 0, 1]);
    joined?.leave();
    led?.end();
    expect(queue.counts('b')).toEqual({ running: 0, waiting: 0 });
  });

  test('may ask again for what was given up and has not ended', () => {
    const { queue, begun, bring } = open();
    const gone = bring('a', 'same');
    gone?.leave();
    const again = bring('a', 'same');
    expect(begun).toEqual(['same', 'same']);
    gone?.end();
    expect(queue.counts('a').running).toBe(1);
    again?.end();
    again?.leave();
    expect(queue.counts('a').running).toBe(0);
  });
});

describe('whatever comes and goes', () => {
  const step = fc.record({
    account: fc.constantFrom('a', 'b', 'c'),
    key: fc.constantFrom('k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7', 'k8'),
    what: fc.constantFrom('bring', 'join', 'end', 'leave'),
  });

  test('no limit is crossed, nothing is counted that has ended, and what can run runs', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 4 }), (steps, lanes) => {
        const limits = { running: 2, waiting: 2, lanes };
        const { queue, bring } = open(limits);
        const places: Place[] = [];
        for (const { account, key, what } of steps) {
          const own = `${account} ${key}`;
          if (what === 'bring' || what === 'join') {
            const place = what === 'bring' ? bring(account, own) : queue.enter(account, key);
            if (place !== null) places.push(place);
          } else {
            const place = places[Number(key[1]) % Math.max(1, places.length)];
            if (what === 'end') place?.end();
            place?.leave();
          }
          const counts = ['a', 'b', 'c'].map((name) => queue.counts(name));
          for (const { waiting, running } of counts) {
            expect(running).toBeLessThanOrEqual(limits.running + 1);
            expect(waiting + running).toBeLessThanOrEqual(limits.running + limits.waiting + 1);
          }
          expect(counts.reduce((sum, { running }) => sum + running, 0)).toBeLessThanOrEqual(lanes);
        }
        for (const place of places) {
          place.end();
          place.leave();
        }
        for (const name of ['a', 'b', 'c']) expect(queue.counts(name)).toEqual({ running: 0, waiting: 0 });
        // Whoever comes next finds all lanes free.
        expect(bring('d', 'd') === null).toBe(false);
        expect(queue.counts('d').running).toBe(1);
      }),
    );
  });
});
