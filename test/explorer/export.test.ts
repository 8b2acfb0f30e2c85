import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ExportProblem, gatheredFile } from '../../explorer/result/export-file.js';
import { exportPieces } from '../../explorer/result/export-rows.js';

const COLUMNS = [{ name: 'n', type: 'INTEGER', mode: 'NULLABLE' as const }];

describe('a file of rows is the same however the rows come in pages', () => {
  test.each(['csv', 'ndjson', 'json'] as const)('%s', (format) => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer(), { maxLength: 4 }), { maxLength: 6 }), (pages) => {
        const rows = pages.map((page) => page.map((n) => ({ n })));
        const write = (given: typeof rows) => {
          const { start, page, end } = exportPieces(format, COLUMNS);
          return start + given.map((one) => page(one)).join('') + end;
        };
        const written = write(rows);
        expect(written).toBe(write([rows.flat()]));
        const read =
          format === 'json'
            ? JSON.parse(written)
            : format === 'ndjson'
              ? written
                  .split('\n')
                  .filter(Boolean)
                  .map((line) => JSON.parse(line))
              : written
                  .split('\r\n')
                  .slice(1, -1)
                  .map((n) => ({ n: Number(n) }));
        expect(read).toEqual(rows.flat());
      }),
    );
  });
});

describe('a file that the browser gathers', () => {
  const bytes = (length: number) => new Uint8Array(length).fill(120);

  test('is saved whole when it is closed', async () => {
    const saved: Blob[] = [];
    const file = gatheredFile((content) => saved.push(content), 'text/csv', 10);
    await file.write(bytes(4));
    await file.write(bytes(6));
    expect(saved).toEqual([]);
    await file.close();
    expect([saved[0]?.type, await saved[0]?.text()]).toEqual(['text/csv', 'x'.repeat(10)]);
  });

  test('has a bound, and says what to do', async () => {
    const file = gatheredFile(() => {}, 'text/csv', 1024 * 1024);
    await file.write(bytes(1024 * 1024));
    const refused = file.write(bytes(1));
    await expect(refused).rejects.toThrow(ExportProblem);
    await expect(refused).rejects.toThrow(
      'more than 1 MiB, the most that this browser gathers. Narrow the window',
    );
  });
});
