import { MAX_QUOTED_LENGTH } from '../../../../errors/excerpt.ts';
import { MAX_JSON_DEPTH } from '../../../../sql/values/json-document.ts';
import { RAISED_PREFIX } from './fragments.ts';
import { MAX_SPLIT_SIZE } from './sizes.ts';
import { SKETCH_MACROS } from './sketch-macros.ts';

/**
 * Macros that the translations use; each database needs them, created in this order before it is locked. Their
 * parameters stand more than once in the bodies, so callers name long values first.
 */
export const MACROS: readonly string[] = [
  // What copied-text.ts and generate-conditions.ts put around texts and conditions.
  `CREATE OR REPLACE MACRO gsql_copied(x) AS greatest(x, x)`,
  `CREATE OR REPLACE MACRO gsql_of_row(list) AS CASE WHEN random() < 0 THEN NULL ELSE list END`,
  `CREATE OR REPLACE MACRO gsql_after_others(x) AS
    CASE WHEN random() < 0 THEN CAST(CAST(random() AS VARCHAR) AS BOOLEAN) ELSE x END`,

  // What an error's message quotes of a value.
  `CREATE OR REPLACE MACRO gsql_excerpt(x) AS
    CASE WHEN length(x) > ${MAX_QUOTED_LENGTH} THEN left(x, ${MAX_QUOTED_LENGTH}) || '…' ELSE x END`,
  `CREATE OR REPLACE MACRO gsql_raise(message) AS CAST(CAST('${RAISED_PREFIX}' || message AS BIGINT) AS VARCHAR)`,

  // FLOAT64 as text: 15 digits where they give the same value back, otherwise 17; zero and NaN without a sign.
  `CREATE OR REPLACE MACRO gsql_float_text(x) AS CASE
    WHEN isnan(x) THEN 'nan'
    WHEN isinf(x) THEN CASE WHEN x > 0 THEN 'inf' ELSE '-inf' END
    WHEN x = 0 THEN '0'
    WHEN CAST(printf('%.15g', x) AS DOUBLE) = x THEN printf('%.15g', x)
    ELSE printf('%.17g', x) END`,

  // To places after the point by the exact value, as GoogleSQL does: 2.675 is a little less than that, so it rounds to
  // 2.67. What is far from the middle between two results needs no look at the digits; an exact middle goes away from zero.
  `CREATE OR REPLACE MACRO gsql_round_digits(x, places) AS CAST(printf('%.' || places || 'f',
    CASE WHEN x * pow(2, places + 1) = trunc(x * pow(2, places + 1)) THEN nextafter(x, x * 2) ELSE x END) AS DOUBLE)`,
  `CREATE OR REPLACE MACRO gsql_round(x, places) AS
    CASE WHEN abs(x) * pow(10, places) < 1e10
      AND abs(abs(x) * pow(10, places) - floor(abs(x) * pow(10, places)) - 0.5) > 1e-4 THEN round(x, places)
    ELSE gsql_round_digits(x, places) END`,
  // With more places than a FLOAT64 has digits, a step to the next number would be seen. A value between two of them ends in one 5 more.
  `CREATE OR REPLACE MACRO gsql_round_long(x, places) AS CASE
    WHEN x * pow(2, places + 1) = trunc(x * pow(2, places + 1)) AND x * pow(2, places) <> trunc(x * pow(2, places))
    THEN CAST((CAST(replace(left(printf('%.' || (places + 1) || 'f', x), -1), '.', '') AS BIGINT) + CAST(sign(x) AS BIGINT)) || 'e-' || places AS DOUBLE)
    ELSE CAST(printf('%.' || places || 'f', x) AS DOUBLE) END`,
  `CREATE OR REPLACE MACRO gsql_trunc(x, places) AS
    CAST(regexp_extract(printf('%.60f', x), '^-?[0-9]+[.]') || substring(split_part(printf('%.60f', x), '.', 2), 1, places) AS DOUBLE)`,

  // The fraction of a second as none, three or six digits.
  `CREATE OR REPLACE MACRO gsql_fraction_text(micros) AS CASE
    WHEN micros % 1000000 = 0 THEN ''
    WHEN micros % 1000 = 0 THEN '.' || lpad(CAST((micros // 1000 % 1000 + 1000) % 1000 AS VARCHAR), 3, '0')
    ELSE '.' || lpad(CAST((micros % 1000000 + 1000000) % 1000000 AS VARCHAR), 6, '0') END`,
  `CREATE OR REPLACE MACRO gsql_datetime_text(t) AS
    strftime(t, '%Y-%m-%d %H:%M:%S') || gsql_fraction_text(microsecond(t) % 1000000)`,
  `CREATE OR REPLACE MACRO gsql_time_text(t) AS
    strftime(DATE '2000-01-01' + t, '%H:%M:%S') || gsql_fraction_text(epoch_us(t) % 1000000)`,

  // What a zone's clocks are ahead of UTC, as +HH or +HH:MM.
  `CREATE OR REPLACE MACRO gsql_offset_minutes(shown, instant) AS (epoch_us(shown) - epoch_us(instant)) // 60000000`,
  `CREATE OR REPLACE MACRO gsql_offset_text(shown, instant) AS
    CASE WHEN gsql_offset_minutes(shown, instant) < 0 THEN '-' ELSE '+' END
    || lpad(CAST(abs(gsql_offset_minutes(shown, instant)) // 60 AS VARCHAR), 2, '0')
    || CASE WHEN gsql_offset_minutes(shown, instant) % 60 = 0 THEN ''
       ELSE ':' || lpad(CAST(abs(gsql_offset_minutes(shown, instant)) % 60 AS VARCHAR), 2, '0') END`,
  `CREATE OR REPLACE MACRO gsql_offset(text) AS
    to_minutes(CASE WHEN starts_with(text, '-') THEN -1 ELSE 1 END
      * (CAST(regexp_extract(text, '(\\d{1,2})', 1) AS BIGINT) * 60
        + CAST(coalesce(nullif(regexp_extract(text, '(?:\\d{1,2}:|\\d\\d)(\\d+)$', 1), ''), '0') AS BIGINT)))`,

  // Second 60 is the first of the next minute. A minute 60 stays what it is, and fails.
  `CREATE OR REPLACE MACRO gsql_time(text) AS CASE WHEN contains(text, ':60')
    THEN CAST(regexp_replace(text, ':60(\\.\\d+)?$', ':59') AS TIME) + to_seconds(1) ELSE CAST(text AS TIME) END`,
  `CREATE OR REPLACE MACRO gsql_local_time(day, clock) AS
    CASE WHEN starts_with(day, '0000') THEN NULL
    WHEN clock = '' THEN CAST(CAST(day AS DATE) AS TIMESTAMP)
    WHEN contains(clock, ':60')
      THEN CAST(day AS DATE) + CAST(regexp_replace(clock, ':60(\\.\\d+)?$', ':59\\1') AS TIME) + to_seconds(1)
    ELSE CAST(day AS DATE) + CAST(clock AS TIME) END`,
  `CREATE OR REPLACE MACRO gsql_in_calendar(instant) AS
    CASE WHEN instant BETWEEN TIMESTAMP '0001-01-01' AND TIMESTAMP '9999-12-31 23:59:59.999999' THEN instant END`,
  `CREATE OR REPLACE MACRO gsql_hex_integer(text) AS
    CASE WHEN starts_with(text, '-') THEN -1 ELSE 1 END
      * TRY_CAST(regexp_extract(text, '(0x[0-9a-f]+)', 1) AS BIGINT)`,

  `CREATE OR REPLACE MACRO gsql_day(y, m, d) AS CASE WHEN y BETWEEN 1 AND 9999 THEN make_date(y, m, d) END`,

  // The parts of an INTERVAL, an INTERVAL of parts within GoogleSQL's limits, and the clock of its text.
  `CREATE OR REPLACE MACRO gsql_months(i) AS datepart('year', i) * 12 + datepart('month', i)`,
  `CREATE OR REPLACE MACRO gsql_days(i) AS datepart('day', i)`,
  `CREATE OR REPLACE MACRO gsql_micros(i) AS
    datepart('hour', i) * 3600000000 + datepart('minute', i) * 60000000 + datepart('microsecond', i)`,
  `CREATE OR REPLACE MACRO gsql_interval(m, d, u) AS CASE
    WHEN m IS NULL OR d IS NULL OR u IS NULL THEN NULL
    WHEN abs(m) > 120000 THEN CAST(gsql_raise('Interval field months ''' || m || ''' is out of range -120000 to 120000') AS INTERVAL)
    WHEN abs(d) > 3660000 THEN CAST(gsql_raise('Interval field days ''' || d || ''' is out of range -3660000 to 3660000') AS INTERVAL)
    WHEN abs(u) > 316224000000000000
      THEN CAST(gsql_raise('Interval field microseconds ''' || u || ''' is out of range -316224000000000000 to 316224000000000000') AS INTERVAL)
    ELSE to_months(CAST(m AS INTEGER)) + to_days(CAST(d AS INTEGER)) + to_microseconds(CAST(u AS BIGINT)) END`,
  `CREATE OR REPLACE MACRO gsql_clock_text(u) AS
    CASE WHEN u < 0 THEN '-' ELSE '' END || abs(u) // 3600000000 || ':' || abs(u) // 60000000 % 60 || ':'
    || abs(u) // 1000000 % 60 || gsql_fraction_text(abs(u))`,
  `CREATE OR REPLACE MACRO gsql_iso_seconds(u) AS CASE WHEN u % 60000000 = 0 THEN ''
    ELSE CASE WHEN u < 0 THEN '-' ELSE '' END || abs(u) // 1000000 % 60
      || rtrim('.' || lpad(CAST(abs(u) % 1000000 AS VARCHAR), 6, '0'), '0.') || 'S' END`,
  // What a lower part takes from a higher one of the other sign.
  `CREATE OR REPLACE MACRO gsql_borrow(higher, lower) AS CASE
    WHEN higher > 0 AND lower < 0 THEN 1 WHEN higher < 0 AND lower > 0 THEN -1 ELSE 0 END`,

  // NUMERIC in billionths, exactly, and the quotient of two rounded half away from zero.
  `CREATE OR REPLACE MACRO gsql_units(x) AS CAST(replace(CAST(x AS VARCHAR), '.', '') AS HUGEINT)`,
  `CREATE OR REPLACE MACRO gsql_numeric_of(units) AS
    CAST(CAST(units AS DECIMAL(38,0)) * 0.000000001::DECIMAL(10,9) AS DECIMAL(38,9))`,
  `CREATE OR REPLACE MACRO gsql_bignumeric_of(units) AS
    CAST(CAST(units AS DECIMAL(38,0)) * 0.000000000000000001::DECIMAL(19,18) AS DECIMAL(38,18))`,
  `CREATE OR REPLACE MACRO gsql_numeric_ratio(a, b) AS gsql_numeric_of(
    CASE WHEN (a < 0) = (b < 0) THEN 1 ELSE -1 END
    * ((abs(gsql_units(a)) * 1000000000 + abs(gsql_units(b)) // 2) // abs(gsql_units(b))))`,
  // Operands that are too large for that, and for DuckDB's own multiplication.
  `CREATE OR REPLACE MACRO gsql_numeric_exactly(a, operation, b) AS
    coalesce(CAST(gsql_decimal(a || operation || b) AS DECIMAL(38,9)),
      CAST(gsql_raise('numeric overflow: ' || a || operation || b) AS DECIMAL(38,9)))`,
  `CREATE OR REPLACE MACRO gsql_numeric_quotient(a, b) AS CASE
    WHEN abs(a) < 100000000000000000000 THEN gsql_numeric_ratio(a, b)
    WHEN a IS NOT NULL AND b IS NOT NULL THEN gsql_numeric_exactly(a, ' / ', b) END`,
  `CREATE OR REPLACE MACRO gsql_numeric_product(a, b) AS CASE
    WHEN abs(CAST(a AS DOUBLE) * CAST(b AS DOUBLE)) < 1e19 THEN CAST(a * b AS DECIMAL(38,9))
    WHEN a IS NOT NULL AND b IS NOT NULL THEN gsql_numeric_exactly(a, ' * ', b) END`,

  // Sums and averages of NUMERIC out of the sum of whole units, a HUGEINT, and that of fractions. A fraction with the
  // other sign than the units takes one of them.
  `CREATE OR REPLACE MACRO gsql_numeric_carried(units, fraction) AS units + CAST(trunc(fraction) AS HUGEINT)`,
  `CREATE OR REPLACE MACRO gsql_numeric_sum(units, fraction) AS CASE
    WHEN abs(gsql_numeric_carried(units, fraction)) < 100000000000000000000000000000
      THEN CAST(gsql_numeric_carried(units, fraction) AS DECIMAL(38,9)) + CAST(fraction - trunc(fraction) AS DECIMAL(38,9))
    WHEN units IS NOT NULL THEN CAST(gsql_raise('numeric overflow: SUM') AS DECIMAL(38,9)) END`,
  `CREATE OR REPLACE MACRO gsql_numeric_sign(units, fraction) AS
    CASE WHEN units < 0 OR units = 0 AND fraction < 0 THEN -1 ELSE 1 END`,
  `CREATE OR REPLACE MACRO gsql_numeric_mean(units, billionths, rows) AS
    CAST(units // rows AS DECIMAL(38,9))
      + gsql_numeric_of((units % rows * 1000000000 + billionths + CAST(rows // 2 AS HUGEINT)) // rows)`,
  `CREATE OR REPLACE MACRO gsql_numeric_average_of(sign, units, billionths, rows) AS sign
    * CASE WHEN billionths < 0 THEN gsql_numeric_mean(units - 1, billionths + 1000000000, rows)
      ELSE gsql_numeric_mean(units, billionths, rows) END`,
  `CREATE OR REPLACE MACRO gsql_numeric_average(units, fraction, rows) AS gsql_numeric_average_of(
    gsql_numeric_sign(gsql_numeric_carried(units, fraction), fraction),
    gsql_numeric_sign(gsql_numeric_carried(units, fraction), fraction) * gsql_numeric_carried(units, fraction),
    gsql_numeric_sign(gsql_numeric_carried(units, fraction), fraction)
      * gsql_units(CAST(fraction - trunc(fraction) AS DECIMAL(38,9))), rows)`,

  // Text that DuckDB reads as GoogleSQL does: JSON by its standard (DuckDB takes trailing commas and NaN as well), without
  // characters by their numbers, and of too few brackets for too many levels.
  `CREATE OR REPLACE MACRO gsql_json_is_loose(text) AS
    (regexp_matches(text, ',\\s*[\\]}]') OR contains(lower(text), 'nan') OR contains(lower(text), 'inf'))
    AND regexp_matches(regexp_replace(text, '"(?:[^"\\\\]|\\\\.)*"', '""', 'g'), ',\\s*[\\]}]|(?i)nan|inf')`,
  `CREATE OR REPLACE MACRO gsql_json_is_plain(text) AS
    CASE WHEN contains(text, '\\u') THEN false
    WHEN strlen(text) > 2000 AND strlen(text) - strlen(translate(text, '[{', '')) > ${MAX_JSON_DEPTH} THEN false
    WHEN json_valid(text) THEN NOT gsql_json_is_loose(text) ELSE false END`,
  // Whether DuckDB writes a value as it stands in such a text: it spells fractions anew (1.50 as 1.5).
  `CREATE OR REPLACE MACRO gsql_json_value_is_known(text, path) AS
    CASE WHEN json_type(text, path) IN ('VARCHAR', 'BOOLEAN') THEN true
    WHEN json_type(text, path) IN ('BIGINT', 'UBIGINT') THEN NOT contains(text, '-0') ELSE false END`,
  `CREATE OR REPLACE MACRO gsql_json_query_is_known(text, path) AS
    json_type(text, path) IS NOT NULL AND NOT contains(text, '-0') AND NOT regexp_matches(text, '[\\x{2028}\\x{2029}]')
    AND NOT regexp_matches(CAST(json_extract(text, path) AS VARCHAR), '[0-9][.eE]')`,
  `CREATE OR REPLACE MACRO gsql_json_scalar(json) AS CASE
    WHEN json_type(json) IN ('VARCHAR', 'BOOLEAN') THEN json_extract_string(json, '$')
    WHEN json_type(json) IN ('BIGINT', 'UBIGINT') THEN CAST(json AS VARCHAR)
    WHEN json_type(json) NOT IN ('OBJECT', 'ARRAY', 'NULL') THEN gsql_json_single(CAST(json AS VARCHAR)) END`,

  // Whether JSON has too much to take each element by itself.
  `CREATE OR REPLACE MACRO gsql_json_is_long(json) AS
    strlen(CAST(json AS VARCHAR)) > ${MAX_SPLIT_SIZE} AND json_type(json) IN ('OBJECT', 'ARRAY')`,

  // IP addresses: four numbers with dots as hexadecimal digits and as two groups, those digits as numbers, and groups of
  // an IPv6 address with all their digits.
  `CREATE OR REPLACE MACRO gsql_octet(text, n) AS CAST(split_part(text, '.', n) AS INTEGER)`,
  `CREATE OR REPLACE MACRO gsql_ipv4_hex(text) AS
    printf('%02x%02x%02x%02x', gsql_octet(text, 1), gsql_octet(text, 2), gsql_octet(text, 3), gsql_octet(text, 4))`,
  `CREATE OR REPLACE MACRO gsql_ipv4_groups(text) AS
    printf('%x:%x', gsql_octet(text, 1) * 256 + gsql_octet(text, 2), gsql_octet(text, 3) * 256 + gsql_octet(text, 4))`,
  `CREATE OR REPLACE MACRO gsql_ipv4_text(hex) AS array_to_string(
    list_transform([1, 3, 5, 7], lambda i: CAST(CAST('0x' || substring(hex, i, 2) AS INTEGER) AS VARCHAR)), '.')`,
  `CREATE OR REPLACE MACRO gsql_ipv6_hex(groups) AS CASE WHEN groups = '' THEN ''
    ELSE array_to_string(list_transform(string_split(groups, ':'), lambda g: lpad(g, 4, '0')), '') END`,

  // A LIKE pattern may not end in an escape that escapes nothing.
  `CREATE OR REPLACE MACRO gsql_like_pattern(pattern) AS
    CASE WHEN ends_with(pattern, '\\') AND length(regexp_extract(pattern, '(\\\\*)$', 1)) % 2 = 1
      THEN gsql_raise('LIKE pattern ends with a backslash') ELSE pattern END`,

  // A LIKE pattern as a regular expression: what stands for itself is escaped.
  `CREATE OR REPLACE MACRO gsql_like_regexp(pattern) AS array_to_string(list_transform(
    regexp_extract_all(gsql_like_pattern(pattern), '(?s)\\\\.|.'),
    lambda c: CASE c WHEN '%' THEN '.*' WHEN '_' THEN '.'
      ELSE regexp_replace(CASE WHEN length(c) = 2 THEN c[2] ELSE c END, '([!-/:-@\\[-\\x60{-~])', '\\\\\\1') END), '')`,

  // Capturing groups of a regular expression, without escapes and character classes.
  `CREATE OR REPLACE MACRO gsql_group_count(pattern) AS
    CASE WHEN contains(pattern, '\\Q') THEN 2 ELSE len(regexp_extract_all(
      regexp_replace(regexp_replace(pattern, '(?s)\\\\.', 'x', 'g'),
        '\\[\\^?\\]?(?:\\[:\\^?\\w+:\\]|[^\\]])*\\]', 'x', 'g'),
      '\\((?:[^?]|$|\\?P?<\\w)')) END`,

  // Counts from 0 to a last one in steps, for series that go up or down.
  `CREATE OR REPLACE MACRO gsql_steps(last, step) AS
    CASE WHEN step > 0 AND last >= 0 THEN generate_series(0, last, step)
      WHEN step < 0 AND last <= 0 THEN generate_series(0, last, step) ELSE [] END`,

  // Shifts that fill with zeros; DuckDB's own refuse results beyond INT64 and keep the sign.
  `CREATE OR REPLACE MACRO gsql_unsigned(x) AS CASE WHEN x < 0 THEN x::HUGEINT + 18446744073709551616 ELSE x::HUGEINT END`,
  `CREATE OR REPLACE MACRO gsql_signed(x) AS
    CAST(CASE WHEN x > 9223372036854775807 THEN x - 18446744073709551616 ELSE x END AS BIGINT)`,
  `CREATE OR REPLACE MACRO gsql_shift_left(x, n) AS
    gsql_signed((gsql_unsigned(x) % (18446744073709551616 >> (CASE WHEN n BETWEEN 0 AND 63 THEN n END)::INTEGER)) << (CASE WHEN n BETWEEN 0 AND 63 THEN n END)::INTEGER)`,
  `CREATE OR REPLACE MACRO gsql_shift_right(x, n) AS gsql_signed(gsql_unsigned(x) >> (CASE WHEN n BETWEEN 0 AND 63 THEN n END)::INTEGER)`,

  ...SKETCH_MACROS,
];
