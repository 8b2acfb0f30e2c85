import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CacheKeyParts, cacheKey, definitionVersion } from '../../../shared/cache/cache-key.ts';
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts';
import type { QueryParameter } from '../../../shared/sql/types/query-parameter.ts';

const PARTS: CacheKeyParts = {
  endpointId: '0f4d2b1e-6f4a-4f0e-9a53-1f1f4b1a7a10',
  definitionVersion: 'v1',
  parameters: new Map<string, QueryParameter>([
    ['project', { type: 'STRING', value: 'default' }],
    ['interval', { type: 'STRING', value: 'hourly' }],
  ]),
  consumerQuery: null,
  redaction: [],
  maxRows: null,
};

const parameters = (entries: Readonly<Record<string, QueryParameter>>) => ({
  ...PARTS,
  parameters: new Map(Object.entries(entries)),
});

describe('the key of an answer', () => {
  it('is 64 hexadecimal digits', () => {
    expect(cacheKey(PARTS)).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<[string, CacheKeyParts, CacheKeyParts]>([
    ['the order of parameters', PARTS, { ...PARTS, parameters: new Map([...PARTS.parameters].reverse()) }],
    [
      'the order of what is redacted',
      { ...PARTS, redaction: ['ip', 'email'] },
      { ...PARTS, redaction: ['email', 'ip', 'ip'] },
    ],
  ])('does not depend on %s', (_, one, other) => {
    expect(cacheKey(one)).toBe(cacheKey(other));
  });

  it.each<[string, CacheKeyParts, CacheKeyParts]>([
    ['the endpoint', PARTS, { ...PARTS, endpointId: '0f4d2b1e-6f4a-4f0e-9a53-1f1f4b1a7a11' }],
    ['the definition', PARTS, { ...PARTS, definitionVersion: 'v2' }],
    ['a consumer query', PARTS, { ...PARTS, consumerQuery: 'SELECT 1' }],
    ['an empty consumer query', PARTS, { ...PARTS, consumerQuery: '' }],
    ['redaction', PARTS, { ...PARTS, redaction: ['ip'] }],
    ['what is redacted', { ...PARTS, redaction: ['ip', 'email'] }, { ...PARTS, redaction: ['ip,email'] }],
    ['the most rows', PARTS, { ...PARTS, maxRows: 100 }],
    [
      'the case of a value',
      parameters({ project: { type: 'STRING', value: 'a' } }),
      parameters({ project: { type: 'STRING', value: 'A' } }),
    ],
    [
      'the type of a value',
      parameters({ n: { type: 'STRING', value: '1' } }),
      parameters({ n: { type: 'INT64', value: 1n } }),
    ],
    [
      'an absent value and an empty one',
      parameters({ n: { type: 'STRING', value: null } }),
      parameters({ n: { type: 'STRING', value: '' } }),
    ],
    [
      'an absent value and the word null',
      parameters({ n: { type: 'STRING', value: null } }),
      parameters({ n: { type: 'STRING', value: 'null' } }),
    ],
    [
      'the sign of zero',
      parameters({ n: { type: 'FLOAT64', value: 0 } }),
      parameters({ n: { type: 'FLOAT64', value: -0 } }),
    ],
    [
      'values that are no numbers',
      parameters({ n: { type: 'FLOAT64', value: Number.NaN } }),
      parameters({ n: { type: 'FLOAT64', value: Number.POSITIVE_INFINITY } }),
    ],
    [
      'integers that are one as floats',
      parameters({ n: { type: 'INT64', value: 9007199254740993n } }),
      parameters({ n: { type: 'INT64', value: 9007199254740992n } }),
    ],
    [
      'lone surrogates, which are one in UTF-8',
      parameters({ n: { type: 'STRING', value: '\ud800' } }),
      parameters({ n: { type: 'STRING', value: '\ud801' } }),
    ],
  ])('differs by %s', (_, one, other) => {
    expect(cacheKey(one)).not.toBe(cacheKey(other));
  });

  it('is the same for equal parts and different for all others', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', 'a', '"', '",', '],[', 'null'));
    const value = fc.oneof(
      fc.record({ type: fc.constant('STRING' as const), value: fc.option(text) }),
      fc.record({ type: fc.constant('INT64' as const), value: fc.option(fc.bigInt()) }),
      fc.record({ type: fc.constant('FLOAT64' as const), value: fc.option(fc.double()) }),
    );
    const parts: fc.Arbitrary<CacheKeyParts> = fc.record({
      endpointId: text,
      definitionVersion: text,
      parameters: fc
        .uniqueArray(fc.tuple(text, value), { selector: ([name]) => name, maxLength: 3 })
        .map((entries) => new Map<string, QueryParameter>(entries)),
      consumerQuery: fc.option(text),
      redaction: fc.uniqueArray(text, { maxLength: 2 }),
      maxRows: fc.option(fc.nat({ max: 3 })),
    });
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        expect(cacheKey(one) === cacheKey(other)).toBe(isEqual(one, other));
        const again = { ...one, parameters: new Map([...one.parameters].reverse()) };
        expect(cacheKey(again)).toBe(cacheKey(one));
      }),
      { numRuns: 2000 },
    );
  });

  it('cannot become equal by moving text from one part to its neighbour', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.nat(), (text, a, b) => {
        const cut = (at: number) => ({
          ...PARTS,
          endpointId: text.slice(0, at),
          definitionVersion: text.slice(at),
        });
        const [i, j] = [a % (text.length + 1), b % (text.length + 1)];
        expect(cacheKey(cut(i)) === cacheKey(cut(j))).toBe(i === j);
      }),
    );
  });
});

