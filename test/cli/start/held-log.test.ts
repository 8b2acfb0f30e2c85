import { expect, test } from '@jest/globals';
import { heldLog } from '../../../cli/start/held-log.ts';

test('lines wait for the welcome, and come after it in their order', () => {
  const written: string[] = [];
  const log = heldLog((line) => written.push(line));
  log.write('a');
  log.write('b');
  expect(written).toEqual([]);
  written.push('welcome');
  log.release();
  log.write('c');
  log.release();
  expect(written).toEqual(['welcome', 'a', 'b', 'c']);
});
