import { type AttackRow, Q } from './attack.ts';

const raw = String.raw;

/** Texts that lexers split in different ways: what one takes for a string or comment is a table to another. */
export const RAW_STRINGS: readonly AttackRow[] = [
  [
    'a raw string whose escaped quote some take for its end',
    raw`select r'\' from secret.t -- ' as x from edge_logs`,
    ['edge_logs'],
  ],
  [
    'a raw string that ends where its quote is not escaped',
    raw`select r'a' from secret.t -- \' as x from edge_logs`,
    'refused',
  ],
  [
    'a raw string that holds a whole query',
    raw`select r"\" from secret.t #" as x from edge_logs`,
    ['edge_logs'],
  ],
  ['two backslashes end where one does not', raw`select r'\\' from secret.t -- '`, 'refused'],
  ['three backslashes and a quote', raw`select r'\\\' from secret.t -- ' as x from edge_logs`, ['edge_logs']],
  ['a raw triple quote with an escaped quote', raw`select r'''\''' from secret.t -- '''`, []],
  [
    'a raw triple quote that ends after an escaped one',
    raw`select r'''\'''' as x from edge_logs`,
    ['edge_logs'],
  ],
  ['raw bytes of both orders', raw`select rb'\'', bR"\"" from secret.t`, 'refused'],
  ['a capital R', raw`select R'\' from secret.t -- ' as x from edge_logs`, ['edge_logs']],
  ['a name that ends in r before a string', raw`select br'\' , x from secret.t -- '`, []],
  ['a raw string with an escaped line end', "select r'\\\n' from secret.t", 'refused'],
  ['a raw string with an escaped CR LF', "select r'\\\r\n' as x from edge_logs", ['edge_logs']],
  ['a raw quoted identifier, which there is none of', `select r${Q}x${Q} from secret.t`, 'refused'],
];

export const STRINGS: readonly AttackRow[] = [
  ['a doubled quote as in standard SQL', "select 'a'' from secret.t -- ' from edge_logs", 'refused'],
  ['a doubled double quote', 'select "a"" from secret.t -- " from edge_logs', 'refused'],
  ['a backslash as in standard SQL', raw`select '\' from secret.t -- ' as x from edge_logs`, ['edge_logs']],
  ['an empty string before a quote', "select '''' from secret.t -- ''''", 'refused'],
  ['four quotes, of which three open', "select ''''' from secret.t -- '''''", 'refused'],
  [
    'a triple quote over lines that hides a table',
    "select '''\nfrom secret.t\n''' as x from edge_logs",
    ['edge_logs'],
  ],
  ['a triple quote that closes early', "select '''a''' from secret.t -- '''", 'refused'],
  ['quotes of the other kind inside', `select "'" from secret.t -- "'"`, 'refused'],
  ['a double-quoted string, which is no identifier', 'select * from "edge_logs"', 'refused'],
  ['a string as a table', "select * from 'secret.t'", 'refused'],
  ['a string as an alias', "select 1 as 'x' from edge_logs", 'refused'],
  ['strings in a row', "select 'from' 'secret.t' as x from edge_logs", ['edge_logs']],
  [
    'strings in a row over a comment',
    "select 'a' /* ' from secret.t */ 'b' as x from edge_logs",
    ['edge_logs'],
  ],
  ['bytes and a string in a row', "select b'a' 'b' from edge_logs", 'refused'],
  ['a NUL in a string', raw`select 'a\0' from secret.t -- '`, 'refused'],
  ['a NUL character in a string, where C ends', "select 'a\u0000' as x from edge_logs", ['edge_logs']],
  ['a quote by an octal escape', raw`select '\047 from secret.t -- ' as x from edge_logs`, ['edge_logs']],
  ['a quote by a hex escape', raw`select '\x27 from secret.t -- ' as x from edge_logs`, ['edge_logs']],
  ['a quote by a Unicode escape', raw`select '\u0027 from secret.t -- ' as x from edge_logs`, ['edge_logs']],
  ['a long Unicode escape', raw`select '\U00000027 from secret.t -- ' as x from edge_logs`, ['edge_logs']],
  ['an escape beyond Unicode', raw`select '\U00110000' from edge_logs`, 'refused'],
  ['half an escape at the end', raw`select '\x2' from edge_logs`, 'refused'],
  ['a CR inside quotes', "select 'a\rb' from edge_logs", 'refused'],
  [
    'a line separator inside quotes, which ends no line',
    "select 'a\u2028 from secret.t --' as x from edge_logs",
    ['edge_logs'],
  ],
  ['an apostrophe that Unicode makes', 'select ’ from secret.t -- ’', 'refused'],
  ['dollar quotes', 'select $x$ from secret.t $x$ from edge_logs', 'refused'],
  ['an E string', raw`select E'\'' from secret.t -- '`, 'refused'],
  ['a national string', "select N'x' from edge_logs", 'refused'],
];

