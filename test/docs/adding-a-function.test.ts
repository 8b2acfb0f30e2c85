import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { findFunction } from '../../shared/sql/functions/catalog.ts';
import { isTranslated } from '../../shared/warehouse/duckdb/translate/functions/translate-call.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = read('docs/adding-a-function.md');
const CATALOGUE = 'shared/sql/functions';
const TRANSLATIONS = 'shared/warehouse/duckdb/translate/functions';

/** The files of the source with a function's name in quotation marks, or as a key; making a call of it is no knowledge of it. */
function filesNaming(name: string, folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .filter((path) => new RegExp(`(?<!\\bcall\\()['"\`]${name}['"\`]|^\\s*${name}:`, 'm').test(read(path)))
    .sort();
}

describe('docs/adding-a-function.md', () => {
  test('shows lines that stand in the files that it names', () => {
    const [entry, translation] = [...page.matchAll(/```ts\n(.*?)\n```/gs)].map(([, line = '']) => line);
    expect(read(`${CATALOGUE}/hashes.ts`)).toContain(`  ${entry}\n`);
    expect(read(`${TRANSLATIONS}/hashes.ts`)).toContain(`  ${translation}\n`);
  });

  test.each(['SHA512', 'TO_BASE32', 'FROM_BASE32', 'MAKE_INTERVAL', 'NTILE', 'JSON_SET', 'REGEXP_CONTAINS'])(
    'is right that one entry and one translation name a function: %s',
    (name) => {
      const files = filesNaming(name, 'shared');
      expect(files.map((path) => path.slice(0, path.lastIndexOf('/')))).toEqual([CATALOGUE, TRANSLATIONS]);
    },
  );

  test('names facts that entries of its examples have', () => {
    const rows = [
      ...page.matchAll(/^\| `(\w+)`(?:, `(\w+)`)?[^|]*\| `(\$?[A-Z_0-9]+)`(?:, `(\$?[A-Z_0-9]+)`)?/gm),
    ];
    expect(rows.length).toBeGreaterThan(6);
    for (const [, fact = '', second = fact, name = '', other = name] of rows) {
      expect([name, Object.keys(findFunction(name) ?? {})]).toEqual([name, expect.arrayContaining([fact])]);
      expect([other, Object.keys(findFunction(other) ?? {})]).toEqual([
        other,
        expect.arrayContaining([second]),
      ]);
    }
  });

  test('follows a function that the embedded engine computes', () => {
    expect(isTranslated('SHA512')).toBe(true);
  });

  test('names files and folders that are there', () => {
    const paths = [...page.matchAll(/`((?:shared|test|docs)\/[\w./-]+)`/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(4);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });
});