/** Equality by value, written apart from the key's own way of comparing. */
function isEqual(one: CacheKeyParts, other: CacheKeyParts): boolean {
  if (one.endpointId !== other.endpointId || one.definitionVersion !== other.definitionVersion) return false;
  if (one.consumerQuery !== other.consumerQuery || one.maxRows !== other.maxRows) return false;
  if (one.redaction.length !== other.redaction.length) return false;
  if (one.redaction.some((name) => !other.redaction.includes(name))) return false;
  if (one.parameters.size !== other.parameters.size) return false;
  return [...one.parameters].every(([name, { type, value }]) => {
    const twin = other.parameters.get(name);
    return twin !== undefined && twin.type === type && Object.is(twin.value, value);
  });
}

describe('the version of a definition', () => {
  const endpoint: Endpoint = {
    id: PARTS.endpointId,
    name: 'usage.api-counts',
    description: 'Requests by product.',
    maxRows: 1000,
    cacheTtlSeconds: 900,
    warmEverySeconds: 300,
    sandbox: true,
    redactPii: false,
    parameters: [],
    sql: 'WITH a AS (SELECT 1) SELECT * FROM a',
  } as unknown as Endpoint;

  it.each<[string, Partial<Endpoint>]>([
    ['another query', { sql: 'WITH a AS (SELECT 2) SELECT * FROM a' }],
    ['another number of rows', { maxRows: 10 }],
  ])('changes with %s', (_, change) => {
    expect(definitionVersion({ ...endpoint, ...change })).not.toBe(definitionVersion(endpoint));
  });

  it.each<[string, Partial<Endpoint>]>([
    ['another description', { description: 'Requests.' }],
    ['another name', { name: 'usage' }],
    ['another time to keep answers', { cacheTtlSeconds: 60 }],
  ])('stays with %s', (_, change) => {
    expect(definitionVersion({ ...endpoint, ...change })).toBe(definitionVersion(endpoint));
  });

  it('changes with the tables that answers come from', () => {
    const versions = [null, 'raw.a', 'raw.b'].map((origin) => definitionVersion(endpoint, origin));
    expect(new Set(versions).size).toBe(3);
  });
});
