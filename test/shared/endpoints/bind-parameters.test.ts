import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bindParameters } from '../../../shared/endpoints/bind-parameters.ts';
import type { Endpoint, ParameterSpec } from '../../../shared/endpoints/endpoint.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';

function parameter(spec: Partial<ParameterSpec> & Pick<ParameterSpec, 'name'>): ParameterSpec {
  return {
    type: 'STRING',
    required: false,
    allowed: null,
    format: null,
    maxLength: 4096,
    description: 'What it is for',
    example: 'x',
    ...spec,
  };
}

function endpointWith(...parameters: ParameterSpec[]): Endpoint {
  return {
    id: '00000000-0000-4000-8000-000000000000',
    name: 'some.endpoint',
    description: 'An endpoint',
    maxRows: 10,
    cacheTtlSeconds: 0,
    warmEverySeconds: null,
    sandbox: false,
    redactPii: false,
    redactAlso: [],
    redactPaths: [],
    consumerMaxBytesBilled: 1_073_741_824,
    storedMaxBytesBilled: null,
    projectParameter: null,
    timeWindow: null,
    lookback: null,
    sealedBuckets: null,
    parameters,
    sql: '',
  };
}

const project = parameter({
  name: 'project',
  required: true,
  description: 'The project to read.',
  example: 'abc',
});
const interval = parameter({
  name: 'interval',
  required: true,
  allowed: ['minutely', 'hourly', 'daily'],
  example: 'daily',
});

const bind = (specs: readonly ParameterSpec[], request: Record<string, string | string[]>) =>
  bindParameters(
    endpointWith(...specs),
    new Map(Object.entries(request).map(([name, value]) => [name, [value].flat()])),
  );

async function refusalOf(
  specs: readonly ParameterSpec[],
  request: Record<string, string | string[]>,
): Promise<ServiceError> {
  const error = await bind(specs, request).catch((reason: unknown) => reason);
  if (!(error instanceof ServiceError)) throw new Error('it was accepted');
  return error;
}

