import { expect, test } from '@jest/globals';
import { statusLine } from '../../../cli/terminal/status-line.ts';

const CLEAR = '\r\u001b[2K';

function line(stream: { isTTY?: boolean; columns?: number }) {
  const written: string[] = [];
  return { written, status: statusLine({ ...stream, write: (text) => written.push(text) }) };
}

test('is drawn over itself, and taken away once', () => {
  const { written, status } = line({ isTTY: true, columns: 10 });
  status.show('one');
  status.show('longer than the line');
  status.clear();
  status.clear();
  expect(written).toEqual([`${CLEAR}one`, `${CLEAR}longer th`, CLEAR]);
});

test('has the usual width where the terminal reports none', () => {
  const { written, status } = line({ isTTY: true, columns: 0 });
  status.show('x'.repeat(100));
  expect(written).toEqual([`${CLEAR}${'x'.repeat(79)}`]);
});

test('is not there without a terminal', () => {
  const { written, status } = line({});
  status.show('one');
  status.clear();
  expect(written).toEqual([]);
});
