import { describe, expect, test } from '@jest/globals';
import { printQuery } from '../../../shared/sql/print/print-query.ts';
import { formatMicros, parseIsoTimestamp } from '../../../shared/time/iso-timestamp.ts';
import { compile, NOW_MICROS } from './support/sources.ts';

function micros(iso: string): bigint {
  const parsed = parseIsoTimestamp(iso);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed.micros;
}

/** The bounds of a query, as its condition has them: `>= 2024-01-01T00:00:00Z`. */
function boundsOf(lql: string, now = NOW_MICROS): string[] {
  const { tree, parameters } = compile(lql, undefined, now);
  const operators = [...printQuery(tree).matchAll(/t\.timestamp ([<>=]+) @/g)].map(
    ([, operator]) => operator,
  );
  return [...parameters.values()].map(
    ({ value }, index) => `${operators[index]} ${formatMicros(value as bigint)}`,
  );
}

/** At 2024-03-06T14:35:20.987654Z, a Wednesday. */
const BOUNDS: readonly [lql: string, ...bounds: string[]][] = [
  ['t:now', '= 2024-03-06T14:35:20Z'],
  ['t:>now', '> 2024-03-06T14:35:20Z'],
  ['t:2024-02-29', '>= 2024-02-29T00:00:00Z', '<= 2024-02-29T23:59:59.999999Z'],
  ['t:9999-12-31', '>= 9999-12-31T00:00:00Z', '<= 9999-12-31T23:59:59.999999Z'],
  ['t:>2024-02-29', '> 2024-02-29T00:00:00Z'],
  ['t:<=2024-02-29', '<= 2024-02-29T00:00:00Z'],
  ['t:2024-02-29T10:00:00.5', '= 2024-02-29T10:00:00.500000Z'],
  ['t:>=2024-03-06T15:35:20+01:00', '>= 2024-03-06T14:35:20Z'],
  ['t:1709735720123456', '= 2024-03-06T14:35:20.123000Z'],
  ['t:2024-02-28..2024-02-29', '>= 2024-02-28T00:00:00Z', '<= 2024-02-29T23:59:59.999999Z'],
  ['t:2024-02-28T10:00:00..2024-02-29', '>= 2024-02-28T10:00:00Z', '<= 2024-02-29T23:59:59.999999Z'],
  ['t:2024-02-28..2024-02-29T10:00:00', '>= 2024-02-28T00:00:00Z', '<= 2024-02-29T10:00:00Z'],
  ['t:2024-02-{28..29}', '>= 2024-02-28T00:00:00Z', '<= 2024-02-29T23:59:59.999999Z'],
  ['t:2024-03-06T{13..14}:{00..05}:00', '>= 2024-03-06T13:00:00Z', '<= 2024-03-06T14:05:00Z'],
  ['t:2024-03-06T13:00:00.{1..75}', '>= 2024-03-06T13:00:00.100000Z', '<= 2024-03-06T13:00:00.750000Z'],
  ['t:today', '>= 2024-03-06T00:00:00Z', '<= 2024-03-06T23:59:59.999999Z'],
  ['t:yesterday', '>= 2024-03-05T00:00:00Z', '<= 2024-03-05T23:59:59.999999Z'],
  ['t:this@minute', '>= 2024-03-06T14:35:00Z', '<= 2024-03-06T14:35:20Z'],
  ['t:this@h', '>= 2024-03-06T14:00:00Z', '<= 2024-03-06T14:35:20Z'],
  ['t:this@day', '>= 2024-03-06T00:00:00Z', '<= 2024-03-06T14:35:20Z'],
  ['t:this@week', '>= 2024-03-04T00:00:00Z', '<= 2024-03-06T14:35:20Z'],
  ['t:this@mm', '>= 2024-03-01T00:00:00Z', '<= 2024-03-06T14:35:20Z'],
  ['t:this@year', '>= 2024-01-01T00:00:00Z', '<= 2024-03-06T14:35:20Z'],
  ['t:last@30s', '>= 2024-03-06T14:34:50Z', '<= 2024-03-06T14:35:20Z'],
  ['t:last@15m', '>= 2024-03-06T14:20:00Z', '<= 2024-03-06T14:35:20Z'],
  ['t:last@m', '>= 2024-03-06T14:34:00Z', '<= 2024-03-06T14:35:20Z'],
  ['t:last@0m', '>= 2024-03-06T14:35:00Z', '<= 2024-03-06T14:35:20Z'],
  ['t:last@1h', '>= 2024-03-06T13:00:00Z', '<= 2024-03-06T14:35:20Z'],
  ['t:last@1d', '>= 2024-03-05T00:00:00Z', '<= 2024-03-06T14:35:20Z'],
  ['t:last@2weeks', '>= 2024-02-21T00:00:00Z', '<= 2024-03-06T14:35:20Z'],
  ['t:last@3mm', '>= 2023-12-06T00:00:00Z', '<= 2024-03-06T14:35:20Z'],
  ['t:last@1y', '>= 2023-03-06T00:00:00Z', '<= 2024-03-06T14:35:20Z'],
  ['t:last@9999y', '>= 0001-01-01T00:00:00Z', '<= 2024-03-06T14:35:20Z'],
];

