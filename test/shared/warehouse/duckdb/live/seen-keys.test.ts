import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from '@jest/globals';
import { hashOfNumber, keyHash, SeenKeys } from '../../../../../shared/warehouse/duckdb/live/seen-keys.ts';

describe('keys that were seen', () => {
  it('are all known, and of those that were not seen few are taken for known', () => {
    const seen = new SeenKeys(0);
    const count = 200_000;
    for (let index = 0; index < count; index += 1) seen.add(keyHash(`seen ${index}`));
    let unknown = 0;
    let mistaken = 0;
    for (let index = 0; index < count; index += 1) {
      if (!seen.mayHave(keyHash(`seen ${index}`))) unknown += 1;
      if (seen.mayHave(keyHash(`new ${index}`))) mistaken += 1;
    }
    expect(unknown).toBe(0);
    expect(mistaken).toBeLessThan(count / 500);
  });

  it('have the same hash here and in DuckDB', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    for (const id of ['', 'a', '018c7e4c-95d5-7b2b-8c2c-9d1f0a6b3c11', 'ä🙂']) {
      const reader = await connection.runAndReadAll('SELECT md5_number_lower($1)', [id]);
      expect(hashOfNumber(reader.getRowsJS()[0]?.[0] as bigint)).toEqual(keyHash(id));
    }
    connection.closeSync();
    instance.closeSync();
  });
});
