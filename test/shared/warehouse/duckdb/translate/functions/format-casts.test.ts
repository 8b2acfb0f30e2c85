import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

describe('CAST with FORMAT on DuckDB', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    ["cast(date '2020-03-05' as string format 'YYYY-MM-DD')", '"2020-03-05"'],
    ["cast(date '0005-03-05' as string format 'YYYY YYY YY Y RRRR RR')", '"0005 005 05 5 0005 05"'],
    [
      "cast(date '2020-03-05' as string format 'MON Mon mon MONTH Month month DAY Day day DY Dy dy D DDD')",
      '"MAR Mar mar MARCH March march THURSDAY Thursday thursday THU Thu thu 5 065"',
    ],
    [
      "cast(time '13:03:05.123456' as string format 'HH:MI:SS AM am A.M. a.m. HH12 HH24 SSSSS FF1 FF3 FF6 FF9')",
      '"01:03:05 PM pm P.M. p.m. 01 13 46985 1 123 123456 123456000"',
    ],
    [
      `cast(timestamp '2020-03-05 13:03:05.123456+00' as string format 'YYYY-MM-DD"T"HH24:MI:SS TZH:TZM')`,
      '"2020-03-05T13:03:05 +00:00"',
    ],
    [
      "cast(timestamp '2020-03-05 13:03:05+00' as string format 'YYYY-MM-DD HH24:MI TZH:TZM' at time zone 'Asia/Kolkata')",
      '"2020-03-05 18:33 +05:30"',
    ],
    ["cast(timestamp '2020-03-05 13:03:05+00' as string format 'TZH TZM' at time zone '-03:30')", '"-03 30"'],
    [
      "cast(timestamp '1850-03-05 13:03:05+00' as string format 'HH24:MI:SS TZH TZM' at time zone 'America/New_York')",
      '"08:07:05 -04 56"',
    ],
    ["cast(date '2020-03-05' as string format '')", '""'],
    [String.raw`cast(date '2020-03-05' as string format '"a\\"b"  -./,\';:')`, String.raw`"a\"b  -./,';:"`],
    ["cast('2020-03-05' as date format 'YYYY-MM-DD')", '"2020-03-05"'],
    ["cast('20200305' as date format 'YYYYMMDD')", '"2020-03-05"'],
    ["cast('5 march 2051' as date format 'DD MONTH RRRR')", '"2051-03-05"'],
    ["cast('2,020 MAR' as date format 'Y,YYY MON')", '"2020-03-01"'],
    ["cast('03:04:05.1234567 P.M.' as time format 'HH12:MI:SS.FF7 A.M.')", '"15:04:05.123456"'],
    ["cast('12:04 a.m.' as time format 'HH:MI A.M.')", '"00:04:00"'],
    ["cast('3723' as time format 'SSSSS')", '"01:02:03"'],
    [
      "cast('2020-03-05 10:00:00 +05:30' as timestamp format 'YYYY-MM-DD HH24:MI:SS TZH:TZM')",
      '1583382600000000',
    ],
    [
      "cast('2020-03-05 10:00:00' as timestamp format 'YYYY-MM-DD HH24:MI:SS' at time zone 'America/New_York')",
      '1583420400000000',
    ],
    ["cast(' 2020-03-05 ' as datetime format 'YYYY-MM-DD')", '"2020-03-05T00:00:00"'],
    ["safe_cast('x' as date format 'YYYY-MM')", 'null'],
    ["safe_cast('2020-02-30' as date format 'YYYY-MM-DD')", 'null'],
    ["safe_cast('x' as date format 'QQ')", 'null'],
    ["cast(b'abc' as string format 'HEX')", '"616263"'],
    [String.raw`cast(b'\xff\x00' as string format 'BASE2')`, '"1111111100000000"'],
    [String.raw`cast(b'\xff\x00' as string format 'base64')`, '"/wA="'],
    ["cast(b'ab' as string format 'BASE8')", '"060542"'],
    ["cast(b'ab' as string format 'BASE32')", '"MFRA===="'],
    ["cast(cast(repeat('abc', 20) as bytes) as string format 'BASE64M')", `"${'YWJj'.repeat(19)}\\nYWJj"`],
    ["cast('777' as bytes format 'BASE8')", '"/w=="'],
    ["cast('7777' as bytes format 'BASE8')", '"D/8="'],
    ["cast('MFRA====' as bytes format 'base32')", '"YWI="'],
    [String.raw`cast('YW Jj\r\nYWJj' as bytes format 'BASE64M')`, '"YWJjYWJj"'],
    ["cast(b'ab' as string format 'ASCII')", '"ab"'],
    ["cast(b'ab' as string format 'UTF8')", '"ab"'],
    ["cast('ff' as bytes format 'HEX')", '"/w=="'],
    ["cast('f' as bytes format 'HEX')", '"Dw=="'],
    ["cast('0101' as bytes format 'BASE2')", '"BQ=="'],
    ["cast('/wA=' as bytes format 'BASE64')", '"/wA="'],
    ["cast('é' as bytes format 'UTF-8')", '"w6k="'],
    ["cast(null as string format 'HEX')", 'null'],
    ["cast('2020' as date format cast(null as string))", 'null'],
    [
      "select string_agg(cast(d as string format f), ',' order by f) from unnest([date '2020-03-05']) d, unnest(['YYYY', 'MM', null]) f",
      '"03,2020"',
    ],
    [
      "select array_agg(cast(t as timestamp format 'YYYY-MM-DD' at time zone z) order by z) from unnest(['2020-03-05']) t, unnest(['UTC', 'America/New_York']) z",
      '[1583384400000000,1583366400000000]',
    ],
  ])('%s is %s', async (googleSql, json) => {
    expect(await evaluator.evaluate(googleSql)).toBe(json);
  });

  test('takes the year and the month that a format has not from the present', async () => {
    const isSo =
      "cast('07' as date format 'DD') = date_add(date_trunc(current_date(), month), interval 6 day)";
    expect(await evaluator.evaluate(isSo)).toBe('true');
  });

  test.each([
    ["cast(date '2020-03-05' as string format 'HH24')", "DATE does not support 'HH24'"],
    ["cast(datetime '2020-03-05 01:02:03' as string format 'TZH')", "DATETIME does not support 'TZH'"],
    ["cast(date '2020-03-05' as string format 'IYYY')", "Unsupported format element 'IYYY'"],
    ["cast(date '2020-03-05' as string format 'xx')", 'Cannot find matched format element at 0'],
    ["cast(date '2020-03-05' as string format '\"a')", 'Cannot find matched format element at 0'],
    ["cast('03:04 pm' as time format 'HH:MI AM')", "Format element 'AM' is not supported for parsing"],
    ["cast('x' as date format 'YYYY')", "Failed to parse input timestamp string with format element 'YYYY'"],
    ["cast('2020-03-05 10:00:60' as datetime format 'YYYY-MM-DD HH24:MI:SS')", "with format element 'SS'"],
    ["cast('2020-03-05 1' as date format 'YYYY-MM-DD')", 'does not match the format'],
    ["cast('2020-03' as date format 'YYYY-MM-DD')", 'does not match the format'],
    ["cast('2020-02-30' as date format 'YYYY-MM-DD')", 'Invalid result from year, month, day values'],
    ["cast('2020' as date format 'YYYY YYYY')", 'appears more than once'],
    ["cast('2020' as date format 'YYYY RR')", 'More than one format element'],
    ["cast('10' as time format 'HH')", 'HH and HH12 are used with A.M. or P.M.'],
    ["cast('10 1' as time format 'SSSSS SS')", "'SSSSS' cannot stand with"],
    ["cast('2020' as date format 'HH24')", "'HH24' is not allowed for output type DATE"],
    ["cast('10000-01-01' as datetime format 'YYYY-MM-DD')", 'Invalid result from parsing function'],
    [
      "cast('2020-03-05' as timestamp format 'YYYY-MM-DD' at time zone 'nowhere')",
      'Invalid time zone: nowhere',
    ],
    ["cast(b'\\xff' as string format 'ASCII')", 'Failed to decode invalid ASCII string'],
    ["cast(b'\\xff' as string format 'UTF-8')", 'not valid UTF-8'],
    ["cast('fg' as bytes format 'HEX')", 'Failed to decode invalid hexadecimal string'],
    ["cast('2' as bytes format 'BASE2')", 'Failed to decode invalid base2 string'],
    ["cast('a' as bytes format 'BASE64')", 'Failed to decode invalid base64 string'],
    ["cast(b'ab' as string format 'x')", "Invalid format 'x'"],
    ["cast('9' as bytes format 'BASE8')", 'Failed to decode invalid base8 string'],
    ["cast('1' as bytes format 'BASE32')", 'Failed to decode invalid base32 string'],
    ["cast('1' as int64 format '999')", 'FORMAT is not allowed for cast from STRING to INT64'],
    ["cast('x' as string format 'HEX')", 'FORMAT is not allowed for cast from STRING to STRING'],
    [
      "cast(date '2020-03-05' as string format 1)",
      'FORMAT expression should return type STRING, but returns INT64',
    ],
    [
      "cast('2020-03-05' as date format 'YYYY-MM-DD' at time zone 'UTC')",
      'AT TIME ZONE is not allowed for cast from STRING to DATE',
    ],
  ])('%s fails with %s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});
