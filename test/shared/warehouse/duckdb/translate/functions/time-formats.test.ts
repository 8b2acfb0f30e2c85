import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

describe('GoogleSQL formats of dates and times on DuckDB', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    ["format_date('%x', date '2008-12-25')", '"12/25/08"'],
    ["format_date('%b-%d-%Y', date '2008-12-25')", '"Dec-25-2008"'],
    [
      "format_date('%F %Q %G-%V %u %w %j %U %W %e', date '2008-12-05')",
      '"2008-12-05 4 2008-49 5 5 340 48 48  5"',
    ],
    ["format_datetime('%c', datetime '2008-12-25 15:30:00')", '"Thu Dec 25 15:30:00 2008"'],
    [
      "format_timestamp('%Y-%m-%dT%H:%M:%E3SZ', timestamp '2024-05-06 07:08:09.1234+00')",
      '"2024-05-06T07:08:09.123Z"',
    ],
    [
      "format_timestamp('%E*S|%E6S|%s|%I %p %P %l %k', timestamp '2024-05-06 17:08:09.12+00')",
      '"09.12|09.120000|1715015289|05 PM pm  5 17"',
    ],
    ["format_timestamp('%c', timestamp '2050-12-25 15:30:55+00', 'UTC')", '"Sun Dec 25 15:30:55 2050"'],
    ["format_timestamp('%Z %z %Ez', timestamp '2050-12-25 15:30:55+00')", '"UTC +0000 +00:00"'],
    [
      "format_timestamp('%F %T%Ez', timestamp '2024-07-25 15:30:55+00', 'America/New_York')",
      '"2024-07-25 11:30:55-04:00"',
    ],
    ["format_time('%R', time '15:30:00')", '"15:30"'],
    ["format_timestamp('%Z %z', timestamp '2024-07-25 15:30:55+00', 'America/New_York')", '"UTC-4 -0400"'],
    ["format_timestamp('%Z', timestamp '2024-07-25 15:30:55+00', 'Asia/Kolkata')", '"UTC+0530"'],
    ["format_timestamp('%Z', timestamp '2024-01-25 15:30:55+00', 'Europe/London')", '"UTC"'],
    ["format_timestamp('%Z', timestamp '2024-01-25 15:30:55+00', '-03:30')", '"UTC-0330"'],
    [
      "format_datetime('%r|%s|%Ex|%Z', datetime '2024-02-09 13:04:05')",
      '"01:04:05 PM|1707483845|02/09/24|%Z"',
    ],
    ["format_date('%F %H:%M%n', date '2024-02-09')", String.raw`"2024-02-09 %H:%M\n"`],
    ["format_time('%F %r', time '13:04:05')", '"%F 01:04:05 PM"'],
    ["parse_timestamp('%c', 'Thu Dec 25 07:30:00 2008')", '1230190200000000'],
    ["parse_timestamp('%a %b %e %I:%M:%S %Y', 'Thu Dec 25 07:30:00 2008')", '1230190200000000'],
    ["parse_timestamp('%F %r', '2024-01-02 01:02:03 PM')", '1704200523000000'],
    ["parse_timestamp('%F %T%z', '2024-03-31 02:30:00+02')", '1711845000000000'],
    ["parse_timestamp('%F %T %Z', '2024-03-10 02:30:00 UTC')", '1710037800000000'],
    ["parse_timestamp('%F %Z', '2024-01-02 America/New_York')", '1704171600000000'],
    ["parse_date('%Y %j', '2024 60')", '"2024-02-29"'],
    ["safe.parse_date('%Y %j', '2023 366')", 'null'],
    ["parse_date('%x', '12/25/08')", '"2008-12-25"'],
    ["parse_date('%Y%m%d', '20081225')", '"2008-12-25"'],
    ["parse_date('%A %b %e %Y', 'Thursday Dec 25 2008')", '"2008-12-25"'],
    ["parse_datetime('%Y-%m-%d %H:%M:%S', '1998-10-18 13:45:55')", '"1998-10-18T13:45:55"'],
    ["parse_datetime('%m/%d/%Y %I:%M:%S %p', '8/30/2018 2:23:38 pm')", '"2018-08-30T14:23:38"'],
    ["parse_timestamp('%Y-%m-%dT%H:%M:%E*SZ', '2024-05-06T07:08:09.123Z')", '1714979289123000'],
    ["parse_timestamp('%Y-%m-%d %H:%M:%S%Ez', '2024-05-06 07:08:09+02:00')", '1714972089000000'],
    ["parse_timestamp('%d/%b/%Y:%H:%M:%S %z', '06/May/2024:07:08:09 +0200')", '1714972089000000'],
    [
      "parse_timestamp('%Y-%m-%d %H:%M:%S UTC', '2024-05-06 07:08:09 UTC', 'Europe/Berlin')",
      '1714972089000000',
    ],
    ["parse_timestamp('%s', '1714979289')", '1714979289000000'],
    ["safe.parse_timestamp('%Y-%m-%d', 'x')", 'null'],
    ["parse_time('%I:%M:%S %p', '2:23:38 pm')", '"14:23:38"'],
    [
      "format_timestamp('%Y-%m-%d %H:%M', timestamp '2024-05-06 07:08:09', 'Asia/Tokyo')",
      '"2024-05-06 16:08"',
    ],
    ["safe.parse_date('%Y-%m-%d', '2024-13-01')", 'null'],
    ["parse_timestamp('%Y-%m-%dT%H:%M:%SZ', '2024-05-06T07:08:09Z')", '1714979289000000'],
    ["parse_timestamp('%FT%T%Ez', '2024-05-06T07:08:09+00:00')", '1714979289000000'],
    ["parse_timestamp('%FT%T%Ez', '2024-05-06T07:08:09Z')", '1714979289000000'],
    ["parse_timestamp('%FT%T%Ez', '2024-05-06T21:08:09+14:00')", '1714979289000000'],
    ["parse_timestamp('%FT%T%z', '2024-05-05T17:08:09-14')", '1714979289000000'],
    ["parse_timestamp('%a %b %e %H:%M:%S %Y', 'Mon May  6 07:08:09 2024')", '1714979289000000'],
    ["parse_timestamp('%Y-%m-%d', ' 2024-05-06 ')", '1714953600000000'],
    ["parse_date('%d %B %Y', '6 May 2024')", '"2024-05-06"'],
    ["parse_time('%H:%M:%E3S', '07:08:09.123')", '"07:08:09.123000"'],
    ["parse_timestamp('%Y-%m-%d %H:%M', '2024-11-03 01:30', 'America/New_York')", '1730611800000000'],
    ["safe.parse_timestamp('%Y-%m-%d %H:%M', '2024-11-03 01:30', 'Mars/Olympus')", 'null'],
    ["parse_timestamp('%Y', '2024')", '1704067200000000'],
    ["parse_timestamp('%F %T', '2024-12-31 23:59:60')", '1735689600000000'],
    ["parse_timestamp('%F %H:%M:%E*S', '2024-01-01 00:00:60.5')", '1704067260000000'],
    ["parse_timestamp('%F %T %z', '2016-12-31 23:59:60 +0530')", '1483209000000000'],
    ["parse_timestamp('%F %T %z', '9999-12-31 23:59:60 +0100')", '253402297200000000'],
    ["parse_timestamp('%F %T %Z', '2024-10-27 02:59:60 Europe/Berlin')", '1729990800000000'],
    ["parse_timestamp('%F %T', '2024-03-31 02:59:60', 'Europe/Berlin')", '1711850400000000'],
    ["safe.parse_timestamp('%F %T', '9999-12-31 23:59:60')", 'null'],
    ["parse_datetime('%F %T', '2024-12-31 23:59:60')", '"2025-01-01T00:00:00"'],
    ["parse_datetime('%F %I:%M:%S %p', '2024-01-01 12:59:60 AM')", '"2024-01-01T01:00:00"'],
    ["parse_datetime('%j %Y %T', '366 2024 23:59:60')", '"2025-01-01T00:00:00"'],
    ["parse_time('%T', '23:59:60')", '"00:00:00"'],
    ["parse_time('%H:%M:%E3S', '12:00:60.75')", '"12:01:00"'],
  ])('%s is %s', async (googleSql, json) => {
    expect(await evaluator.evaluate(googleSql)).toBe(json);
  });

  test.each([
    ["format_timestamp('%H:%M', timestamp '2024-07-25 15:30:55+00', 'Mars/Olympus')", 'Invalid time zone'],
    ["parse_date('%Y-%m-%d', '2008-13-25')", 'Failed to parse input string "2008-13-25"'],
    ["parse_time('%H:%M', '25:00')", 'Failed to parse input string "25:00"'],
    ["parse_date('%%', '%')", 'not supported'],
    ["parse_timestamp('%F %T', '2024-01-01 00:00:61')", 'Failed to parse input string "2024-01-01 00:00:61"'],
    ["parse_timestamp('%F %T%z', '9999-12-31 23:59:59-0100')", 'Failed to parse input string "9999-12-31'],
    ...['+1060', '+1401', '+15', '+10:30', 'Z', 'z', '+1'].map((offset) => [
      `parse_timestamp('%F %z', '2024-05-06 ${offset}')`,
      'Failed to parse input string "2024-05-06',
    ]),
    ...['+10:60', '-14:01', '-15', 'z', '+1:30'].map((offset) => [
      `parse_timestamp('%F %Ez', '2024-05-06 ${offset}')`,
      'Failed to parse input string "2024-05-06',
    ]),
    ["parse_datetime('%F %T', '9999-12-31 23:59:60')", 'Failed to parse input string "9999-12-31 23:59:60"'],
    ["parse_time('%T', '12:60:60')", 'Failed to parse input string "12:60:60"'],
    ["parse_time('%H:%M:%E*S', '12:00:09.')", 'Failed to parse input string "12:00:09."'],
    // What looks like a name that generated SQL uses is text as any other.
    ...['v1', 'v9007199254740992', 'v99999999999999999999999', 'x9007199254740992'].map((text) => [
      `select parse_date('%Y', concat('${text}', upper(word))) from unnest(['a', 'b']) word`,
      `Failed to parse input string "${text}A"`,
    ]),
  ])('%s fails with %s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});
