import { describe, expect, it } from '@jest/globals';
import { type CachedAnswer, contentHashOf, etagOf } from '../../../shared/cache/answer.ts';
import { answerOf } from './support/answers.ts';

const ANSWER = answerOf('a', 'b');

describe('the digest of what an answer says', () => {
  it.each<[string, CachedAnswer]>([
    ['another row', answerOf('a', 'c')],
    ['a row less', answerOf('a')],
    ['rows in another order', answerOf('b', 'a')],
    ['rows that were cut off', { ...ANSWER, truncated: true }],
    ['another column', { ...ANSWER, columns: [{ name: 'w', type: { kind: 'JSON' } }] }],
    ['another type', { ...ANSWER, columns: [{ name: 'v', type: { kind: 'STRING' } }] }],
    ['another fact', { ...ANSWER, facts: { warnings: ['no time bound'] } }],
  ])('changes with %s', (_, other) => {
    expect(contentHashOf(other)).not.toBe(contentHashOf(ANSWER));
  });

  it('does not change with what the query cost', () => {
    expect(contentHashOf({ ...ANSWER, bytesProcessed: null, bytesBilled: null })).toBe(contentHashOf(ANSWER));
  });
});

describe('an entity tag', () => {
  it('is a strong one, in the characters that RFC 9110 allows', () => {
    expect(etagOf(contentHashOf(ANSWER), 'json-br')).toMatch(/^"[\x21\x23-\x7e]+"$/);
  });

  it('differs between representations', () => {
    const hash = contentHashOf(ANSWER);
    expect(etagOf(hash, 'json')).not.toBe(etagOf(hash, 'json-br'));
  });
});
