import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { loadEndpoints } from '../../../shared/endpoints/load-endpoints.ts';
import type { ByteCaps } from '../../../shared/results/byte-cap.ts';
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
const CAPS: ByteCaps = { consumerMaxBytesBilled: 1_000, storedMaxBytesBilled: 5_000 };
const of = (query: { isUntrusted?: boolean }, more: object = {}, changed: object = {}) =>
  runOptions({ nowMicros: () => 5n, deadlineMs: 30, byteCaps: CAPS }, { ...endpoint, ...changed }, query, {
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
      maxBytesBilled: CAPS.consumerMaxBytesBilled,
      timeWindow: endpoint.timeWindow,
      lookback: endpoint.lookback,
      owner: 'abc',
      labels: { endpoint: 'logs.all', kind: 'consumer', token: 'abc' },
    });
    expect(of({}).labels).toMatchObject({ kind: 'stored' });
  });

  test('has the lowest cap on bytes of service, endpoint and token, by whose query it is', () => {
    const cap = fc.option(fc.integer({ min: 1, max: 10_000 }));
    fc.assert(
      fc.property(cap, cap, cap, fc.boolean(), (consumer, stored, token, isUntrusted) => {
        const caps = { consumerMaxBytesBilled: consumer, storedMaxBytesBilled: stored };
        const own = isUntrusted
          ? [consumer, CAPS.consumerMaxBytesBilled]
          : [stored, CAPS.storedMaxBytesBilled];
        const [lowest] = [...own, token].filter((one) => one !== null).sort((a, b) => a - b);
        expect(of({ isUntrusted }, { maxBytesBilled: token }, caps).maxBytesBilled).toBe(lowest);
      }),
    );
  });

  test.each<[string, number | null, number | null, boolean, number]>([
    ["the service's where nobody else has one", null, null, true, 1_000],
    ["the service's for stored queries", null, null, false, 5_000],
    ["the endpoint's where it is less", 900, null, true, 900],
    ["the token's where it is less", 900, 800, true, 800],
    ["the service's where endpoint and token allow more", 2_000, 3_000, true, 1_000],
  ])('has a cap on bytes: %s', (_, own, token, isUntrusted, expected) => {
    const caps = { storedMaxBytesBilled: own, consumerMaxBytesBilled: own };
    expect(of({ isUntrusted }, { maxBytesBilled: token }, caps).maxBytesBilled).toBe(expected);
  });

  test.each<[number | null, number]>([
    [null, 1000],
    [5, 5],
    [5000, 1000],
  ])('has no more rows than the endpoint gives: %p are %p', (maxRows, rows) => {
    expect(of({}, { maxRows }, { maxRows: 1000 }).maxRows).toBe(rows);
  });
});
