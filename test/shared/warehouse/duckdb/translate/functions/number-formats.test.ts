import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

const json = (text: string) => JSON.stringify(text);

// Each answer is that of Google's reference evaluator.
describe('FORMAT on DuckDB', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each<[string, string]>([
    [
      `format("%'d|%'10d|%'-10d|%'+d|%'010d", 1234567, 1234567, 1234567, 1234567, 1234567)`,
      '1,234,567| 1,234,567|1,234,567 |+1,234,567|01,234,567',
    ],
    [
      "format('%x|%X|%o|%#x|%#X|%#o|%08x|%-8x|%+x|%8x', 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)",
      'ff|FF|377|0xff|0XFF|0377|000000ff|ff      |+ff|      ff',
    ],
    ["format('%x|%#x|%08x|%+o', -255, -255, -255, -255)", '-ff|-0xff|-00000ff|-377'],
    [
      "format('%x|%d', -9223372036854775807 - 1, -9223372036854775807 - 1)",
      '-8000000000000000|-9223372036854775808',
    ],
    [
      "format('%.5d|%8.5d|%-8.5d|%+.5d|%08.5d', 42, 42, 42, 42, 42)",
      '00042|   00042|00042   |+00042|   00042',
    ],
    ["format('%#x|%#o|%#d', 0, 0, 5)", '0x0|00|5'],
    [`format("%'x|%'o", 1234567, 1234567)`, '12:d687|455,3207'],
    ["format('% d|% 5d|%+5d|%-5d|%05d|% 05d', 5, 5, 5, 5, -5, 5)", ' 5|    5|   +5|5    |-0005| 0005'],
    [
      "format('%f|%.2f|%10.3f|%-10.1f|%+f|% f|%010.2f', numeric '1.005', numeric '1.005', numeric '-1.5', numeric '2.25', numeric '1', numeric '1', numeric '-2.5')",
      '1.005000|1.01|    -1.500|2.3       |+1.000000| 1.000000|-000002.50',
    ],
    [
      `format("%'f|%'.2f|%'15.2f", 1234567.891, 1234567.891, 1234567.891)`,
      '1,234,567.891000|1,234,567.89|   1,234,567.89',
    ],
    [
      "format('%g|%G|%g|%g|%g|%.3g|%#g|%10g|%-10g|%+g', 0.0001, 0.00001, 1e20, 123456789.0, 100000.0, 3.14159, 1.0, 1.5, 1.5, 1.5)",
      '0.0001|1E-05|1e+20|1.23457e+08|100000|3.14|1.00000|       1.5|1.5       |+1.5',
    ],
    [
      "format('%e|%E|%.0e|%#.0e', 12345.678, 12345.678, 12345.678, 12345.678)",
      '1.234568e+04|1.234568E+04|1e+04|1.e+04',
    ],
    ["format('%#f|%#.0f|%.0f|%.0f', 1.5, 2.0, 2.5, 3.5)", '1.500000|2.|2|4'],
    [
      "format('%f|%F|%e|%g|%5f|%-5f|%05f|%+f', cast('nan' as float64), cast('inf' as float64), cast('-inf' as float64), cast('nan' as float64), cast('inf' as float64), cast('nan' as float64), cast('inf' as float64), cast('inf' as float64))",
      'nan|INF|-inf|nan|  inf|nan  |  inf|+inf',
    ],
    [
      "format('%g|%e|%E|%G', numeric '1234567.891', numeric '0.00001', numeric '12', numeric '1e20')",
      '1.23457e+06|1.000000e-05|1.200000E+01|1E+20',
    ],
    ["format('%e|%g|%f', 5e-324, 1.7976931348623157e308, -0.0)", '4.940656e-324|1.79769e+308|0.000000'],
    ["format('%.0f|%10.3f', 1e23, -2e30)", '99999999999999991611392|-2000000000000000039769249677312.000'],
    ["format('%.2f|%5.1f|%f', numeric '-0.001', numeric '-0.05', bignumeric '1.5')", '-0.00| -0.1|1.500000'],
    [
      "format('%*d|%-*d|%.*f|%*.*f|%*d', 5, 42, 5, 42, 2, 1.234, 8, 2, 1.234, -5, 42)",
      '   42|42   |1.23|    1.23|42   ',
    ],
    ["format('%10t|%.2t|%.2T', 1, 'abc', 'abc')", '         1|ab|"a'],
    ["format(\"%'s|%010s|%+s|% s|%#s\", 'a', 'b', 'c', 'd', 'e')", 'a|         b|c|d|e'],
    [String.raw`format('%t|%T', b'a\x00\xff"', b'a\x00\xff"')`, String.raw`a\x00\xff\"|b'a\x00\xff"'`],
    [String.raw`format('%T', b"a'\"b\\c\n\x01f")`, String.raw`b"a'\"b\\c\x0a\x01f"`],
    [
      String.raw`format('%t|%T', [b'a', b'\xff'], struct(b'x', json '1'))`,
      String.raw`[a, \xff]|(b"x", JSON "1")`,
    ],
    [
      `format('%T|%p', json '{"a":[1,2],"b":{}}', json '{"a":[1,2],"b":{}}')`,
      `JSON '{"a":[1,2],"b":{}}'|{"a":[1,2],"b":{}}`,
    ],
    [`format('%P|%P', json '{"a":[1]}', json '[]')`, '{\n  "a": [\n    1\n  ]\n}|[]'],
    [String.raw`format('%T', 'a\x01b\u00e9\x7f\'"')`, String.raw`"a\x01\x62é\x7f'\""`],
  ])('%s', async (googleSql, text) => {
    expect(await evaluator.evaluate(googleSql)).toBe(json(text));
  });

  test.each([
    ["format('%u', 6)", 'Invalid type for argument 2 to FORMAT; Expected UINT; Got INT64'],
    ["format('%d', 'a')", 'Invalid type for argument 2 to FORMAT; Expected integer; Got STRING'],
    ["format('%s', b'a')", 'Invalid type for argument 2 to FORMAT; Expected STRING; Got BYTES'],
    ["format('%f', 1)", 'Invalid type for argument 2 to FORMAT; Expected FLOAT64; Got INT64'],
    ["format('%p', 'a')", 'Invalid type for argument 2 to FORMAT; Expected JSON; Got STRING'],
    ["format('%d %d', 1)", 'Too few arguments to FORMAT for pattern "%d %d"'],
    ["format('%d', 1, 2)", 'Too many arguments to FORMAT for pattern "%d"'],
    ["format('%5%')", 'Invalid FORMAT string: "%5%"'],
    ["format('%', 1)", 'Invalid FORMAT string: "%"'],
    ["format('%1001d', 1)", 'FORMAT with a width or precision above 1000'],
  ])('%s is an error', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });

  test('NULL makes NULL of all but %t and %T', async () => {
    expect(
      await evaluator.evaluate(
        "(select as struct format('%x', x) as a, format('%10.2f', x / 2) as b, format('%t', x) as c from unnest([cast(null as int64)]) x)",
      ),
    ).toBe('{"a":null,"b":null,"c":"NULL"}');
  });
});
