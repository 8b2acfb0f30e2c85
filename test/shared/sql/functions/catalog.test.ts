import { describe, expect, test } from '@jest/globals';
import { findFunction, functionNames, operatorNames } from '../../../../shared/sql/functions/catalog.ts';
import { parseSignature } from '../../../../shared/sql/functions/parse-signature.ts';
import { INT64, STRING } from '../../../../shared/sql/types/sql-type.ts';

describe('The catalogue of functions', () => {
  test('finds functions by upper-case name, with their overloads in order of preference', () => {
    expect(findFunction('SUM')?.signatures.map(({ text }) => text)).toEqual([
      'SUM(INT64)',
      'SUM(NUMERIC)',
      'SUM(BIGNUMERIC)',
      'SUM(FLOAT64)',
      'SUM(INTERVAL)',
    ]);
    expect(findFunction('NET.HOST')?.kind).toBe('scalar');
    expect(findFunction('sum')).toBeUndefined();
  });

  test.each([
    'SESSION_USER',
    'RAND',
    'GENERATE_UUID',
    'EXTERNAL_QUERY',
    'ML.PREDICT',
    'AI.GENERATE',
    'VECTOR_SEARCH',
  ])('does not have %s, which reads or decides more than its arguments', (name) => {
    expect(findFunction(name)).toBeUndefined();
  });

  test('names functions without operators, each once', () => {
    expect(functionNames().some((name) => name.startsWith('$'))).toBe(false);
    expect(operatorNames().every((name) => name.startsWith('$'))).toBe(true);
    expect(new Set(functionNames()).size).toBe(functionNames().length);
  });

  test.each([
    ['TIMESTAMP_ADD', 'TIMESTAMP', false],
    ['DATE_ADD', 'DATE', true],
    ['DATETIME_ADD', 'DATETIME', true],
  ])('%s of a %s takes MONTH: %s', (name, type, isTaken) => {
    const signature = findFunction(name)?.signatures[0];
    expect(signature?.text).toBe(`${name}(${type}, INTERVAL)`);
    expect(signature?.parts?.includes('MONTH')).toBe(isTaken);
  });

  test.each([
    ['ROW_NUMBER', { allowsOver: true, needsOrder: false, allowsFrame: false }],
    ['RANK', { allowsOver: true, needsOrder: true, allowsFrame: false }],
    ['FIRST_VALUE', { allowsNulls: true, needsOrder: true, allowsFrame: true }],
    ['PERCENTILE_CONT', { allowsOver: true, allowsWindowOrder: false }],
    ['ARRAY_AGG', { allowsDistinct: true, allowsOrderBy: true, allowsLimit: true, allowsNulls: true }],
    ['STRING_AGG', { allowsDistinct: true, allowsOrderBy: true, allowsLimit: true, allowsNulls: false }],
    ['APPROX_COUNT_DISTINCT', { allowsOver: false, allowsDistinct: false }],
    ['ANY_VALUE', { allowsHaving: true, allowsOver: true }],
    ['SUM', { allowsHaving: true, allowsOver: true }],
  ])('%s allows what GoogleSQL allows around its arguments', (name, allows) => {
    expect(findFunction(name)).toMatchObject(allows);
  });
});

describe('Every entry', () => {
  const specs = [...functionNames(), ...operatorNames()].map((name) => findFunction(name));

  test('has a signature, and arguments where its facts say that they are', () => {
    for (const spec of specs) {
      const longest = Math.max(...(spec?.signatures ?? []).map((signature) => signature.arguments.length));
      expect([spec?.name, longest]).not.toEqual([spec?.name, Number.NEGATIVE_INFINITY]);
      expect(spec?.patternArgument ?? -1).toBeLessThan(longest);
      expect(spec?.constantArgument?.index ?? -1).toBeLessThan(longest);
    }
  });

  test('of a function has one sentence that describes it', () => {
    const descriptions = functionNames().map((name) => findFunction(name)?.description ?? '');
    expect(descriptions.filter((text) => !/^\S.{1,98}\.$/.test(text))).toEqual([]);
  });
});

describe('Signature lines', () => {
  test('optional, repeated and named arguments', () => {
    const one = { optional: true, repeated: false, name: null, byPlace: true, fallback: null };
    const line = '(STRING, T...[, INT64, mode => STRING, size? => INT64 = 7]) -> ARRAY<T>';
    expect(parseSignature('F', line)).toEqual({
      text: 'F(STRING, T...[, INT64, mode => STRING, [size =>] INT64])',
      arguments: [
        { ...one, pattern: { kind: 'type', type: STRING }, optional: false },
        { ...one, pattern: { kind: 'variable', name: 'T' }, optional: false, repeated: true },
        { ...one, pattern: { kind: 'type', type: INT64 } },
        { ...one, pattern: { kind: 'type', type: STRING }, name: 'mode', byPlace: false },
        { ...one, pattern: { kind: 'type', type: INT64 }, name: 'size', fallback: 7n },
      ],
      result: { kind: 'array-of', name: 'T' },
      parts: null,
    });
  });

  test.each([
    ['F', '(STRING)'],
    ['F', '(TEXT) -> STRING'],
    ['F', '(part:nothing) -> DATE'],
    ['f', '() -> STRING'],
  ])('%s%s is unknown', (name, line) => {
    expect(() => parseSignature(name, line)).toThrow(TypeError);
  });
});
