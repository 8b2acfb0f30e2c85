import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { didYouMean, nearestNames } from '../../../../shared/sql/text/nearest-names.ts';

describe('the nearest names', () => {
  test.each<[string, string[], string[]]>([
    ['edge_log', ['auth_logs', 'edge_logs', 'function_edge_logs'], ['edge_logs']],
    ['EDGE_LOGS', ['edge_logs'], ['edge_logs']],
    ['tiemstamp', ['timestamp', 'time'], ['timestamp']],
    ['cuont', ['count', 'round', 'mount'], ['count']],
    ['a', ['b', 'id', 'metadata'], ['b']],
    ['nope', ['id', 'timestamp', 'metadata'], []],
    ['x', [], []],
    [
      'aaaaaaaaa',
      ['aaaaaaaab', 'aaaaaaaac', 'aaaaaaaad', 'aaaaaaaa'],
      ['aaaaaaaa', 'aaaaaaaab', 'aaaaaaaac'],
    ],
    ['status', ['status', 'status', 'Status'], ['status', 'Status']],
  ])('to %s among %j are %j', (name, candidates, nearest) => {
    expect(nearestNames(name, candidates)).toEqual(nearest);
  });

  test('are three at most, all of them candidates, none far away', () => {
    const names = fc.string({ unit: fc.constantFrom('a', 'b', '_', 'é'), maxLength: 12 });
    fc.assert(
      fc.property(names, fc.array(names, { maxLength: 20 }), (name, candidates) => {
        const nearest = nearestNames(name, candidates);
        expect(nearest.length).toBeLessThanOrEqual(3);
        expect(nearest.every((one) => candidates.includes(one))).toBe(true);
        expect(candidates.includes(name) ? nearest[0] : '').toBe(candidates.includes(name) ? name : '');
      }),
    );
  });

  test('make a hint, or none', () => {
    expect(didYouMean('edge_log', ['edge_logs'])).toBe('; did you mean edge_logs?');
    expect(didYouMean('lags', ['logs', 'lags2'])).toBe('; did you mean lags2 or logs?');
    expect(didYouMean('nope', ['metadata'])).toBe('');
  });

  test('are found for names of any length', () => {
    const long = 'x'.repeat(60_000);
    expect(nearestNames(long, [`${long}y`, 'short'])).toEqual([`${long}y`]);
  });
});
