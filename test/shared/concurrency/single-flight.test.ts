import { describe, expect, it } from '@jest/globals';
import { makeSingleFlight } from '../../../shared/concurrency/single-flight.ts';
import { settled } from '../cache/support/manual-clock.ts';

const never = new AbortController().signal;

/** Work that ends when it is told to. */
function openWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const signals: AbortSignal[] = [];
  const start = (signal: AbortSignal) => {
    signals.push(signal);
    signal.addEventListener('abort', () => reject(signal.reason));
    return promise;
  };
  return { start, signals, resolve, reject };
}

describe('callers that want the same at the same time', () => {
  it('share one computation', async () => {
    const flights = makeSingleFlight<string>();
    const work = openWork();
    const answers = Array.from({ length: 100 }, () => flights.run('k', never, work.start));
    await settled();
    work.resolve('rows');
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['rows']));
    expect(work.signals).toHaveLength(1);
  });

  it('share its failure, which later callers do not get', async () => {
    const flights = makeSingleFlight<string>();
    const work = openWork();
    const answers = [flights.run('k', never, work.start), flights.run('k', never, work.start)];
    await settled();
    work.reject(new Error('no such table'));
    const outcomes = await Promise.allSettled(answers);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await flights.run('k', never, async () => 'rows')).toBe('rows');
  });

  it('share nothing with those who want something else', async () => {
    const flights = makeSingleFlight<string>();
    const one = flights.run('a', never, async () => 'A');
    expect(await flights.run('b', never, async () => 'B')).toBe('B');
    expect(await one).toBe('A');
  });

  it('take what a computation throws before it waits for anything', async () => {
    const flights = makeSingleFlight<string>();
    const answer = flights.run('k', never, () => {
      throw new Error('at once');
    });
    await expect(answer).rejects.toThrow('at once');
    expect(flights.isUnderWay('k')).toBe(false);
  });
});

describe('a caller that goes away', () => {
  it('leaves the computation to the others', async () => {
    const flights = makeSingleFlight<string>();
    const work = openWork();
    const client = new AbortController();
    const gone = flights.run('k', client.signal, work.start);
    const other = flights.run('k', never, work.start);
    await settled();
    client.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    expect(work.signals[0]?.aborted).toBe(false);
    work.resolve('rows');
    expect(await other).toBe('rows');
  });

  it('ends the computation when it was the last', async () => {
    const flights = makeSingleFlight<string>();
    const work = openWork();
    const clients = [new AbortController(), new AbortController()];
    const answers = clients.map(({ signal }) => flights.run('k', signal, work.start));
    await settled();
    clients[0]?.abort(new Error('gone'));
    clients[1]?.abort(new Error('gone too'));
    expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(work.signals[0]?.reason).toEqual(new Error('gone too'));
  });

  it('does not start what no caller waits for', async () => {
    const flights = makeSingleFlight<string>();
    const work = openWork();
    const client = new AbortController();
    const answer = flights.run('k', client.signal, work.start);
    client.abort(new Error('gone'));
    await expect(answer).rejects.toThrow('gone');
    await settled();
    expect(work.signals).toHaveLength(0);
  });

  it('leaves no aborted computation for the next to join', async () => {
    const flights = makeSingleFlight<string>();
    const work = openWork();
    const client = new AbortController();
    const answer = flights.run('k', client.signal, work.start);
    client.abort(new Error('gone'));
    const next = flights.run('k', never, async () => 'rows');
    await expect(answer).rejects.toThrow('gone');
    expect(await next).toBe('rows');
  });

  it('is refused at once when it has gone before', async () => {
    const flights = makeSingleFlight<string>();
    const answer = flights.run('k', AbortSignal.abort(new Error('gone')), async () => 'rows');
    await expect(answer).rejects.toThrow('gone');
    expect(flights.isUnderWay('k')).toBe(false);
  });
});
