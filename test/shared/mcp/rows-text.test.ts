import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { AnswerFacts } from '../../../client/client.d.ts';
import { rowsText } from '../../../shared/mcp/rows-text.ts';

const FACTS: AnswerFacts = {
  rowCount: null,
  truncated: false,
  cache: null,
  ageSeconds: null,
  bytesProcessed: null,
  bytesBilled: null,
  rowsScanned: null,
  timeWindow: null,
  redactions: null,
  hint: null,
  ignoredParameters: [],
  requestId: null,
  timingMs: {},
  durationMs: 1,
};

type Row = Readonly<Record<string, unknown>>;
interface Shown {
  readonly row_count: number;
  readonly notes?: readonly string[];
  readonly rows: readonly Row[];
}
const shown = (rows: readonly Row[], facts: Partial<AnswerFacts> = {}, maxCharacters?: number) =>
  JSON.parse(rowsText({ rows, facts: { ...FACTS, ...facts }, next: null }, maxCharacters)) as Shown;

describe('rows for an agent', () => {
  test('are whole where they fit', () => {
    const row = { id: 'a', n: null, list: [], m: [{ a: 1, b: null, c: [{ d: null }] }] };
    expect(shown([row])).toEqual({
      row_count: 1,
      rows: [{ id: 'a', n: null, list: [], m: [{ a: 1, c: [{}] }] }],
    });
  });

  test('are cut in their long texts where one alone does not fit', () => {
    const { rows, notes } = shown([{ id: 'a', text: 'x'.repeat(60_000) }, { id: 'b' }]);
    expect(rows).toHaveLength(2);
    expect(String(rows[0]?.text)).toBe(`${'x'.repeat(1000)}…`);
    expect(notes).toEqual([expect.stringContaining('are cut')]);
  });

  test('come with what the service noted', () => {
    const { notes } = shown([], { hint: 'Look earlier.', ignoredParameters: ['x'], truncated: true });
    expect(notes).toEqual([
      expect.stringContaining('more rows'),
      expect.stringContaining('ignored: x'),
      'Look earlier.',
    ]);
  });

  test('are the first ones, as many as the budget takes, and never silently fewer', () => {
    const texts = fc.array(fc.string({ maxLength: 200 }), { maxLength: 30 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 50, max: 3000 }), (values, budget) => {
        const rows = values.map((id) => ({ id }));
        const { rows: kept, notes = [] } = shown(rows, {}, budget);
        expect(rows.slice(0, kept.length)).toEqual(kept);
        expect(kept.length > 0 || rows.length === 0).toBe(true);
        expect(notes.length > 0).toBe(
          kept.length < rows.length || notes.some((note) => note.includes('are cut')),
        );
      }),
    );
  });
});
