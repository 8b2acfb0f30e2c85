import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { functionNames } from '../../shared/sql/functions/catalog.ts';
import { refusalOf } from '../../shared/sql/functions/refused-functions.ts';
import { isTranslated } from '../../shared/warehouse/duckdb/translate/functions/translate-call.ts';
import { FUNCTIONS_PAGE, namesOfRows, withFunctionTable } from './support/function-table.ts';

const page = readFileSync(FUNCTIONS_PAGE, 'utf8');

/** The names in the first column of the table of refused functions; `*` in them is anything. */
function refusedNames(): readonly string[] {
  const table = /^\| refused functions \|.*\n\| --- .*\n((?:\| .*\n)+)/m.exec(page)?.[1] ?? '';
  const cells = table.split('\n').map((line) => line.split(' | ')[0] ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

describe('docs/googlesql.md', () => {
  test('has the table of functions that the catalogue makes; else run "npm run docs:tables"', () => {
    const wrong = page.replace('`SHA512`', '`SHA513`');
    expect(wrong).not.toBe(page);
    expect(withFunctionTable(wrong)).toBe(page);
  });

  test('has exactly the functions that the embedded engine computes, each in one row', () => {
    expect(namesOfRows(page).flat().sort()).toEqual(
      functionNames()
        .filter((name) => isTranslated(name))
        .sort(),
    );
  });

  test('has no row of functions without functions', () => {
    expect(namesOfRows(page).filter((names) => names.length === 0)).toEqual([]);
  });

  test('names functions as refused that are refused', () => {
    const names = refusedNames();
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => refusalOf(name.replace('*', 'X')) === null)).toEqual([]);
  });
});
