import type { Rows } from './refusal-rows.ts';

const nested = (depth: number, open: string, inside: string, close: string) =>
  `${open.repeat(depth)}${inside}${close.repeat(depth)}`;

export const LITERALS_AND_COMMENTS: Rows = [
  [
    'a raw string that ends early for some',
    String.raw`select r'\'' , x from secret.t -- '`,
    'Table not found: secret.t',
  ],
  [
    'a raw string that ends late for some',
    String.raw`select r'\\' from secret.t -- '`,
    'Table not found: secret.t',
  ],
  [
    'a triple quote with a quote inside',
    `select '''a''b''' from secret.t -- '''`,
    'Table not found: secret.t',
  ],
  [
    'an escaped triple quote',
    String.raw`select '''\'''' ''' from secret.t`,
    'Unclosed triple-quoted string literal',
  ],
  ['a doubled quote', "select 'a''b' from edge_logs", 'concatenated string literals'],
  ['a comment that does not nest', 'select 1 /* /* */ from secret.t /* */', 'Table not found: secret.t'],
  ['a comment that never ends', 'select 1 from edge_logs /* where', 'Unclosed comment'],
  ['a line comment that ends with a return', 'select 1 -- x\rfrom secret.t', 'Table not found: secret.t'],
  [
    'a line comment that a line separator does not end',
    'select 1 -- \u2028 from edge_logs\nfrom secret.t',
    'Table not found: secret.t',
  ],
  ['a hash comment', 'select 1 # from edge_logs\nfrom secret.t', 'Table not found: secret.t'],
  ['a hint in a comment’s clothes', 'select 1 /*+ x */ from secret.t', 'Table not found: secret.t'],
  ['a quote in a comment', "select 1 -- '\nfrom secret.t -- '", 'Table not found: secret.t'],
  ['a backquote in a string', "select '`' from secret.t -- `", 'Table not found: secret.t'],
  ['a string in backquotes', "select `'` from secret.t -- `'", 'Table not found: secret.t'],
  ['an escape that is none', String.raw`select '\q' from edge_logs`, 'Illegal escape sequence'],
  ['half a character', 'select "\ud800" from edge_logs', 'not valid Unicode text'],
  ['half a character by escape', String.raw`select '\ud800' from edge_logs`, 'Illegal escape sequence'],
  ['a string that a line ends', "select 'a\nb' from edge_logs", 'Unclosed string literal'],
  ['the engine’s dollar quotes', 'select $$a$$ from edge_logs', 'Syntax error'],
  ['the engine’s double colon', "select '1'::int64", 'Syntax error'],
];

export const UNICODE: Rows = [
  ['letters that look like a source', 'select * from `еdge_logs`', 'ASCII characters only'],
  ['a full-width name', 'select * from `ｅｄｇｅ_logs`', 'ASCII characters only'],
  ['the Kelvin sign for a k', 'with k1 as (select 1) select * from `\u212a1`', 'U+212A are not allowed'],
  [
    'the Kelvin sign in an alias',
    'select 1 from edge_logs as `lo\u212a`, lok.metadata',
    'U+212A are not allowed',
  ],
  ['an i with a dot', 'select 1 as `\u0130d`', 'U+0130 and'],
  ['an unquoted letter beyond ASCII', 'select 1 as größe', 'Illegal input character'],
  ['a full stop of another script', 'select * from secret。t', 'Illegal input character'],
  ['a CTE beyond ASCII', 'with `ä` as (select 1) select * from `ä`', 'ASCII characters only'],
  ['a blank of no width', 'select\u200b1', 'Illegal input character'],
  ['a byte order mark', '\ufeffselect 1', 'Illegal input character'],
];

/** A chain of CTEs, each of which is made from the one before. */
const chain = (first: string, count: number, next: (before: string) => string) =>
  `with c0 as (${first})${Array.from({ length: count }, (_, at) => `, c${at + 1} as (${next(`c${at}`)})`).join('')}`;

export const SIZES: Rows = [
  ['too many bytes', `select '${'x'.repeat(65_536)}'`, '65536 bytes'],
  ['too many bytes of one character', `select '${'ä'.repeat(33_000)}'`, '65536 bytes'],
  ['too many tokens', `select ${'1,'.repeat(5_000)}1`, '10000 tokens'],
  ['deep parentheses', `select ${nested(200, '(', '1', ')')}`, 'deeper than 100'],
  ['deep brackets', `select ${nested(2_000, '[', '1', ']')}`, 'deeper than 100'],
  ['deep subqueries', `select ${nested(150, '(select ', '1', ')')}`, 'deeper than 100'],
  ['deep FROM', `select 1 from ${nested(150, '(select 1 from ', 'edge_logs', ')')}`, 'deeper than 100'],
  ['deep joins', `select 1 from ${nested(150, '(', 'edge_logs', ')')}`, 'deeper than 100'],
  ['deep functions', `select ${nested(150, 'abs(', '1', ')')}`, 'deeper than 100'],
  ['deep CASE', `select ${nested(150, 'case when true then ', '1', ' end')}`, 'deeper than 100'],
  ['deep NOT', `select ${'not '.repeat(3_000)}true`, 'deeper than 100'],
  ['deep signs', `select ${'- '.repeat(3_000)}1`, 'deeper than 100'],
  ['deep types', `select cast(null as ${nested(150, 'struct<a ', 'int64', '>')})`, 'deeper than 100'],
  ['deep CTEs', `${nested(150, 'with a as (', 'select 1', ') select 1')}`, 'deeper than 100'],
  ['a long sum', `select ${'1+'.repeat(4_000)}1`, 'more than 500 operators'],
  ['a long path', `select id${'.a'.repeat(4_000)} from edge_logs`, 'more than 100 parts'],
  [
    'long sums in parentheses',
    `select ${'('.repeat(19)}1${`${'+1'.repeat(240)})`.repeat(19)}`,
    'operators are nested deeper than 800',
  ],
  [
    'records that double in each CTE',
    `${chain('select struct(1 as x, 2 as y) as s', 25, (one) => `select struct(s as x, s as y) as s from ${one}`)} select 1 from c25`,
    'a record of more than 5000 fields',
  ],
  [
    'records that deepen in each CTE',
    `${chain('select 1 as s', 40, (one) => `select struct(s as s) as s from ${one}`)} select 1 from c40`,
    'records nested deeper than 30 levels',
  ],
  [
    'columns that multiply in each CTE',
    `${chain('select id, timestamp from edge_logs', 3, (one) => `select * from ${Array.from({ length: 30 }, (_, at) => `${one} x${at}`).join(', ')}`)} select 1 from c3`,
    'more than 20000 columns in its parts',
  ],
  [
    'a large record in many columns',
    `${chain('select struct(1 as x, 2 as y) as s', 7, (one) => `select struct(s as x, s as y) as s from ${one}`)} select ${Array.from({ length: 100 }, (_, at) => `s as s${at}`).join(', ')} from c7`,
    'more than 10000 columns and fields in its result',
  ],
  [
    'large records in many columns inside',
    `${chain('select struct(1 as x, 2 as y) as s', 10, (one) => `select struct(s as x, s as y) as s from ${one}`)}, d as (select ${Array.from({ length: 100 }, (_, at) => `s as s${at}`).join(', ')} from c10) select 1 from d`,
    'more than 200000 fields in its parts',
  ],
  ['many joins', `select 1 from edge_logs${', auth_logs'.repeat(150)}`, 'more than 100 joins'],
  ['many pipe steps', `from edge_logs${' |> limit 1'.repeat(150)}`, 'more than 100 pipe steps'],
];
