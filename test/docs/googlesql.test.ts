import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { functionNames } from '../../shared/sql/functions/catalog.ts';
import { isTranslated } from '../../shared/warehouse/duckdb/translate/functions/translate-call.ts';

const page = readFileSync(new URL('../../docs/googlesql.md', import.meta.url), 'utf8');

/** The names in backquotes of a part of the page. */
function namesIn(from: string, to: string): string[] {
  const part = page.slice(page.indexOf(from), page.indexOf(to, page.indexOf(from)));
  return [...part.matchAll(/`([A-Z][A-Z0-9_.]+)`/g)].map((match) => match[1] ?? '');
}

describe('docs/googlesql.md', () => {
  test('lists exactly the functions that the embedded engine computes', () => {
    const listed = namesIn('### Scalar', 'Aggregates take OVER').sort();
    expect(listed).toEqual(
      functionNames()
        .filter((name) => isTranslated(name))
        .sort(),
    );
  });
});
