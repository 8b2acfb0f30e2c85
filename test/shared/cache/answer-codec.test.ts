import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CachedAnswer, contentHashOf } from '../../../shared/cache/answer.ts';
import { decodeAnswer, encodeAnswer } from '../../../shared/cache/answer-codec.ts';
import { answerOf, largeAnswer } from './support/answers.ts';

const KEY = 'a'.repeat(64);
const encode = (answer: CachedAnswer) => encodeAnswer(KEY, answer, contentHashOf(answer));

const FULL: CachedAnswer = {
  columns: [
    { name: 'id', type: { kind: 'STRING' } },
    {
      name: 'metadata',
      type: {
        kind: 'ARRAY',
        element: { kind: 'STRUCT', fields: [{ name: '', type: { kind: 'NUMERIC' } }] },
      },
    },
  ],
  rows: ['{"id":"é😀\\u0000","metadata":[{"":"1.20"}]}', '{"id":null,"metadata":[]}'],
  truncated: true,
  bytesProcessed: 10_000,
  rowsScanned: 40_000,
  bytesBilled: 10_485_760,
  facts: { warnings: [{ line: 1, text: 'no bound' }], slow: false, none: null },
  pageToken: { kind: 'window', page: { kind: 'job', jobId: 'job-1', startIndex: 2, rowLimit: 20 } },
};

describe('an answer that is written and read', () => {
  it.each<[string, CachedAnswer]>([
    ['with everything', FULL],
    ['without rows', { ...FULL, rows: [], truncated: false }],
    ['without columns', answerOf()],
    ['of a warehouse that does not say what it read', { ...FULL, bytesProcessed: null, bytesBilled: null }],
    ['with line breaks and white space in a row', { ...FULL, rows: ['{ "a":\n1 }', '{\t}'] }],
    ['of many megabytes', largeAnswer(5_000_000)],
  ])('stays the same: %s', async (_, answer) => {
    expect(await decodeAnswer(KEY, await encode(answer))).toEqual({
      kind: 'answer',
      answer,
      contentHash: contentHashOf(answer),
    });
  });

  it('stays the same whatever its texts are', async () => {
    const text = fc.string({ unit: 'grapheme' });
    // No fact of the service has this name, and none that somebody put there is read back.
    const fact = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__'));
    await fc.assert(
      fc.asyncProperty(fc.array(text), text, fact, async (values, name, own) => {
        const answer = {
          ...answerOf(...values),
          columns: [{ name, type: { kind: 'JSON' } }],
          facts: { fact: JSON.parse(JSON.stringify(own)) },
        } satisfies CachedAnswer;
        expect(await decodeAnswer(KEY, await encode(answer))).toMatchObject({ kind: 'answer', answer });
      }),
    );
  });

  it('takes a fraction of its bytes', async () => {
    const row = (index: number) => `GET /rest/v1/orders?id=eq.${index} 200`;
    const answer = answerOf(...Array.from({ length: 1000 }, (_, index) => row(index)));
    expect((await encode(answer)).length).toBeLessThan(answer.rows.join('').length / 4);
  });
});

describe('bytes that are no answer', () => {
  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['none', () => Buffer.alloc(0)],
    ['text', () => Buffer.from('{"result":[]}')],
    ['the first half', (bytes) => bytes.subarray(0, bytes.length / 2)],
    ['all but the last', (bytes) => bytes.subarray(0, -1)],
    ['one more', (bytes) => Buffer.concat([bytes, Buffer.from([0])])],
    ['zeros', (bytes) => Buffer.alloc(bytes.length)],
    ['the prefix alone', (bytes) => bytes.subarray(0, 37)],
    ['a later version', (bytes) => Buffer.concat([Buffer.from('LQEA\u0003'), bytes.subarray(5)])],
  ])('are distinguished: %s', async (_, damage) => {
    const bytes = Buffer.from(await encode(FULL));
    expect(await decodeAnswer(KEY, damage(bytes))).toMatchObject({ kind: 'unreadable' });
  });

  it('are distinguished with one bit flipped, wherever it is', async () => {
    const bytes = Buffer.from(await encode(FULL));
    for (let at = 0; at < bytes.length; at += 1) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      expect(await decodeAnswer(KEY, damaged)).toMatchObject({ kind: 'unreadable' });
    }
  });

  it('are distinguished under the key of another answer', async () => {
    expect(await decodeAnswer('b'.repeat(64), await encode(FULL))).toMatchObject({ kind: 'unreadable' });
  });

  it.each<[string, unknown]>([
    ['an invalid type', { columns: [{ name: 'a', type: { kind: 'MONEY' } }] }],
    ['rows that are not counted', { rowLengths: 'all' }],
    ['rows of other lengths', { rowLengths: [2, 2] }],
    ['rows of no length', { rowLengths: [0] }],
    ['what it has no field for', { more: true }],
    ['the next page of an earlier version', { facts: { rest: '{"j":"job-1","s":10,"k":100}' } }],
    ['a next page of no warehouse', { pageToken: { kind: 'table', startIndex: 1 } }],
  ])('are distinguished with a right checksum and %s', async (_, changes) => {
    const { columns, truncated, bytesProcessed, bytesBilled, facts } = answerOf();
    const head = {
      columns,
      rowLengths: [] as unknown,
      truncated,
      bytesProcessed,
      bytesBilled,
      facts,
      contentHash: 'x',
      ...(changes as object),
    };
    expect(await decodeAnswer(KEY, await forge(head, ''))).toMatchObject({ kind: 'unreadable' });
  });

  it('are distinguished with a right checksum and a header that never ends', async () => {
    const bytes = await forge(`${'['.repeat(200_000)}`, '');
    expect(await decodeAnswer(KEY, bytes)).toMatchObject({ kind: 'unreadable' });
  });

  it('never fill the memory when they are unpacked', async () => {
    const bomb = await forge({}, 'a'.repeat(200 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(1024 * 1024);
    expect(await decodeAnswer(KEY, bomb)).toMatchObject({ kind: 'unreadable' });
  });

  it('are read as they were when a forged header is right', async () => {
    const { columns, truncated, bytesProcessed, bytesBilled, facts } = answerOf();
    const head = {
      columns,
      rowLengths: [2],
      truncated,
      bytesProcessed,
      bytesBilled,
      facts,
      contentHash: 'x',
    };
    expect(await decodeAnswer(KEY, await forge(head, '{}'))).toMatchObject({ answer: { rows: ['{}'] } });
  });
});

/** Bytes in the form of an answer's, with a right checksum over whatever is in them. */
async function forge(head: unknown, body: string): Promise<Uint8Array> {
  const { createHash } = await import('node:crypto');
  const { brotliCompressSync, constants } = await import('node:zlib');
  const text = Buffer.from(typeof head === 'string' ? head : JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  const packed = brotliCompressSync(Buffer.concat([length, text, Buffer.from(body)]), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
  });
  const checksum = createHash('sha256').update(`${KEY}\n`).update(packed).digest();
  return Buffer.concat([Buffer.from('LQEA\u0002'), checksum, packed]);
}
