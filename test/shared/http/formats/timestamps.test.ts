import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { makeGateway } from '../../../../functions/gateway.ts';
import { type TimestampStyle, withTimestamps } from '../../../../shared/http/formats/timestamps.ts';
import type { SqlType } from '../../../../shared/sql/types/sql-type.ts';
import { formatMicros } from '../../../../shared/time/iso-timestamp.ts';
import { type Host, serve } from '../support/hosts.ts';
import { call } from '../support/http-client.ts';
import { makeTestService, rowsOf, TOKEN } from '../support/test-service.ts';

const TIMESTAMP: SqlType = { kind: 'TIMESTAMP' };
const INT64: SqlType = { kind: 'INT64' };
const STRING: SqlType = { kind: 'STRING' };
const written = (type: SqlType, json: string, style: TimestampStyle) =>
  withTimestamps([{ name: 'c', type }], [`{"c":${json}}`], style)[0];

describe('a TIMESTAMP', () => {
  test.each<[TimestampStyle, string, string]>([
    ['us', '1769861399986785', '1769861399986785'],
    ['ms', '1769861399986785', '1769861399986'],
    ['ms', '-1', '-1'],
    ['ms', '-62135596800000000', '-62135596800000'],
    ['iso', '1769861399986785', '"2026-01-31T12:09:59.986785Z"'],
    ['iso', '0', '"1970-01-01T00:00:00Z"'],
    ['iso', '-1', '"1969-12-31T23:59:59.999999Z"'],
    ['iso', '-62135596800000000', '"0001-01-01T00:00:00Z"'],
    ['iso', '253402300799999999', '"9999-12-31T23:59:59.999999Z"'],
    ['iso', 'null', 'null'],
    ['iso', '"REDACTED"', '"REDACTED"'],
  ])('as %s of %s is %s', (style, json, text) => {
    expect(written(TIMESTAMP, json, style)).toBe(`{"c":${text}}`);
  });

  interface Made {
    readonly type: SqlType;
    readonly value: unknown;
  }
  const scalar: fc.Arbitrary<Made> = fc.oneof(
    fc
      .bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n })
      .map((value) => ({ type: TIMESTAMP, value })),
    fc.maxSafeInteger().map((value) => ({ type: INT64, value })),
    fc.string().map((value) => ({ type: STRING, value })),
    fc.jsonValue().map((value) => ({ type: { kind: 'JSON' } as const, value })),
    fc.constantFrom(TIMESTAMP, INT64).map((type) => ({ type, value: null })),
  );
  const { made } = fc.letrec<{ made: Made }>((tie) => ({
    made: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.tuple(tie('made'), fc.nat(3)).map(([{ type, value }, count]) => ({
        type: { kind: 'ARRAY' as const, element: type },
        value: Array.from({ length: count }, () => value),
      })),
      fc.array(tie('made'), { maxLength: 3 }).map((parts) => ({
        type: {
          kind: 'STRUCT' as const,
          fields: parts.map(({ type }, index) => ({ name: `f${index}`, type })),
        },
        value: Object.fromEntries(parts.map(({ value }, index) => [`f${index}`, value])),
      })),
    ),
  }));

  /** The JSON text of a value whose TIMESTAMPs `write` writes. */
  function textOf({ type, value }: Made, write: (micros: bigint) => string): string {
    if (value === null) return 'null';
    if (type.kind === 'TIMESTAMP') return write(value as bigint);
    if (type.kind === 'ARRAY') {
      return `[${(value as unknown[]).map((one) => textOf({ type: type.element, value: one }, write)).join(',')}]`;
    }
    if (type.kind !== 'STRUCT') return JSON.stringify(value);
    const members = Object.values(value as object).map((one: unknown, index) => {
      const field = type.fields[index]?.type ?? STRING;
      return `"f${index}":${textOf({ type: field, value: one }, write)}`;
    });
    return `{${members.join(',')}}`;
  }

  test('is written in its style wherever it stands, and nothing else changes', () => {
    fc.assert(
      fc.property(made, (value) => {
        const raw = textOf(value, String);
        expect(written(value.type, raw, 'us')).toBe(`{"c":${raw}}`);
        const iso = textOf(value, (micros) => JSON.stringify(formatMicros(micros)));
        expect(written(value.type, raw, 'iso')).toBe(`{"c":${iso}}`);
        const ms = textOf(value, (micros) => String((micros - (((micros % 1000n) + 1000n) % 1000n)) / 1000n));
        expect(written(value.type, raw, 'ms')).toBe(`{"c":${ms}}`);
      }),
    );
  });
});

describe('the parameter timestamps', () => {
  const columns = [{ name: 'timestamp', type: TIMESTAMP }];
  const service = makeTestService({
    run: async () => ({ ...rowsOf('{"timestamp":1769861399986785}'), columns }),
  });
  const hosts: Host[] = [];
  beforeAll(async () => void hosts.push(await serve(makeGateway(service))));
  afterAll(() => hosts[0]?.close());
  const get = (path: string) =>
    call(hosts[0]?.port ?? 0, `/api/endpoints/query/${path}`, { headers: { 'x-api-key': TOKEN } });

  test.each([
    ['&timestamps=iso', '{"result":[{"timestamp":"2026-01-31T12:09:59.986785Z"}]}'],
    ['&timestamps=ms', '{"result":[{"timestamp":1769861399986}]}'],
    ['&timestamps=us', '{"result":[{"timestamp":1769861399986785}]}'],
    ['&timestamps=', '{"result":[{"timestamp":1769861399986785}]}'],
    ['&timestamps=iso&format=ndjson', '{"timestamp":"2026-01-31T12:09:59.986785Z"}\n'],
    ['&timestamps=iso&format=csv', 'timestamp\r\n2026-01-31T12:09:59.986785Z\r\n'],
  ])('with %s answers %s', async (query, text) => {
    const answer = await get(`logs.all?project=demo${query}`);
    expect([answer.status, answer.text]).toEqual([200, text]);
    expect(answer.headers['x-ignored-parameters']).toBeUndefined();
  });

  test('gives each style of a cached answer its own tag', async () => {
    const tags = await Promise.all(
      ['us', 'ms', 'iso'].map(async (style) => {
        const answer = await get(`usage.api-counts?project=demo&interval=daily&timestamps=${style}`);
        return answer.headers.etag;
      }),
    );
    expect(new Set(tags).size).toBe(3);
  });

  test('is refused for another value', async () => {
    const answer = await get('logs.all?project=demo&timestamps=ns');
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('It accepts iso, ms or us.')]);
  });
});
