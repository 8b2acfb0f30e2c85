import { describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../../shared/errors/service-error.ts';
import { ATTACKS } from '../../../fuzz/attacks.ts';
import { sandboxUnderTest } from '../../../fuzz/sandbox-under-test.ts';

const sandbox = await sandboxUnderTest();

const BOUND = new Map([
  ['project', { type: 'STRING', value: 'demo' } as const],
  ['iso_timestamp_start', { type: 'TIMESTAMP', value: null } as const],
  ['iso_timestamp_end', { type: 'TIMESTAMP', value: null } as const],
]);

/** The sources that a query reads, or that it is refused. */
function verdictOn(sql: string): readonly string[] | 'refused' {
  try {
    return sandbox.compile(sql, new Map(), BOUND).sources;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'invalid_argument') return 'refused';
    throw error;
  }
}

describe.each(Object.entries(Object.groupBy(ATTACKS, (attack) => attack.class)))('%s:', (_, attacks) => {
  test.each(attacks ?? [])('$why', ({ sql, expected }) => {
    expect(verdictOn(sql)).toEqual(expected);
  });
});

test('no attack is there twice', () => {
  expect(new Set(ATTACKS.map(({ sql }) => sql)).size).toBe(ATTACKS.length);
  expect(ATTACKS.length).toBeGreaterThanOrEqual(200);
});
