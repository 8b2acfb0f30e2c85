import { describe, expect, it } from '@jest/globals';
import { makeCircuitBreaker } from '../../../shared/cache/circuit-breaker.ts';
import { manualClock, settled } from './support/manual-clock.ts';

function open() {
  const clock = manualClock();
  const lines: Record<string, unknown>[] = [];
  const breaker = makeCircuitBreaker({
    clock,
    warn: (message, fields) => void lines.push({ message, ...fields }),
    firstCallMs: 2000,
  });
  const works = () => breaker.run('read', 300, async () => 'rows');
  const fails = () => breaker.run('read', 300, () => Promise.reject(new Error('unavailable')));
  return { clock, breaker, lines, works, fails };
}

describe('a store that fails', () => {
  it('costs no error, and is logged and counted', async () => {
    const { breaker, fails, lines } = open();
    expect(await fails()).toEqual({ isDone: false });
    expect(breaker.counters).toEqual({ failures: 1, skipped: 0 });
    expect(lines).toMatchObject([{ call: 'read', error: new Error('unavailable') }]);
  });

  it('is left alone after three failures in a row, once it has answered', async () => {
    const { breaker, works, fails } = open();
    await works();
    await fails();
    await fails();
    await works();
    for (let count = 0; count < 3; count += 1) await fails();
    expect(await works()).toEqual({ isDone: false });
    expect(breaker.counters).toEqual({ failures: 5, skipped: 1 });
  });

  it('is left alone after one failure when it has never answered', async () => {
    const { works, fails } = open();
    await fails();
    expect(await works()).toEqual({ isDone: false });
  });

  it('is asked again after a second, then ever more seldom, at most every 30 seconds', async () => {
    const { clock, fails, breaker } = open();
    const waits: number[] = [];
    await fails();
    for (let seconds = 0; waits.length < 8; seconds += 1) {
      await clock.advance(1000);
      const { failures } = breaker.counters;
      await fails();
      if (breaker.counters.failures === failures) continue;
      waits.push(seconds + 1);
      seconds = -1;
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
  });

  it('is asked by one call at a time whether it is back', async () => {
    const { clock, fails, breaker, works, lines } = open();
    await fails();
    await clock.advance(1000);
    const answer = Promise.withResolvers<string>();
    const probe = breaker.run('read', 300, () => answer.promise);
    expect(await works()).toEqual({ isDone: false });
    answer.resolve('rows');
    expect(await probe).toEqual({ isDone: true, value: 'rows' });
    expect(await works()).toEqual({ isDone: true, value: 'rows' });
    expect(lines.map(({ message }) => message)).toEqual([
      'The shared cache failed; the request goes on without it',
      'The shared cache answers again',
    ]);
  });

  it('is logged once, not by each of many calls that were under way', async () => {
    const { breaker, lines } = open();
    const down = () => Promise.reject(new Error('down'));
    await Promise.all(Array.from({ length: 100 }, () => breaker.run('read', 300, down)));
    expect(breaker.counters.failures).toBe(100);
    expect(lines).toHaveLength(1);
  });
});

describe('a store that does not respond', () => {
  it('is waited for so long', async () => {
    const { clock, breaker, works } = open();
    await works();
    const call = breaker.run('read', 300, () => new Promise<never>(() => {}));
    await clock.advance(299);
    expect(breaker.counters.failures).toBe(0);
    await clock.advance(1);
    expect(await call).toEqual({ isDone: false });
  });

  it('is waited for longer before it has first answered', async () => {
    const { clock, breaker } = open();
    const call = breaker.run('read', 300, () => new Promise<never>(() => {}));
    await clock.advance(1999);
    expect(breaker.counters.failures).toBe(0);
    await clock.advance(1);
    expect(await call).toEqual({ isDone: false });
  });

  it('is waited for longer once only', async () => {
    const { clock, breaker, fails } = open();
    await fails();
    await clock.advance(1000);
    const call = breaker.run('read', 300, () => new Promise<never>(() => {}));
    await clock.advance(300);
    expect(await call).toEqual({ isDone: false });
  });

  it('gives what it answers too late to who clears up after it', async () => {
    const { clock, breaker } = open();
    const answer = Promise.withResolvers<string>();
    const late: string[] = [];
    const call = breaker.run(
      'lease',
      300,
      () => answer.promise,
      (value) => void late.push(value),
    );
    await clock.advance(2000);
    expect(await call).toEqual({ isDone: false });
    answer.resolve('a lease');
    await settled();
    expect(late).toEqual(['a lease']);
  });

  it('leaves no timer when it answers in time', async () => {
    const { clock, works } = open();
    await works();
    expect(clock.sleepers).toBe(0);
  });
});
