import { describe, expect, test } from '@jest/globals';
import type { PageToken } from '../../../shared/warehouse/page-token.ts';
import { pageTokenSchema } from '../../../shared/warehouse/page-token-schema.ts';

const RESULT: PageToken = {
  kind: 'result',
  resultId: '8b1f3e4e-6d0a-4f2e-9d1c-5a2b7c9e0f11',
  startIndex: 1000,
};
const JOB: PageToken = { kind: 'job', jobId: 'job-1', location: 'EU', startIndex: 10, rowLimit: 100 };

describe('a page token', () => {
  test.each<PageToken>([
    RESULT,
    JOB,
    { kind: 'worker', workerId: 3, page: RESULT },
    { kind: 'window', page: JOB },
    { kind: 'window', page: { kind: 'worker', workerId: 0, page: RESULT } },
  ])('is read as it was written: %j', (token) => {
    expect(pageTokenSchema.parse(JSON.parse(JSON.stringify(token)))).toEqual(token);
  });

  test.each<[string, unknown]>([
    ['text', 'window:'],
    ['a list', []],
    ['nothing', null],
    ['no kind', { resultId: RESULT.resultId, startIndex: 1 }],
    ['an unknown kind', { ...RESULT, kind: 'table' }],
    ['a path in place of a job', { ...JOB, jobId: '../../datasets' }],
    ['a row before the first', { ...JOB, startIndex: -1 }],
    ['a part of a row', { ...JOB, startIndex: 0.5 }],
    ['an invalid result', { ...RESULT, resultId: 'x' }],
    ['more than a token has', { ...JOB, x: 1 }],
    ['a window of nothing', { kind: 'window', page: null }],
  ])('is refused that has %s', (_, value) => {
    expect(pageTokenSchema.safeParse(value).success).toBe(false);
  });
});
