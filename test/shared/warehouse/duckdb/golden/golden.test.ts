import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { GOLDEN_QUERIES, goldenFileName } from './support/queries.ts';
import { showCompilation, translationsOf } from './support/show-compilation.ts';
import { wrapSql } from './support/wrap-sql.ts';

const FOLDER = new URL('./', import.meta.url).pathname;
const FILES = GOLDEN_QUERIES.map((query) => ({ file: goldenFileName(query), query }));

describe('golden files', () => {
  test('are those of the queries, one each (`npm run golden` writes and deletes them)', () => {
    const stored = readdirSync(FOLDER).filter((name) => name.endsWith('.txt'));
    expect(stored.toSorted()).toEqual(FILES.map(({ file }) => file).toSorted());
  });

  test.each(FILES)(
    'show how a query is compiled: $file (`npm run golden` rewrites it)',
    ({ file, query }) => {
      expect(showCompilation(query)).toBe(readFileSync(`${FOLDER}${file}`, 'utf8'));
    },
  );

  test.each(FILES)('have the SQL that DuckDB runs, in lines: $file', ({ query }) => {
    const withoutSpace = (sql: string) => sql.replaceAll(/\s/g, '');
    for (const { sql } of translationsOf(query)) expect(withoutSpace(wrapSql(sql))).toBe(withoutSpace(sql));
  });
});
