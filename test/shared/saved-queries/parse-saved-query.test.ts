import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseSavedQuery } from '../../../shared/saved-queries/parse-saved-query.ts';
import { SAVED_LIMITS } from '../../../shared/saved-queries/saved-query.ts';

const sql = (text: string, file = 'errors.sql') => parseSavedQuery({ file, text });
const lql = (text: string) => parseSavedQuery({ file: 'slow requests.lql', text });
const PLAIN = { description: '', endpoint: null, window: null };

describe('a file is read', () => {
  test.each([
    [
      'without a header',
      sql('select 1\n'),
      { ...PLAIN, name: 'errors', language: 'sql', query: 'select 1', inPlace: 'select 1\n' },
    ],
    [
      'with all of the header',
      sql('-- description: What failed\n-- endpoint: logs.all\n-- window: 24h\n\nselect 1'),
      { description: 'What failed', endpoint: 'logs.all', window: { last: '24h' }, query: 'select 1' },
    ],
    [
      'in LQL, whose header is no part of the query',
      lql('-- description: slow: over a second\n-- made for the team\nf:edge_logs'),
      {
        name: 'slow requests',
        language: 'lql',
        description: 'slow: over a second',
        query: 'f:edge_logs',
        inPlace: '\n\nf:edge_logs',
      },
    ],
    [
      'with comments of its own',
      sql('-- window: all\n-- Note: by source\nselect 1 -- window: 1h\n-- end: here'),
      { window: { last: 'all' }, query: '-- Note: by source\nselect 1 -- window: 1h\n-- end: here' },
    ],
    [
      'with the line ends and the byte order mark of other systems',
      sql('\uFEFF--description:x\r\n\r\nselect\r\n1\r\n'),
      { description: 'x', query: 'select\n1' },
    ],
    [
      'with two times for a window',
      sql('-- window: 2026-01-31T12:00:00+02:00/2026-01-31T11:00Z\nselect 1'),
      { window: { from: '2026-01-31T10:00:00.000Z', to: '2026-01-31T11:00:00.000Z' } },
    ],
  ])('%s', (_, parsed, expected) => {
    expect(parsed).toMatchObject(expected);
  });
});

describe('a file is refused', () => {
  test.each([
    [
      'an unknown key',
      '-- widnow: 1h\nselect 1',
      'the header has the unknown key "widnow"; did you mean window?',
    ],
    [
      'a key unlike any',
      '-- owner: me\nselect 1',
      'the header has the unknown key "owner"; the keys are description, endpoint, window',
    ],
    [
      'a key that is there twice',
      '-- window: 1h\n-- window: 2h\nselect 1',
      'window: is given twice; give it once',
    ],
    [
      'a key without a value',
      '-- endpoint: \nselect 1',
      'endpoint: is empty; write a value, or leave the line out',
    ],
    ['no query', '-- window: 1h\n', 'there is no query after the header'],
    ['nothing', '', 'there is no query after the header'],
    [
      'a long description',
      `-- description: ${'x'.repeat(SAVED_LIMITS.descriptionCharacters + 1)}\nselect 1`,
      'description: has more than 300 characters',
    ],
  ])('for %s', (_, text, fault) => {
    expect(sql(text)).toEqual({ faults: [fault] });
  });

  test.each([
    '0h',
    '1w',
    '1.5h',
    'yesterday',
    '2026-01-31',
    '2026-01-31/2026-01-30',
    '1960-01-01/1970-02-01',
    '/',
  ])('for the window %s', (window) => {
    expect(sql(`-- window: ${window}\nselect 1`)).toEqual({
      faults: [expect.stringMatching(/^window: is ".*"; it takes a number and s, m, h or d/)],
    });
  });

  test.each([`${'x'.repeat(81)}.sql`, 'a\u202Eb.sql', 'a\nb.sql'])('for its name', (file) => {
    expect(sql('select 1', file)).toEqual({ faults: [expect.stringContaining("the file's name has ")] });
  });
});

test('any text is read or refused, and each line keeps its place', () => {
  const line = fc.oneof(fc.constantFrom('-- window: 1h', '--', '-- x: y', 'select 1', ''), fc.string());
  fc.assert(
    fc.property(fc.array(line), fc.constantFrom('a.sql', 'a.lql'), (lines, file) => {
      const text = lines.join('\n');
      const parsed = parseSavedQuery({ file, text });
      if ('faults' in parsed) return expect(parsed.faults.length).toBeGreaterThan(0);
      const [given, placed] = [text.replace(/^\uFEFF/, ''), parsed.inPlace].map((one) => one.split(/\r?\n/));
      expect(placed?.length).toBe(given?.length);
      placed?.forEach((one, index) => void expect(['', given?.[index]]).toContain(one));
    }),
  );
});
