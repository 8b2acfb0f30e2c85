import { describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../../shared/errors/service-error.ts';
import { REFUSALS, REQUEST } from './support/refusals.ts';
import { BOUND, sandbox } from './support/sandbox-of-logs.ts';

function refusalOf(sql: string): ServiceError {
  try {
    sandbox.compile(sql, REQUEST, BOUND);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new TypeError('the query was accepted');
}

describe.each(REFUSALS)('%s:', (name, refusals) => {
  test.each(refusals)('$why is refused', ({ sql, message }) => {
    const error = refusalOf(sql);
    expect(error.kind).toBe('invalid_argument');
    expect(error.message).toMatch(new RegExp(message.replaceAll(/[.*+?^${}()[\]\\]/g, '\\$&')));
    expect(error.message.length).toBeLessThan(600);
    if (!/bytes|make it smaller/.test(error.message)) {
      const [position] = error.details;
      expect(error.message).toContain(`(line ${position?.line}, column ${position?.column})`);
    }
  });

  test('the table has a reason in each row, and no row twice', () => {
    expect(name).not.toBe('');
    expect(new Set(refusals.map(({ sql }) => sql)).size).toBe(refusals.length);
  });
});
