import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { compileLql } from '../../../shared/lql/compile.ts';
import { parseLql } from '../../../shared/lql/parse.ts';
import type { Clause } from '../../../shared/lql/tree.ts';
import { printLql } from './support/print-lql.ts';
import { clauses, likelyText } from './support/queries.ts';
import { EDGE, NOW_MICROS } from './support/sources.ts';
import { withoutPlaces } from './support/trees.ts';

const SEED = 20240306;
const TEXTS = 100_000;
const TREES = 3_000;

const SOURCES = new Map([
  ['edge', EDGE],
  ['auth', EDGE],
]);
const FAULTS = new Set(['syntax', 'unsupported', 'unknown_source', 'unknown_field', 'type']);

/** Whether a query compiles; fails where it is refused without a place in it. */
function compiles(lql: string): boolean {
  try {
    const query = parseLql(lql);
    if (printLql(parseLql(printLql(query))) !== printLql(query)) throw new Error('is not printed as it is');
    compileLql(lql, query, { sources: SOURCES, nowMicros: NOW_MICROS, parameterPrefix: 'lql_' });
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const [detail] = error.details;
    const isPlaced =
      error.kind === 'invalid_argument' &&
      detail?.parameter === 'lql' &&
      FAULTS.has(detail.reason ?? '') &&
      isInside(lql, detail.line ?? 0, detail.column ?? 0);
    if (!isPlaced) throw new Error(`no place: ${error.message}`, { cause: error });
    return false;
  }
}

/** Whether a text has the place; the end is one. */
function isInside(text: string, line: number, column: number): boolean {
  const found = text.split(/\r\n|\n|\r/)[line - 1];
  return found !== undefined && column >= 1 && column <= [...found].length + 1;
}

describe('a query in LQL', () => {
  test('is read from what it is printed as', () => {
    fc.assert(
      fc.property(clauses, (tree: Clause[]) => {
        const query = { clauses: tree };
        expect(withoutPlaces(parseLql(printLql(query)))).toEqual(withoutPlaces(query));
      }),
      { numRuns: TREES, seed: SEED },
    );
  });

  test('compiles or is refused with a place in it, whatever the text', () => {
    let compiled = 0;
    fc.assert(
      fc.property(fc.constantFrom('', 'f:edge '), likelyText, (source, text) => {
        if (compiles(source + text)) compiled++;
      }),
      { numRuns: TEXTS, seed: SEED },
    );
    expect(compiled).toBeGreaterThan(TEXTS / 100);
  });
});
