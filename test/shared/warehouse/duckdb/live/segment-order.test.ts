import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { entry, liveServices } from './support/live-services.ts';

const { start, stop, stopAll, remove } = liveServices();

afterEach(stopAll);
afterAll(remove);

const DOUBLED = { metadata: [{ request: [{ method: 'GET' }, { method: 'PUT' }] }] };
/** With the character that separates the values of a column. */
const SEPARATOR = { event_message: 'a\u001fb' };
const MICROS_PER_SECOND = 1_000_000n;

/** The seconds of the entries of each segment in the order in which they lie there. */
async function storedSeconds(databaseFile: string): Promise<readonly (readonly number[])[]> {
  const folder = `${databaseFile}.live`;
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const files = readdirSync(folder).filter((name) => /^segment-\d+\.db$/.test(name));
  const segments = [];
  for (const file of files) {
    await connection.run(`ATTACH '${join(folder, file)}' AS one (READ_ONLY)`);
    const { value } = (
      await connection.runAndReadAll(
        'SELECT epoch_us(timestamp) AS value FROM one.main.app_logs ORDER BY rowid',
      )
    ).getColumnsObjectJS() as { value?: readonly bigint[] };
    segments.push((value ?? []).map((micros) => Number((micros / MICROS_PER_SECOND) % 60n)));
    await connection.run('DETACH one');
  }
  connection.closeSync();
  instance.closeSync();
  return segments;
}

describe('the entries of a segment', () => {
  it.each([
    [
      'in order',
      [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
      {},
    ],
    [
      'late by a batch',
      [
        [5, 6],
        [1, 2],
        [3, 4],
      ],
      {},
    ],
    [
      'late within a batch',
      [
        [2, 1],
        [6, 3],
        [5, 4],
      ],
      {},
    ],
    [
      'late, with a separator in their text',
      [
        [5, 6],
        [2, 1],
        [3, 4],
      ],
      SEPARATOR,
    ],
    [
      'late, with a record twice',
      [
        [5, 6],
        [2, 1],
        [3, 4],
      ],
      DOUBLED,
    ],
  ])('lie in order of time where they arrive %s', async (_, batches, rest) => {
    const service = await start([], { limits: { sealEntries: 6, mergeCount: 2 } });
    for (const seconds of batches)
      await service.live.append(
        'app_logs',
        seconds.map((second) => entry(`n${second}`, second, rest)),
      );
    // The file of records is full, and the next batch begins another.
    await service.live.append('app_logs', [entry('last', 40)]);
    await service.live.settle();
    await stop(service);
    expect(await storedSeconds(service.databaseFile)).toEqual([[1, 2, 3, 4, 5, 6]]);
  });

  it.each([
    ['follow each other', [1, 2, 3, 4]],
    ['begin with the latest', [3, 4, 1, 2]],
    ['overlap', [1, 3, 2, 4]],
    ['are of the same time', [1, 1, 1, 1]],
  ])('lie in order of time when segments are merged that %s', async (_, seconds) => {
    const service = await start([], { limits: { sealEntries: 2, mergeCount: 2 } });
    for (const [index, second] of seconds.entries())
      await service.live.append('app_logs', [entry(`n${index}`, second)]);
    await service.live.append('app_logs', [entry('last', 40)]);
    await service.live.settle();
    await stop(service);
    expect(await storedSeconds(service.databaseFile)).toEqual([seconds.toSorted((a, b) => a - b)]);
  });
});