export const COMMENTS: readonly AttackRow[] = [
  ['comments that nest for some', 'select 1 /* /* */ from secret.t /* */ */', 'refused'],
  ['a comment that ends at the first end', 'select id /* /* */ from edge_logs', ['edge_logs']],
  [
    'a comment that would close in the three characters that open it',
    'select 1 /*/ */ from secret.t /*/ from edge_logs',
    'refused',
  ],
  [
    'three characters that open and end a comment',
    'select id /*/ from secret.t /*/ from edge_logs',
    ['edge_logs'],
  ],
  ['a quote in a comment', "select id /* ' */ from edge_logs -- '", ['edge_logs']],
  ['a comment in a quote', "select '/*' from secret.t --*/'", 'refused'],
  ['a comment that a quote hides for some', `select id -- "\nfrom secret.t -- "`, 'refused'],
  ['a comment of MySQL that runs', 'select id /*! from secret.t */ from edge_logs', ['edge_logs']],
  ['a comment that begins with a hash', "select id # ' from secret.t\nfrom edge_logs", ['edge_logs']],
  ['a line comment that a CR ends', 'select id -- x\rfrom secret.t', 'refused'],
  [
    'a line comment that a form feed does not end',
    'select id -- \f from secret.t\nfrom edge_logs',
    ['edge_logs'],
  ],
  [
    'a line comment that NEL does not end',
    'select id -- \u0085 from secret.t\nfrom edge_logs',
    ['edge_logs'],
  ],
  [
    'a line comment that a paragraph separator does not end',
    'select id -- \u2029 from secret.t\nfrom edge_logs',
    ['edge_logs'],
  ],
  ['a backslash before the line end of a comment', 'select id -- \\\nfrom secret.t', 'refused'],
  ['two signs that are a comment', 'select 1--1 from edge_logs\nfrom secret.t', 'refused'],
  ['a comment between the parts of a path', 'select * from secret/* */./* */t', 'refused'],
  ['a comment inside a word', 'select * fr/**/om secret.t', 'refused'],
  ['a comment in place of white space', 'select/**/id/**/from/**/edge_logs', ['edge_logs']],
  ['a comment without an end', 'select id from edge_logs /*', 'refused'],
  ['a line comment at the end', 'select id from edge_logs --', ['edge_logs']],
  ['slashes, which begin no comment', 'select id // from secret.t\nfrom edge_logs', 'refused'],
  ['a hint of Oracle', 'select /*+ full */ id from edge_logs', ['edge_logs']],
];

export const NUMBERS_AND_SPACE: readonly AttackRow[] = [
  ['a number that runs into a keyword', 'select 1from secret.t', 'refused'],
  ['a number with an invalid exponent', 'select 1e from edge_logs', 'refused'],
  ['a hexadecimal number without digits', 'select 0x from edge_logs', 'refused'],
  ['a hexadecimal number that runs into a word', 'select 0xfrom secret.t', 'refused'],
  ['a dot that starts a number', 'select .5from secret.t', 'refused'],
  ['a field that is a number', 'select e.1 from edge_logs e', 'refused'],
  ['a dot and an exponent after a name', 'select e .5e-3 from edge_logs e', 'refused'],
  ['a number with underscores', 'select 1_000 from edge_logs', 'refused'],
  ['a no-break space between words', 'select\u00a0id\u00a0from\u00a0edge_logs', ['edge_logs']],
  ['vertical tabs and form feeds', 'select\vid\ffrom\u0008edge_logs', ['edge_logs']],
  ['an ideographic space', 'select id from\u3000edge_logs', ['edge_logs']],
  ['a line separator between words', 'select id from\u2028edge_logs', 'refused'],
  ['an Ogham space', 'select id from\u1680edge_logs', 'refused'],
  ['a soft hyphen in a name', 'select id from edge\u00ad_logs', 'refused'],
  ['a NUL between words', 'select id\u0000from edge_logs', 'refused'],
  ['a right-to-left mark in a name', 'select id from edge_logs\u202e', 'refused'],
  ['a byte order mark in front', '\ufeffselect id from edge_logs', 'refused'],
];
