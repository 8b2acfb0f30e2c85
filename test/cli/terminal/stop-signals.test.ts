import { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { takeStopSignals } from '../../../cli/terminal/stop-signals.ts';

/** What counts as the same signal here, in ms. */
const REPEATED_MS = 30;

function listen() {
  const killed: string[] = [];
  const process = Object.assign(new EventEmitter(), {
    pid: 1,
    kill: (_: number, name: string) => killed.push(name),
  });
  const stop = takeStopSignals(process as unknown as NodeJS.Process, 60_000, REPEATED_MS);
  const send = (name: string) => process.emit(name, name);
  return { stop, killed, send, process };
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])('%s aborts, and stands for the exit code %i', (name, code) => {
  const { stop, killed, send } = listen();
  expect([stop.signal.aborted, stop.exitCode()]).toEqual([false, null]);
  send(name);
  expect([stop.signal.aborted, stop.exitCode(), killed]).toEqual([true, code, []]);
  stop.release();
});

test('one Ctrl-C that arrives three times counts once', () => {
  const { stop, killed, send } = listen();
  send('SIGINT');
  send('SIGINT');
  send('SIGINT');
  expect(killed).toEqual([]);
  stop.release();
});

test('a repetition that a busy process sees late counts as one', async () => {
  const { stop, killed, send } = listen();
  send('SIGINT');
  // What the event loop hands over in the first turn after it was busy.
  const busyUntil = performance.now() + 3 * REPEATED_MS;
  const later = new Promise<void>((resolve) => {
    setTimeout(() => {
      send('SIGINT');
      resolve();
    }, REPEATED_MS);
  });
  while (performance.now() < busyUntil);
  await later;
  expect(killed).toEqual([]);
  stop.release();
});

test('a second Ctrl-C ends the process at once', async () => {
  const { killed, send, process } = listen();
  send('SIGINT');
  await wait(3 * REPEATED_MS);
  send('SIGINT');
  expect(killed).toEqual(['SIGINT']);
  expect(process.listenerCount('SIGINT')).toBe(0);
});
