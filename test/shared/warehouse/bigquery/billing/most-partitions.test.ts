import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mostPartitions } from '../../../../../shared/warehouse/bigquery/billing/most-partitions.ts';

const MOST = 3;

interface Searched {
  readonly found: Awaited<ReturnType<typeof mostPartitions>>;
  readonly asked: readonly number[];
}

/** Searches over partitions of these sizes, the newest first. */
async function search(sizes: readonly number[], cap: number, isOpen = false): Promise<Searched> {
  const asked: number[] = [];
  const of = (count: number) => sizes.slice(0, count).reduce((sum, size) => sum + size, 0);
  const found = await mostPartitions(
    { partitions: isOpen ? null : sizes.length, billed: of(sizes.length), cap },
    {
      most: MOST,
      first: 24,
      estimate: async (count) => {
        asked.push(count);
        return of(count);
      },
    },
  );
  return { found, asked };
}

describe('the most partitions that fit', () => {
  const steady = (count: number) => Array.from({ length: count }, () => 100);

  test('are found at once where all are of one size', async () => {
    expect(await search(steady(168), 1_250)).toEqual({
      found: { partitions: 12, isVerified: true },
      asked: [12],
    });
  });

  test('are found from a first guess where it is unknown how many there are', async () => {
    expect(await search(steady(2_000), 4_250, true)).toEqual({
      found: { partitions: 42, isVerified: true },
      asked: [24, 42],
    });
  });

  test('one is asked about when nothing else fits', async () => {
    const { found, asked } = await search([90, ...steady(30).map(() => 1_000)], 95);
    expect(found).toEqual({ partitions: 1, isVerified: true });
    expect(asked.at(-1)).toBe(1);
  });

  test('are none where one is too many', async () => {
    expect((await search(steady(24), 99)).found).toBeNull();
    expect((await search(steady(5_000), 99, true)).found).toBeNull();
  });

  test('are none without asking where there is only one', async () => {
    expect(await search([100], 99)).toEqual({ found: null, asked: [] });
  });

  test('are not reported where there are no partitions', async () => {
    expect((await search([...steady(24).map(() => 0), 100, 100], 150)).found).toBeUndefined();
  });

  test.each([
    [
      'follow from the size of the whole where BigQuery does not answer',
      168,
      { partitions: 12, isVerified: false },
    ],
    ['are not given where BigQuery does not answer and their number is unknown', null, undefined],
  ])('%s', async (_, partitions, expected) => {
    const estimates = { most: MOST, first: 24, estimate: async () => null };
    expect(await mostPartitions({ partitions, billed: 16_800, cap: 1_250 }, estimates)).toEqual(expected);
  });
});

test('what is found fits, is no more than there is, and takes no more estimates than allowed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 400 }),
      fc.double({ min: 0.001, max: 0.999, noNaN: true }),
      fc.boolean(),
      async (sizes, share, isOpen) => {
        const total = sizes.reduce((sum, size) => sum + size, 0);
        const cap = total * share;
        const { found, asked } = await search(sizes, cap, isOpen);
        expect(asked.length).toBeLessThanOrEqual(MOST);
        expect(found).toBeDefined();
        if (!found) return expect(sizes[0]).toBeGreaterThan(cap);
        const fits = sizes.slice(0, found.partitions).reduce((sum, size) => sum + size, 0);
        expect(found.isVerified && asked.includes(found.partitions)).toBe(true);
        expect(fits).toBeLessThanOrEqual(cap);
        return expect(found.partitions).toBeLessThan(sizes.length);
      },
    ),
  );
});

test('where partitions are of one size, not one more fits than is found', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 10_000 }),
      fc.integer({ min: 1, max: 2_000 }),
      fc.double({ min: 0.0001, max: 0.9999, noNaN: true }),
      async (size, count, share) => {
        const cap = Math.floor(size * count * share);
        const { found } = await search(
          Array.from({ length: count }, () => size),
          cap,
        );
        expect(found?.partitions ?? 0).toBe(Math.floor(cap / size));
      },
    ),
  );
});
