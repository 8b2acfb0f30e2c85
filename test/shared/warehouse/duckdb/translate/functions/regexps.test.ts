import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

describe('GoogleSQL regular expressions on DuckDB', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    [String.raw`regexp_contains('foo@example.com', r'@[a-zA-Z0-9-]+\.[a-zA-Z0-9-.]+')`, 'true'],
    ["regexp_contains('a+b', 'a+b')", 'false'],
    ["regexp_contains('abc', 'b')", 'true'],
    ["regexp_contains('abc', 'x|b')", 'true'],
    ["regexp_contains('abc', '^b|c$')", 'true'],
    ["regexp_contains('abc', '^b|b$')", 'false'],
    ["regexp_contains('abc', '(^abc$|x)')", 'true'],
    ["regexp_contains('abcd', '(?:^abc$|x)')", 'false'],
    ["regexp_contains('abc', 'x|')", 'true'],
    ["regexp_contains('x|y', r'a|x\\|y')", 'true'],
    ["regexp_contains('x', r'a|x\\|y')", 'false'],
    ["regexp_contains('b', '(a)|(b)')", 'true'],
    ["regexp_contains('c', '(a)|(b)')", 'false'],
    ["regexp_contains('g', 'a|b|c|d|e|f|g')", 'true'],
    ["regexp_contains(upper('ab'), 'x|AB')", 'true'],
    ["regexp_contains(cast(null as string), 'a|b')", 'null'],
    ["regexp_contains('abc', '^b')", 'false'],
    ["regexp_contains('abc', '^abc$')", 'true'],
    ["regexp_contains('abcd', '^abc$')", 'false'],
    [String.raw`regexp_contains('abc\n', '^abc$')`, 'false'],
    ["regexp_contains('xabc', 'abc$')", 'true'],
    [String.raw`regexp_contains('abc\n', 'abc$')`, 'false'],
    [String.raw`regexp_contains('a.c', r'^a\.c$')`, 'true'],
    [String.raw`regexp_contains('a$', r'a\$')`, 'true'],
    ["regexp_contains('', '^$')", 'true'],
    ["regexp_contains('a', '^$')", 'false'],
    ["regexp_contains('a', '$')", 'true'],
    ["regexp_contains(cast(null as string), '^a$')", 'null'],
    [String.raw`regexp_contains('a.b', r'a\.b')`, 'true'],
    [String.raw`regexp_contains('axb', r'a\.b')`, 'false'],
    ["regexp_contains('A', '(?i)a')", 'true'],
    [String.raw`regexp_contains('a\nb', 'a.b')`, 'false'],
    ["regexp_contains(null, 'a')", 'null'],
    ["safe.regexp_contains('abc', '(')", 'null'],
    ["regexp_extract('foo@example.com', r'^[a-zA-Z0-9_.+-]+')", '"foo"'],
    [
      String.raw`regexp_extract('foo@example.com', r'^[a-zA-Z0-9_.+-]+@[a-zA-Z0-9-]+\.([a-zA-Z0-9-.]+$)')`,
      '"com"',
    ],
    ["regexp_extract('abc', 'x')", 'null'],
    ["regexp_extract('abc', 'x*')", '""'],
    ["regexp_extract('abc', '(x*)b')", '""'],
    ["regexp_extract('b', '(a)?b')", 'null'],
    [String.raw`regexp_extract('a1b22', r'\d+', 1, 2)`, '"22"'],
    [String.raw`regexp_extract('a1b22', r'\d+', 1, 3)`, 'null'],
    ["regexp_extract('xabcabd', 'b(.)', 4)", '"d"'],
    ["regexp_extract('abc', '^b', 2)", '"b"'],
    ["regexp_extract('abc', '', 4)", 'null'],
    [String.raw`regexp_extract('é☕b1b2', r'b\d', 3, 2)`, '"b2"'],
    ["safe.regexp_extract('abc', 'a', 0)", 'null'],
    ["regexp_instr('abcabc', 'c', 4)", '6'],
    ["regexp_extract_all('Try `func(x)` or `func(y)`', '`(.+?)`')", '["func(x)","func(y)"]'],
    ["regexp_extract_all('abc', 'x')", '[]'],
    ["regexp_extract_all('ab|cd', '[^|]*$')", '["cd"]'],
    ["regexp_extract_all('ab1', '[a-z]*')", '["ab",""]'],
    ["regexp_extract_all('', 'a*')", '[""]'],
    ["regexp_extract_all('a b', '^')", '[""]'],
    ["regexp_extract_all('ab', '$')", '[""]'],
    ["regexp_extract_all('xab', '(x*)[ab]')", '["x",""]'],
    ["regexp_extract_all('ab', '([a-z]*)$')", '["ab"]'],
    ["regexp_extract('ab', '[^|]*$', 1, 2)", 'null'],
    ["select regexp_extract_all(x, '[a-z]*') from unnest(['1ab', '']) x where x > ''", '["","ab"]'],
    ["select regexp_extract_all('ab1', p) from unnest(['[a-z]*']) p", '["ab",""]'],
    [String.raw`regexp_replace('# Heading', r'^# ([a-zA-Z0-9\s]+$)', r'<h1>\1</h1>')`, '"<h1>Heading</h1>"'],
    [String.raw`regexp_replace('a.b.c', r'\.', '\\\\')`, String.raw`"a\\b\\c"`],
    ["regexp_instr('ab@gmail.com', '@[^.]*')", '3'],
    ["regexp_instr('ab', 'x')", '0'],
    ["regexp_instr('ab', '')", '0'],
    ["regexp_instr('ab', 'b', 9223372036854775807)", '0'],
    [String.raw`select regexp_extract(x, p) from unnest(['a1b22']) x, unnest([r'([a-z]\d)']) p`, '"a1"'],
    [String.raw`regexp_extract('GET /rest/v1/x 200', r'/(\w+)/v\d')`, '"rest"'],
    ["regexp_replace('abc', '', '-')", '"-a-b-c-"'],
    ["regexp_contains('x', '')", 'true'],
    ["regexp_replace('héllo', 'é', 'e')", '"hello"'],
    [String.raw`regexp_contains('{', r'$\x7b')`, 'false'],
    ["regexp_contains('1', '$1')", 'false'],
    [String.raw`regexp_contains('ba', r'b\za')`, 'false'],
    [String.raw`regexp_contains('ab', r'$\z')`, 'true'],
    [String.raw`regexp_contains('ab', r'\A^')`, 'true'],
    ["regexp_contains('ab', '(?:)b')", 'true'],
    ["regexp_contains('ab', 'a(?i:)')", 'true'],
    ["regexp_contains('ab', '^(?:)')", 'true'],
    ["regexp_contains('ab', '(?<n>b)')", 'true'],
    ["regexp_extract('ab', '(?<n>b)')", '"b"'],
    [String.raw`regexp_contains('a.b', r'a(?i)\Q.B')`, 'true'],
    ["regexp_contains('a', concat('$', 'a'))", 'false'],
    ["select regexp_contains(x, p) from (select 'a' x, '$a' p)", 'false'],
    [
      String.raw`select logical_or(regexp_contains(x, p)) from (select 'ab' x, r'(a)$\Qb' p), unnest([1])`,
      'false',
    ],
    ["regexp_instr('ab', 'b(?:)')", '2'],
  ])('%s is %s', async (googleSql, json) => {
    expect(await evaluator.evaluate(googleSql)).toBe(json);
  });

  test.each([
    ["regexp_contains('abc', '(')", 'Cannot parse regular expression'],
    ["regexp_extract('ab', '(a)(b)')", 'more than 1'],
    ["regexp_contains('abc', concat('a)', '|(b'))", 'Cannot parse regular expression: unexpected )'],
    [
      "select regexp_contains('abc', p) from unnest(['a)|(b', 'c']) p",
      'Cannot parse regular expression: unexpected )',
    ],
    ["regexp_contains('abc', '*' || 'a')", 'Cannot parse regular expression: no argument for repetition'],
    [
      String.raw`regexp_contains('abc', concat(r'(?:\pL{500})', '{2}'))`,
      'Cannot parse regular expression: pattern too large',
    ],
    [
      String.raw`regexp_contains('abc', r'(?:\pL{500}){2}')`,
      'too large once their counted repetitions are written out (line 1, column 31)',
    ],
    [
      String.raw`safe.regexp_contains('abc', r'(?:\pL{15}|.{900})') and regexp_contains('', r'[^a]{100}')`,
      'written out (line 1, column 83)',
    ],
    [
      String.raw`regexp_replace('abc', 'b', r'\1')`,
      'Invalid REGEXP_REPLACE pattern: it refers to group 1, but the expression has 0',
    ],
    [
      String.raw`regexp_replace('abc', 'b', 'x\\')`,
      'Invalid REGEXP_REPLACE pattern: a backslash must be followed by a digit or a backslash',
    ],
  ])('%s fails with %s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});
