import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from '@jest/globals';
import { hashOfNumber, idHash, SeenIds } from '../../../../../shared/warehouse/duckdb/live/seen-ids.ts';

describe('ids that were seen', () => {
  it('are all known, and of those that were not seen few are taken for known', () => {
    const seen = new SeenIds(0);
    const count = 200_000;
    for (let index = 0; index < count; index += 1) seen.add(idHash(`seen ${index}`));
    let unknown = 0;
    let mistaken = 0;
    for (let index = 0; index < count; index += 1) {
      if (!seen.mayHave(idHash(`seen ${index}`))) unknown += 1;
      if (seen.mayHave(idHash(`new ${index}`))) mistaken += 1;
    }
    expect(unknown).toBe(0);
    expect(mistaken).toBeLessThan(count / 500);
  });

  it('have the same hash here and in DuckDB', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    for (const id of ['', 'a', '018c7e4c-95d5-7b2b-8c2c-9d1f0a6b3c11', 'ä🙂']) {
      const reader = await connection.runAndReadAll('SELECT md5_number_lower($1)', [id]);
      expect(hashOfNumber(reader.getRowsJS()[0]?.[0] as bigint)).toEqual(idHash(id));
    }
    connection.closeSync();
    instance.closeSync();
  });
});