describe('a time is resolved', () => {
  test.each(BOUNDS)('%s', (lql, ...bounds) => expect(boundsOf(lql)).toEqual(bounds));

  test.each([
    ['2024-03-31T12:00:00Z', 't:last@1mm', '2024-02-29T00:00:00Z'],
    ['2023-03-31T12:00:00Z', 't:last@1mm', '2023-02-28T00:00:00Z'],
    ['2024-02-29T12:00:00Z', 't:last@1y', '2023-02-28T00:00:00Z'],
    ['2024-02-29T12:00:00Z', 't:last@4y', '2020-02-29T00:00:00Z'],
    ['2024-05-31T12:00:00Z', 't:last@3mm', '2024-02-29T00:00:00Z'],
    ['2024-01-15T00:00:00Z', 't:last@13mm', '2022-12-15T00:00:00Z'],
    ['2024-03-03T23:59:59Z', 't:this@week', '2024-02-26T00:00:00Z'],
    ['2024-03-04T00:00:00Z', 't:this@week', '2024-03-04T00:00:00Z'],
    ['2024-01-01T00:00:00Z', 't:yesterday', '2023-12-31T00:00:00Z'],
    ['1969-12-31T23:59:59.5Z', 't:last@1s', '1969-12-31T23:59:58Z'],
    ['1969-12-31T23:59:59.5Z', 't:this@week', '1969-12-29T00:00:00Z'],
    ['1970-01-01T00:00:00Z', 't:this@minute', '1970-01-01T00:00:00Z'],
  ])('at %s: %s begins at %s', (now, lql, start) => {
    expect(boundsOf(lql, micros(now))[0]).toBe(`>= ${start}`);
  });
});

describe('the time range of a query', () => {
  test.each([
    ['error', null, null],
    ['-t:today', null, null],
    ['t:>2024-01-01', '2024-01-01T00:00:00.000001Z', null],
    ['t:<2024-01-01', null, '2023-12-31T23:59:59.999999Z'],
    ['t:2024-01-01T10:00:00', '2024-01-01T10:00:00Z', '2024-01-01T10:00:00Z'],
    ['t:today', '2024-03-06T00:00:00Z', '2024-03-06T23:59:59.999999Z'],
    ['t:today t:last@1h t:<now', '2024-03-06T13:00:00Z', '2024-03-06T14:35:19.999999Z'],
  ])('%s', (lql, from, to) => {
    expect(compile(lql).timeRange).toEqual({
      after: from === null ? null : micros(from) - 1n,
      upTo: to === null ? null : micros(to),
    });
  });
});

describe('the key of a cached answer', () => {
  const keyAt = (lql: string, iso: string) =>
    [...compile(lql, undefined, micros(iso)).keyParameters.values()].map(({ value }) => value);

  test.each([
    ['t:last@15m', '2024-03-06T14:35:00Z', '2024-03-06T14:35:59.999999Z', true],
    ['t:last@15m', '2024-03-06T14:35:59Z', '2024-03-06T14:36:00Z', false],
    ['t:this@day', '2024-03-06T14:35:00Z', '2024-03-06T14:35:59Z', true],
    ['t:this@day', '2024-03-06T14:35:00Z', '2024-03-06T14:36:00Z', false],
    ['t:last@30s', '2024-03-06T14:35:10Z', '2024-03-06T14:35:10.9Z', true],
    ['t:last@30s', '2024-03-06T14:35:10Z', '2024-03-06T14:35:11Z', false],
    ['t:<=now', '2024-03-06T14:35:10Z', '2024-03-06T14:35:11Z', false],
    ['t:today', '2024-03-06T00:00:00Z', '2024-03-06T23:59:59Z', true],
    ['t:today', '2024-03-06T23:59:59Z', '2024-03-07T00:00:00Z', false],
    ['t:2024-03-06 error', '2024-03-06T14:35:10Z', '2025-03-06T14:35:11Z', true],
  ])('of %s is for %s and %s the same: %s', (lql, one, other, isSame) => {
    expect(
      JSON.stringify(keyAt(lql, one).map(String)) === JSON.stringify(keyAt(lql, other).map(String)),
    ).toBe(isSame);
  });

  test('has all values but the present as they are', () => {
    const { parameters, keyParameters } = compile('a m.response.status_code:5 t:last@1h');
    const names = [...parameters.keys()].filter(
      (name) => parameters.get(name)?.value !== keyParameters.get(name)?.value,
    );
    expect(names).toEqual(['lql_4']);
    expect(keyParameters.get('lql_4')?.value).toBe(micros('2024-03-06T14:35:00Z'));
  });
});
