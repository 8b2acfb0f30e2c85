import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../../../shared/errors/service-error.ts';
import { fetchRows, spoolRows } from '../../../../../shared/warehouse/duckdb/isolated/spooled-rows.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spooled-'));
});
afterAll(() => rm(folder, { recursive: true }));

const resultOf = (rows: readonly string[]) => ({
  columns: [],
  rows,
  truncated: true,
  bytesProcessed: null,
  bytesBilled: null,
  pageToken: { kind: 'result', resultId: 'r', startIndex: 1 } as const,
});
const DEADLINE_MS = 60_000;

describe('rows of a query process', () => {
  test('go with the message where they are short', async () => {
    const result = resultOf(['{"a":1}']);
    expect(await spoolRows(result, folder, DEADLINE_MS)).toBe(result);
    expect(await readdir(folder)).toEqual([]);
  });

  test.each([
    ['of ASCII', Array.from({ length: 300 }, (_, n) => JSON.stringify({ n, text: 'x'.repeat(1000) }))],
    [
      'beyond it',
      Array.from({ length: 300 }, (_, n) => JSON.stringify({ n, text: `né\n💩${'日'.repeat(500)}` })),
    ],
    ['that are one', [JSON.stringify({ text: '"\\\u2028\u0000'.repeat(50_000) })]],
  ])('%s go through a file for the service alone, which is gone when it is read', async (_, rows) => {
    const result = resultOf(rows);
    const spooled = await spoolRows(result, folder, DEADLINE_MS);
    expect(spooled.rows).toEqual([]);
    const [name = ''] = await readdir(folder);
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    const grown: number[] = [];
    const fetched = await fetchRows(spooled, async (bytes) => {
      grown.push(bytes);
      expect(await readdir(folder)).toEqual([]);
    });
    expect(fetched).toEqual(result);
    expect(grown[0]).toBeGreaterThan(2 * rows.join('').length);
  });

  test('are not read where there is no room', async () => {
    const spooled = await spoolRows(resultOf(['x'.repeat(200_000)]), folder, DEADLINE_MS);
    const refusal = new ServiceError('unavailable', 'no room');
    await expect(fetchRows(spooled, () => Promise.reject(refusal))).rejects.toBe(refusal);
    expect(await readdir(folder)).toEqual([]);
  });

  test('that are gone are a failure of the warehouse', async () => {
    const spooled = await spoolRows(resultOf(['x'.repeat(200_000)]), folder, DEADLINE_MS);
    await fetchRows(spooled, undefined);
    await expect(fetchRows(spooled, undefined)).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
