import { describe, expect, test } from '@jest/globals';
import {
  AS_THEY_ARE,
  chosenColumns,
  movedColumn,
  parseChoice,
  resizedColumn,
  toggledColumn,
} from '../../explorer/result/columns-choice.js';
import { requestIds } from '../../explorer/result/request-ids.js';

const COLUMNS = ['a', 'b', 'c'].map((name) => ({ name, type: 'STRING', mode: 'NULLABLE' as const }));
const names = (choice: Parameters<typeof chosenColumns>[1]) =>
  chosenColumns(COLUMNS, choice).map(({ name }) => name);

describe('columns', () => {
  test('are as they come until they are chosen', () => {
    expect(names(AS_THEY_ARE)).toEqual(['a', 'b', 'c']);
  });

  test('move, hide and show, and new ones follow', () => {
    const moved = movedColumn(COLUMNS, AS_THEY_ARE, 'c', -1);
    expect(names(moved)).toEqual(['a', 'c', 'b']);
    expect(movedColumn(COLUMNS, moved, 'a', -1)).toBe(moved);
    const hidden = toggledColumn(moved, 'a');
    expect(names(hidden)).toEqual(['c', 'b']);
    expect(names(toggledColumn(hidden, 'a'))).toEqual(['a', 'c', 'b']);
    expect(names({ ...AS_THEY_ARE, order: ['b'] })).toEqual(['b', 'a', 'c']);
  });

  test('are all shown where none would be left', () => {
    expect(names({ ...AS_THEY_ARE, hidden: ['a', 'b', 'c'] })).toEqual(['a', 'b', 'c']);
  });

  test.each([
    [10, 48],
    [120.4, 120],
    [9999, 2000],
  ])('%d pixels wide become %d', (width, kept) => {
    expect(resizedColumn(AS_THEY_ARE, 'a', width).widths).toEqual({ a: kept });
  });

  test.each([
    [null, AS_THEY_ARE],
    [
      { order: 'x', hidden: [1, 'a'], widths: { a: 'wide', b: 100 }, wrap: 1 },
      { ...AS_THEY_ARE, hidden: ['a'], widths: { b: 100 } },
    ],
  ])('a stored %j is read as far as it can be', (stored, choice) => {
    expect(parseChoice(stored)).toEqual(choice);
  });
});

test.each([
  [{ metadata: [{ request: [{ headers: [{ cf_ray: '5be324ee0c9497fd-NRT' }] }] }] }, ['5be324ee0c9497fd']],
  [{ request_id: 'a-request-id', metadata: [{ requestId: 'a-request-id' }] }, ['a-request-id']],
  [{ id: 'an-id-of-an-entry', request_id: 'short' }, []],
  [{ request_id: null }, []],
])('%j carries the request ids %j', (row, ids) => {
  expect(requestIds(row)).toEqual(ids);
});
