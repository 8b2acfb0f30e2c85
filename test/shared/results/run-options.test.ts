import { describe, expect, test } from '@jest/globals';
import { loadEndpoints } from '../../../shared/endpoints/load-endpoints.ts';
import { runOptions } from '../../../shared/results/run-options.ts';

const endpoint = (await loadEndpoints('queries')).find('logs.all')!;
const { signal } = new AbortController();
const anyone = {
  maxRows: null,
  maxBytesBilled: null,
  account: 'abc',
  sqlDeadlineMs: null,
  cpuSecondsPerMinute: null,
  signal,
};
const of = (query: { isUntrusted?: boolean }, more: object = {}, changed: object = {}) =>
  runOptions({ nowMicros: () => 5n, deadlineMs: 30 }, { ...endpoint, ...changed }, query, {
    ...anyone,
    ...more,
  });

describe('what a query is run with', () => {
  test('is what its endpoint says, and whom it is for', () => {
    expect(of({ isUntrusted: true })).toEqual({
      maxRows: endpoint.maxRows,
      deadlineMs: 30,
      nowMicros: 5n,
      signal,
      maxBytesBilled: endpoint.consumerMaxBytesBilled,
      timeWindow: endpoint.timeWindow,
      owner: 'abc',
      labels: { endpoint: 'logs.all', kind: 'consumer', token: 'abc' },
    });
    expect(of({}).labels).toMatchObject({ kind: 'stored' });
  });

  test.each<[string, number | null, number | null, number | null]>([
    ['that of the endpoint where the token has none', 10, null, 10],
    ['that of the token where the endpoint has none', null, 7, 7],
    ['the smaller one', 10, 7, 7],
    ['the smaller one the other way about', 7, 10, 7],
    ['none where neither has one', null, null, null],
  ])('has a cap on bytes: %s', (_, own, given, cap) => {
    const caps = { storedMaxBytesBilled: own, consumerMaxBytesBilled: own };
    for (const isUntrusted of [true, false])
      expect(of({ isUntrusted }, { maxBytesBilled: given }, caps).maxBytesBilled).toBe(cap);
  });

  test.each<[number | null, number]>([
    [null, 1000],
    [5, 5],
    [5000, 1000],
  ])('has no more rows than the endpoint gives: %p are %p', (maxRows, rows) => {
    expect(of({}, { maxRows }, { maxRows: 1000 }).maxRows).toBe(rows);
  });
});