describe('binding values', () => {
  test.each<[ParameterSpec['type'], string, unknown]>([
    ['STRING', 'abc', 'abc'],
    ['STRING', "it's; drop table", "it's; drop table"],
    ['STRING', ' ', ' '],
    ['STRING', '日本語 🦆', '日本語 🦆'],
    ['INT64', '0', 0n],
    ['INT64', '-0', 0n],
    ['INT64', '9223372036854775807', 9_223_372_036_854_775_807n],
    ['INT64', '-9223372036854775808', -9_223_372_036_854_775_808n],
    ['FLOAT64', '1.5', 1.5],
    ['FLOAT64', '-.5', -0.5],
    ['FLOAT64', '1e-7', 1e-7],
    ['BOOL', 'true', true],
    ['BOOL', 'false', false],
    ['TIMESTAMP', '1970-01-01T00:00:00.000001 01:00', -3_599_999_999n],
  ])('%s takes %s', async (type, text, value) => {
    const { values } = await bind([parameter({ name: 'p', type })], { p: text });
    expect(values).toEqual(new Map([['p', { type, value }]]));
  });

  test.each<[ParameterSpec['type'], string, RegExp]>([
    ['INT64', '1.0', /'1\.0' is no whole number.*accepts a whole number from -9223372036854775808/],
    ['INT64', '0x10', /no whole number/],
    ['INT64', ' 1', /no whole number/],
    ['INT64', '9223372036854775808', /out of range/],
    ['INT64', '-9223372036854775809', /out of range/],
    ['INT64', '9'.repeat(4000), /'9{60}…' is no whole number/],
    ['FLOAT64', 'NaN', /'NaN' is no decimal number/],
    ['FLOAT64', '1,5', /no decimal number/],
    ['FLOAT64', '1e999', /out of range/],
    ['FLOAT64', '.', /no decimal number/],
    ['BOOL', 'TRUE', /neither true nor false/],
    ['BOOL', '1', /neither true nor false/],
    ['TIMESTAMP', '2026-02-30', /there is no day 30 in 2026-02.*such as 2026-01-31/],
    ['STRING', 'a\u0000b', /control character \(U\+0000\)/],
    ['STRING', 'a\nb', /control character \(U\+000A\)/],
    ['STRING', 'a\u009bb', /control character \(U\+009B\)/],
    ['STRING', '\ud800', /not valid Unicode/],
    ['STRING', 'a'.repeat(4097), /more than 4096 characters/],
    ['STRING', '🦆'.repeat(4097), /more than 4096 characters/],
    ['BOOL', 'a'.repeat(1_000_000), /more than 4096 characters/],
  ])('%s refuses %.30s', async (type, text, message) => {
    const error = await refusalOf([parameter({ name: 'p', type })], { p: text });
    expect(error).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT', details: [{ parameter: 'p' }] });
    expect(error.message).toMatch(/^Parameter 'p' is not valid: /);
    expect(error.message).toMatch(message);
  });

  test('counts characters, not UTF-16 units, up to the limit', async () => {
    const { values } = await bind([parameter({ name: 'p', maxLength: 3 })], { p: '🦆🦆🦆' });
    expect(values.get('p')?.value).toBe('🦆🦆🦆');
  });

  test.each(['STRING', 'INT64', 'FLOAT64', 'BOOL', 'TIMESTAMP'] as const)(
    'an optional %s that is missing or empty is a typed NULL',
    async (type) => {
      const specs = [
        parameter({ name: 'missing', type }),
        parameter({ name: 'empty', type }),
        parameter({ name: 'none', type }),
      ];
      const { values } = await bind(specs, { empty: '', none: [] });
      expect([...values]).toEqual(['missing', 'empty', 'none'].map((name) => [name, { type, value: null }]));
    },
  );

  test('any INT64 binds exactly', async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), async (value) => {
        const { values } = await bind([parameter({ name: 'p', type: 'INT64' })], { p: String(value) });
        expect(values.get('p')?.value).toBe(value);
      }),
    );
  });

  test('any finite FLOAT64 that JavaScript prints binds exactly', async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ noNaN: true, noDefaultInfinity: true }), async (value) => {
        const { values } = await bind([parameter({ name: 'p', type: 'FLOAT64' })], { p: String(value) });
        expect(values.get('p')?.value).toBe(Object.is(value, -0) ? 0 : value);
      }),
    );
  });

  test('text either binds as it is or is refused with the parameter named', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 40 }), async (text) => {
        const outcome = await bind([project], { project: text }).catch((error: unknown) => error);
        if (outcome instanceof ServiceError) expect(outcome.details).toEqual([{ parameter: 'project' }]);
        else
          expect(outcome).toEqual({
            values: new Map([['project', { type: 'STRING', value: text }]]),
            ignored: [],
          });
      }),
    );
  });
});

describe('required parameters', () => {
  test.each([
    ['missing', {}],
    ['empty', { project: '' }],
    ['given without a value', { project: [] }],
  ])('a required parameter that is %s says what it accepts', async (_, request) => {
    expect((await refusalOf([project], request)).message).toBe(
      "Parameter 'project' is missing or empty. The project to read. It accepts text of at most 4096 characters, for example project=abc.",
    );
  });

  test.each(['Project', 'PROJECT', 'projet', 'projetc', 'projects'])(
    'hints at %s, which comes close',
    async (name) => {
      expect((await refusalOf([project], { [name]: 'abc' })).message).toContain(
        `('${name}' is given; names must match exactly)`,
      );
    },
  );

  test.each(['p', 'prj', 'timestamp', '__proto__', 'x'.repeat(10_000)])(
    'does not hint at %.20s',
    async (name) => {
      const request = new Map([[name, ['abc']]]);
      await expect(bindParameters(endpointWith(project), request)).rejects.toThrow(
        /^Parameter 'project' is missing or empty\. /,
      );
    },
  );

  test('every fault is reported at once, with a detail each', async () => {
    const error = await refusalOf([interval, project], { interval: 'weekly' });
    expect(error.details).toEqual([{ parameter: 'interval' }, { parameter: 'project' }]);
    expect(error.message).toMatch(/^Parameter 'interval' is not valid: .* Parameter 'project' is missing/);
  });
});

