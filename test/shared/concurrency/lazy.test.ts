import { describe, expect, test } from '@jest/globals';
import { lazy } from '../../../shared/concurrency/lazy.ts';
import { lazyWarehouse } from '../../../shared/runtime/lazy-warehouse.ts';
import type { CountingWarehouse } from '../../../shared/warehouse/warehouse.ts';

describe('a part that is made on first use', () => {
  test('is made once for all who need it at the same time and later', async () => {
    let made = 0;
    const part = lazy(async () => {
      made += 1;
      return { made };
    });
    expect(made).toBe(0);
    expect(part.made()).toBeUndefined();
    const [one, two] = await Promise.all([part(), part()]);
    expect(one).toBe(two);
    expect(await part()).toBe(one);
    expect(await part.made()).toBe(one);
    expect(made).toBe(1);
  });

  test('is tried again by the next who needs it, when it could not be made', async () => {
    const results = [() => Promise.reject(new Error('not yet')), () => Promise.resolve('made')];
    const part = lazy(() => results.shift()!());
    await expect(part()).rejects.toThrow('not yet');
    expect(await part()).toBe('made');
    expect(await part()).toBe('made');
  });
});

describe('a warehouse that is made on first use', () => {
  const opened = () => {
    const calls: string[] = [];
    const result = { columns: [], rows: ['{}'], truncated: false, bytesProcessed: 1, bytesBilled: 2 };
    const inner: CountingWarehouse = {
      tables: new Map(),
      prepare: async () => ({ columns: [{ name: 'a', type: { kind: 'INT64' } }] }),
      run: async () => result,
      estimate: async () => ({ bytes: 5, bytesBilled: 10, isRefused: false }),
      nextPage: async () => result,
      ping: async () => {},
      close: async () => void calls.push('closed'),
    };
    const make = async () => {
      calls.push('made');
      return inner;
    };
    return { calls, warehouse: lazyWarehouse(new Map([['edge_logs', []]]), make) };
  };
  const query = { sql: 'SELECT 1', parameters: new Map() };
  const options = { maxRows: 1, deadlineMs: 1, nowMicros: 0n };

  test('lists its tables and closes without being made', async () => {
    const { calls, warehouse } = opened();
    expect([...warehouse.tables.keys()]).toEqual(['edge_logs']);
    await warehouse.close();
    expect(calls).toEqual([]);
  });

  test('hands on what it is asked, and is closed where it was made', async () => {
    const { calls, warehouse } = opened();
    const prepared = await warehouse.prepare({ sql: 'SELECT 1', parameterTypes: new Map() }, 1);
    expect(prepared.columns).toHaveLength(1);
    expect(await warehouse.run(query, options)).toMatchObject({ rows: ['{}'] });
    expect(await warehouse.estimate(query, options)).toMatchObject({ bytes: 5 });
    const token = { kind: 'result', resultId: 'r', startIndex: 1 } as const;
    expect(await warehouse.nextPage(token, options)).toMatchObject({ bytesProcessed: 1 });
    await warehouse.ping();
    await warehouse.close();
    expect(calls).toEqual(['made', 'closed']);
  });
});
