import { describe, expect, it } from '@jest/globals';
import { QueriesFirst } from '../../../../../shared/warehouse/duckdb/live/queries-first.ts';

describe('work that lets queries go first', () => {
  it('has its turn at once where no query runs', async () => {
    const queries = new QueriesFirst();
    await queries.run(async () => {});
    const order: string[] = [];
    const turn = queries.turn().then(() => order.push('work'));
    await Promise.resolve().then(() => Promise.resolve());
    order.push('later');
    await turn;
    expect(order).toEqual(['work', 'later']);
  });

  it('waits for the end of a query, of one that fails too', async () => {
    for (const fails of [false, true]) {
      const queries = new QueriesFirst();
      const order: string[] = [];
      const query = queries.run(async () => {
        await new Promise(setImmediate);
        order.push('query');
        if (fails) throw new RangeError('of the query');
      });
      const turn = queries.turn().then(() => order.push('work'));
      if (fails) await expect(query).rejects.toThrow('of the query');
      else await query;
      await turn;
      expect(order).toEqual(['query', 'work']);
    }
  });

  it('has its turn beside a query that does not end, again and again', async () => {
    const queries = new QueriesFirst();
    let end = () => {};
    const query = queries.run(() => new Promise<void>((resolve) => (end = resolve)));
    for (let turn = 0; turn < 3; turn += 1) await queries.turn();
    end();
    await query;
    await queries.turn();
  });
});