describe('allowed values', () => {
  test.each(['minutely', 'hourly', 'daily'])('accepts %s', async (value) => {
    expect((await bind([interval], { interval: value })).values.get('interval')).toEqual({
      type: 'STRING',
      value,
    });
  });

  test.each(['weekly', 'Daily', 'daily ', 'dail'])('refuses %s and lists them', async (value) => {
    expect((await refusalOf([interval], { interval: value })).message).toBe(
      `Parameter 'interval' is not valid: '${value}' is not one of its values. It accepts minutely, hourly or daily.`,
    );
  });
});

describe('regular expressions', () => {
  const expression = parameter({ name: 'project', required: true, format: 're2', maxLength: 1024 });

  test.each([
    'abc',
    '.*',
    '^https://[a-z]{20}\\.example\\.com/',
    '(?i)x',
    '(?P<ref>[a-z]+)',
    '\\pL',
    '(a|b)*',
    `(?i)${'[B-\\x{1e942}]'.repeat(60)}`,
  ])('accepts %.40s', async (text) => {
    expect((await bind([expression], { project: text })).values.get('project')).toEqual({
      type: 'STRING',
      value: text,
    });
  });

  test('gives the value in the spelling that every RE2 reads', async () => {
    const { values } = await bind([expression], { project: '(?<ref>[a-z]+)\\Q.a' });
    expect(values.get('project')?.value).toBe('(?P<ref>[a-z]+)\\Q.a\\E');
  });

  test.each<[string, RegExp]>([
    ['a(', /missing closing \) at 'a\('\. It accepts a regular expression in RE2 syntax of at most 1024/],
    ['[a', /missing closing \]/],
    ['*', /missing argument to repetition operator at '\*'/],
    ['(?=a)', /invalid or unsupported Perl syntax/],
    ['(?<!a)b', /./],
    ['(a)\\1', /invalid escape sequence at '\\1'/],
    ['a{1001}', /invalid repeat count/],
    ['\\', /trailing backslash at end of expression/],
    ['(?:\\pL{500}){2}', /too large/],
    ['(x{1000})'.repeat(100), /too large once its counted repetitions are written out/],
    ['a'.repeat(1025), /more than 1024 characters/],
  ])('refuses %.20s with the reason', async (text, message) => {
    const error = await refusalOf([expression], { project: text });
    expect(error.details).toEqual([{ parameter: 'project' }]);
    expect(error.message).toMatch(message);
  });
});

describe('what the endpoint does not declare', () => {
  test('is ignored and named in the order of the request', async () => {
    const { ignored } = await bind([project], { zone: 'a', project: 'p', Project: 'b', alpha: ['1', '2'] });
    expect(ignored).toEqual(['zone', 'Project', 'alpha']);
  });

  test("leaves out the consumer's query", async () => {
    expect((await bind([project], { sql: 'select 1', lql: 'a', project: 'p', SQL: 'x' })).ignored).toEqual([
      'SQL',
    ]);
  });

  test('may be repeated, a declared parameter may not', async () => {
    const error = await refusalOf([project], { project: ['a', 'a'] });
    expect(error).toMatchObject({ kind: 'invalid_argument', details: [{ parameter: 'project' }] });
    expect(error.message).toBe("Parameter 'project' is given 2 times; give it once.");
  });
});

test('bounds that cross are no error', async () => {
  const bounds = ['iso_timestamp_start', 'iso_timestamp_end'].map((name) =>
    parameter({ name, type: 'TIMESTAMP' }),
  );
  const { values } = await bind(bounds, {
    iso_timestamp_start: '2026-01-02',
    iso_timestamp_end: '2026-01-01',
  });
  expect([...values.values()].map(({ value }) => value)).toEqual([
    1_767_312_000_000_000n,
    1_767_225_600_000_000n,
  ]);
});
