import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createRecordFile, readRecords } from '../../../../../shared/warehouse/duckdb/live/record-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'record-file-'));
let last = 0;
const newPath = () => join(folder, `${++last}.log`);

afterAll(() => rmSync(folder, { recursive: true }));

const texts = (records: readonly Buffer[]) => records.map((record) => record.toString());

const someRecords = fc.array(fc.string({ minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 8 });

async function writeFile(records: readonly string[]): Promise<{ path: string; ends: number[] }> {
  const path = newPath();
  const file = await createRecordFile(path);
  const ends: number[] = [];
  for (const record of records) {
    await file.append([Buffer.from(record)]);
    ends.push(file.position.offset);
  }
  await file.close();
  return { path, ends };
}

describe('files of records', () => {
  it('read what was appended, in its order, whether one by one or many at once', async () => {
    await fc.assert(
      fc.asyncProperty(someRecords, fc.boolean(), async (records, isAtOnce) => {
        const path = newPath();
        const file = await createRecordFile(path);
        const appends = [];
        for (const record of records) {
          const appended = file.append([Buffer.from(record)]);
          appends.push(appended);
          if (!isAtOnce) await appended;
        }
        await Promise.all(appends);
        const read = await readRecords(path);
        expect(texts(read.records)).toEqual(records);
        expect(read.end).toEqual(file.position);
        await file.close();
      }),
      { numRuns: 30 },
    );
  });

  it('read on from any place where a record ends', async () => {
    await fc.assert(
      fc.asyncProperty(someRecords, fc.nat(), async (records, choice) => {
        const { path, ends } = await writeFile(records);
        const index = choice % records.length;
        const first = await readRecords(path, undefined, ends[index]);
        const rest = await readRecords(path, first.end);
        expect(texts(first.records)).toEqual(records.slice(0, index + 1));
        expect(texts(rest.records)).toEqual(records.slice(index + 1));
      }),
      { numRuns: 30 },
    );
  });

  it('keep the whole records before any byte at which they are cut off', async () => {
    await fc.assert(
      fc.asyncProperty(someRecords, fc.nat(), async (records, choice) => {
        const { path, ends } = await writeFile(records);
        const bytes = readFileSync(path);
        const length = choice % (bytes.length + 1);
        writeFileSync(path, bytes.subarray(0, length));
        const whole = ends.filter((end) => end <= length).length;
        const { records: read, end } = await readRecords(path);
        expect(texts(read)).toEqual(records.slice(0, whole));
        expect(end.offset).toBe(ends[whole - 1] ?? 0);
      }),
      { numRuns: 100 },
    );
  });

  it('never answer a record in which any bit has changed, nor one after it', async () => {
    await fc.assert(
      fc.asyncProperty(someRecords, fc.nat(), fc.nat(7), async (records, choice, bit) => {
        const { path, ends } = await writeFile(records);
        const bytes = readFileSync(path);
        const at = choice % bytes.length;
        bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
        writeFileSync(path, bytes);
        const whole = ends.filter((end) => end <= at).length;
        expect(texts((await readRecords(path)).records)).toEqual(records.slice(0, whole));
      }),
      { numRuns: 100 },
    );
  });

  it('never answer records of an earlier file whose bytes follow those of a shorter one', async () => {
    const longer = await writeFile(['a', 'b', 'c']);
    const shorter = await writeFile(['x']);
    const mixed = readFileSync(longer.path);
    readFileSync(shorter.path).copy(mixed);
    writeFileSync(longer.path, mixed);
    expect(texts((await readRecords(longer.path)).records)).toEqual(['x']);
  });
});
