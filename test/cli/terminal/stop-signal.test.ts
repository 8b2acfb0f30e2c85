import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { stopSignal } from '../../../cli/terminal/stop-signal.ts';
import { systemClock } from '../../../shared/concurrency/clock.ts';

function listen() {
  const time = { ms: 1000 };
  const killed: string[] = [];
  const process = Object.assign(new EventEmitter(), {
    pid: 1,
    kill: (_: number, name: string) => killed.push(name),
  });
  const clock = { ...systemClock, monotonicMs: () => time.ms };
  const signal = stopSignal(process as unknown as NodeJS.Process, clock);
  const send = (name: string, afterMs: number) => {
    time.ms += afterMs;
    process.emit(name, name);
  };
  return { signal, killed, send, process };
}

test.each(['SIGINT', 'SIGTERM'])('%s aborts', (name) => {
  const { signal, killed, send } = listen();
  expect(signal.aborted).toBe(false);
  send(name, 0);
  expect([signal.aborted, killed]).toEqual([true, []]);
});

test('one Ctrl-C that arrives three times counts once', () => {
  const { killed, send } = listen();
  send('SIGINT', 0);
  send('SIGINT', 3);
  send('SIGINT', 200);
  expect(killed).toEqual([]);
});

test('a second Ctrl-C ends the process as if nobody listened', () => {
  const { killed, send, process } = listen();
  send('SIGINT', 0);
  send('SIGINT', 501);
  expect(killed).toEqual(['SIGINT']);
  expect(process.listenerCount('SIGINT')).toBe(0);
});
