import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { takeStopSignals } from '../../../cli/terminal/stop-signals.ts';
import { systemClock } from '../../../shared/concurrency/clock.ts';

function listen() {
  const time = { ms: 1000 };
  const killed: string[] = [];
  const process = Object.assign(new EventEmitter(), {
    pid: 1,
    kill: (_: number, name: string) => killed.push(name),
  });
  const clock = { ...systemClock, monotonicMs: () => time.ms };
  const stop = takeStopSignals(process as unknown as NodeJS.Process, 60_000, clock);
  const send = (name: string, afterMs: number) => {
    time.ms += afterMs;
    process.emit(name, name);
  };
  return { stop, killed, send, process };
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])('%s aborts, and stands for the exit code %i', (name, code) => {
  const { stop, killed, send } = listen();
  expect([stop.signal.aborted, stop.exitCode()]).toEqual([false, null]);
  send(name, 0);
  expect([stop.signal.aborted, stop.exitCode(), killed]).toEqual([true, code, []]);
  stop.release();
});

test('one Ctrl-C that arrives three times counts once', () => {
  const { stop, killed, send } = listen();
  send('SIGINT', 0);
  send('SIGINT', 3);
  send('SIGINT', 200);
  expect(killed).toEqual([]);
  stop.release();
});

test('a second Ctrl-C ends the process as if nobody listened', () => {
  const { killed, send, process } = listen();
  send('SIGINT', 0);
  send('SIGINT', 501);
  expect(killed).toEqual(['SIGINT']);
  expect(process.listenerCount('SIGINT')).toBe(0);
});
