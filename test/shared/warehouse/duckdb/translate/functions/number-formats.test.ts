import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

/** CAST of numbers with FORMAT, with what Google's evaluator answers. */
describe('CAST of numbers with FORMAT', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    ['1', '999', '   1'],
    ['255', 'XXXX', '   FF'],
    ['-255', 'xxxx', '  -ff'],
    ['255', '000X', ' 00FF'],
    ['255', '0xX', ' 0fF'],
    ['255', 'x00', '  FF'],
    ['65536', 'XXXX', ' ####'],
    ['-1.5', 'XX', ' -2'],
    ['0.4999999999999999', 'X', ' 0'],
    ["NUMERIC '12.5'", 'XXS', ' D+'],
    ["CAST('nan' AS FLOAT64)", 'XXXX', ' ####'],
    ['1e20', 'FMXXXXXXXXXXXXXXXX', '################'],
    ['12.5', '9.9EEEE', ' 1.2E+01'],
    ["NUMERIC '12.5'", '9.9EEEE', ' 1.3E+01'],
    ['0.00012', '99.99eeee', ' 1.20e-04'],
    ['-1e100', '$9.9EEEE', '-$1.0E+100'],
    ['1e10', 'FM9.99EEEE', '1.E+10'],
    ['0', 'B9.9EEEE', '        '],
    ['1', '.9EEEE', ' .#####'],
    ["CAST('inf' AS FLOAT64)", '9.9EEEEMI', '    INF '],
    ['12.5', '99V99', ' 1250'],
    ['0', '99V99', '   00'],
    ['1.5', 'FM9V99', '15'],
    ['12.5', '9V9', ' ##'],
    ["CAST('nan' AS FLOAT64)", '9999V99', '  NAN  '],
    ['-1', '999', '  -1'],
    ['12', '0999', ' 0012'],
    ['12', '9099', '  012'],
    ['1234', '9', ' #'],
    ['12.5', '999', '  12'],
    ["NUMERIC '12.5'", '999', '  13'],
    ['12.345', '999.99', '  12.35'],
    ['0', '999', '   0'],
    ['0', '999.99', '    .00'],
    ['0.5', '9.', ' 0.'],
    ['1.5', '.9', ' .#'],
    ['1234567', '9,999,999', ' 1,234,567'],
    ['1234', '9g999d99', ' 1,234.00'],
    ['34', '0,000', ' 0,034'],
    ['12345', '0,000.00', ' #,###.##'],
    ['-1', '$999', '  -$1'],
    ['1', '999C', '   USD1'],
    ['1', 'c9', ' usd1'],
    ['1', 'S999', '  +1'],
    ['-1', '999S', '  1-'],
    ['1', '999MI', '  1 '],
    ['1', '999PR', '   1 '],
    ['-1', '999PR', '  <1>'],
    ['0.3', 'B999.9', '      '],
    ['-0.01', '9.9', ' -.0'],
    ['-0.0', '9.9', '  .0'],
    ['12', 'FM$999.99', '$12.'],
    ['0', 'FM99.0', '0.'],
    ['-12', 'FM999PR', '<12>'],
    ["CAST('nan' AS FLOAT64)", '0,000.00', '   NAN   '],
    ["CAST('-inf' AS FLOAT64)", '999.9', '-INF  '],
    ["CAST('inf' AS FLOAT64)", '99,999.99S', '   INF   +'],
    ["CAST('inf' AS FLOAT64)", '99.9', ' ##.#'],
    ['-9223372036854775808', '9,999,999,999,999,999,999', '-9,223,372,036,854,775,808'],
    ['0.1', '9.99999999999999999999999', '  .10000000000000000555112'],
    ["BIGNUMERIC '1.5'", '9.9', ' 1.5'],
  ])("%s with '%s' is '%s'", async (number, format, text) => {
    expect(await evaluator.evaluate(`CAST(${number} AS STRING FORMAT '${format}')`)).toBe(
      JSON.stringify(text),
    );
  });

  test.each([
    ["CAST(CAST(NULL AS INT64) AS STRING FORMAT '?')", 'null'],
    ['CAST(1 AS STRING FORMAT CAST(NULL AS STRING))', 'null'],
    ["SAFE_CAST(1 AS STRING FORMAT '?')", 'null'],
    ["SELECT CAST(x AS STRING FORMAT f) FROM UNNEST([STRUCT(5 AS x, '09' AS f)])", '" 05"'],
  ])('%s is %s', async (googleSql, json) => {
    expect(await evaluator.evaluate(googleSql)).toBe(json);
  });

  test.each([
    ['', 'must contain at least one of'],
    ['.', 'must contain at least one of'],
    [',999', "Unexpected ','"],
    ['9.9,9', 'cannot appear after'],
    ['9.9.9', 'at most one of'],
    ['$L9', "at most one of '$', 'C' or 'L'"],
    ['BB9', "at most one 'B'"],
    ['FMFM9', "'FM' cannot be repeated"],
    ['S9MI', "at most one of 'S', 'MI', or 'PR'"],
    ['MI9', 'can only appear after all digits'],
    ['9S9', 'Unexpected format element'],
    ['999 ', "Invalid format element ' '"],
    ['9X', "'X' can appear together with"],
    ['X.X', "'X'"],
    ['XXXXXXXXXXXXXXXXX', "Max number of 'X' is 16"],
    ['EEEE', "Unexpected 'EEEE'"],
    ['9,9EEEE', "cannot appear together with 'EEEE'"],
    ['9EEEE9', 'Unexpected format element'],
    ['9V9.9', "There can be at most one of '.', 'D', or 'V'"],
    ['RN', 'not supported by the embedded engine: the format element RN of numbers'],
    ['9'.repeat(501), 'more than 500 characters'],
  ])("the format '%s' fails with %s", async (format, message) => {
    expect(await evaluator.fail(`CAST(1 AS STRING FORMAT '${format}')`)).toContain(message);
  });
});
