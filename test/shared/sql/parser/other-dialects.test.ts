import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseStatement } from '../../../../shared/sql/parser/parse-query.ts';
import { serviceErrorOf } from '../support/service-error.ts';

const { raw } = String;
const messageFor = (sql: string) => serviceErrorOf(() => parseStatement(sql)).message;

describe("PostgreSQL's casts are refused with GoogleSQL's own", () => {
  test.each<[string, string]>([
    ['event_message::text', 'CAST(event_message AS STRING)'],
    ['t.id::varchar(10)', 'CAST(t.id AS STRING)'],
    ["'1'::int", "CAST('1' AS INT64)"],
    ['count(*)::bigint', 'CAST(count(*) AS INT64)'],
    ['(a + b)::float8', 'CAST((a + b) AS FLOAT64)'],
    ['a::double precision', 'CAST(a AS FLOAT64)'],
    ['a::numeric(10, 2)', 'CAST(a AS NUMERIC)'],
    ['a::BOOLEAN', 'CAST(a AS BOOL)'],
    ["'2026-01-01'::date", "CAST('2026-01-01' AS DATE)"],
    ['timestamp::timestamptz', 'CAST(timestamp AS TIMESTAMP)'],
    ['a::jsonb', 'CAST(a AS JSON)'],
    ['a::bytea', 'CAST(a AS BYTES)'],
    ['a::STRING', 'CAST(a AS STRING)'],
    ['a::int[]', 'CAST(a AS ARRAY<INT64>)'],
    ['a[0].b::text', 'CAST(a[0].b AS STRING)'],
    ['a :: text', 'CAST(a AS STRING)'],
    ['a::text::int', 'CAST(a AS STRING)'],
    ['lower(\n  a\n)::text', 'CAST(lower( a ) AS STRING)'],
    ['a::regclass', 'CAST(a AS type)'],
    ['a::', 'CAST(a AS type)'],
    [`${'a.'.repeat(40)}a::text`, 'CAST(… AS STRING)'],
  ])('%s', (expression, instead) => {
    for (const sql of [
      `select ${expression} from t`,
      `select 1 from t where ( b = 1 or ${expression} like 'x' )`,
    ]) {
      expect(messageFor(sql)).toContain(`GoogleSQL has no "::", write ${instead} (line `);
    }
  });

  test('the place is that of the sign', () => {
    expect(serviceErrorOf(() => parseStatement('select 1,\n  event_message::text from t')).details).toEqual([
      { line: 2, column: 16 },
    ]);
  });

  test('a colon alone is another mistake', () => {
    expect(messageFor('select a:b from t')).toContain('got ":"');
    expect(messageFor('select a: :b from t')).toContain('got ":"');
  });
});

describe('doubled quotes are refused with the literal to write', () => {
  test.each<[string, string]>([
    ["'it''s'", raw`'it\'s'`],
    ['"say ""hi"""', raw`"say \"hi\""`],
    ["'a''b''c'", raw`'a\'b\'c'`],
    ["'it'''", raw`'it\''`],
    ["''''", raw`'\''`],
    ["'''quoted'' text'", raw`'\'quoted\' text'`],
    [raw`'a\nb''c'`, raw`'a\nb\'c'`],
    [`'${'x'.repeat(80)}''s'`, raw`\'`],
  ])('%s', (literal, instead) => {
    for (const sql of [`select ${literal} as a from t`, `select 1 from t where a = ${literal}`]) {
      expect(messageFor(sql)).toContain(
        `; a quote inside a string has a backslash before it, write ${instead} (line 1`,
      );
    }
  });

  test.each([raw`'a'"b"`, raw`r'a''b'`, raw`b'a''b'`, "'''a''", "'a", "'''a"])(
    '%s proposes no other literal',
    (literal) => {
      expect(messageFor(`select ${literal}`)).not.toContain('backslash');
    },
  );

  test('suggests what can be written', () => {
    const words = fc.array(fc.stringMatching(/^[a-z ;"-]{0,6}$/), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(words, (parts) => {
        const standard = `'x${parts.join("''")}'`;
        const told = /write (.+) \(line/.exec(messageFor(`select ${standard}`))?.[1] ?? '';
        const { body } = parseStatement(`select ${told}`);
        expect(JSON.stringify(body)).toContain(JSON.stringify(`x${parts.join("'")}`).slice(1, -1));
      }),
    );
  });
});
