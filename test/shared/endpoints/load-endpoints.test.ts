import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ENDPOINT_SETTINGS } from '../../../shared/endpoints/endpoint-settings.ts';
import { loadEndpoints } from '../../../shared/endpoints/load-endpoints.ts';
import { PARAMETER_SETTINGS } from '../../../shared/endpoints/parameter-settings.ts';
import { ConfigurationError } from '../../../shared/errors/configuration-error.ts';

const project = {
  name: 'project',
  type: 'STRING',
  required: true,
  description: 'The project',
  example: 'abc',
};
const settings = {
  id: '6b1f4a52-93b3-4f0c-8f6e-0d8b0c5f2a11',
  name: 'some.endpoint',
  description: 'An endpoint',
  maxRows: 100,
  cacheTtlSeconds: 600,
  warmEverySeconds: 300,
  sandbox: true,
  redactPii: false,
  parameters: [project],
};
const until = { name: 'until', type: 'TIMESTAMP', description: 'The end', example: '2026-01-01' };
const SQL = 'SELECT @project AS project';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'endpoints-'));
});
afterEach(() => rm(directory, { recursive: true }));

async function write(files: Record<string, string | object>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

async function faultsOf(files: Record<string, string | object>): Promise<string> {
  await write(files);
  const error = await loadEndpoints(directory).catch((reason: unknown) => reason);
  if (!(error instanceof ConfigurationError)) throw new Error('it was loaded');
  return error.message.replaceAll(`${directory}/`, '');
}

/** The faults of the good endpoint with these settings changed. */
const faultsWith = (change: object, sql = SQL) =>
  faultsOf({ 'some.endpoint.json': { ...settings, ...change }, 'some.endpoint.sql': sql });

/** Those of them that lie in the settings. */
async function faultsInSettings(change: object): Promise<string> {
  const faults = await faultsWith(change);
  return faults
    .split('\n')
    .filter((line) => line.startsWith('some.endpoint.json: '))
    .join('\n');
}

describe('an endpoint folder', () => {
  test('gives every pair of files, by id and by name', async () => {
    await write({
      'some.endpoint.json': settings,
      'some.endpoint.sql': SQL,
      'other.json': {
        ...settings,
        id: '00000000-0000-4000-8000-000000000000',
        name: 'other',
        warmEverySeconds: null,
        parameters: [],
      },
      'other.sql': "SELECT '@project' AS name -- @project",
      'README.md': '# Endpoints',
      '.some.json.swp': 'not JSON',
    });
    await mkdir(join(directory, 'sources'));
    const registry = await loadEndpoints(directory);
    expect(registry.all.map(({ name }) => name)).toEqual(['other', 'some.endpoint']);
    expect(registry.find('some.endpoint')).toEqual({
      ...settings,
      redactAlso: [],
      redactPaths: [],
      consumerMaxBytesBilled: null,
      storedMaxBytesBilled: null,
      projectParameter: 'project',
      timeWindow: null,
      lookback: null,
      sealedBuckets: null,
      sql: SQL,
      parameters: [{ ...project, allowed: null, format: null, maxLength: 4096 }],
    });
    expect(registry.find(settings.id.toUpperCase())?.name).toBe('some.endpoint');
    expect(registry.find('Some.Endpoint')).toBeUndefined();
    expect(registry.find('constructor')).toBeUndefined();
  });

  test.each<[string, Record<string, string | object>, string]>([
    ['a query without settings', { 'a.sql': SQL }, 'a.sql: a.json is missing beside it'],
    ['settings without a query', { 'a.json': settings }, 'a.json: a.sql is missing beside it'],
    [
      'a name that differs from the file',
      { 'a.json': settings, 'a.sql': SQL },
      "a.json: name: is 'some.endpoint' but the file says 'a'",
    ],
    [
      'an id that is used twice',
      {
        'a.json': { ...settings, name: 'a' },
        'a.sql': SQL,
        'b.json': { ...settings, name: 'b' },
        'b.sql': SQL,
      },
      `b.json: id: ${settings.id} is already the id of a`,
    ],
    [
      'faults in several files',
      { 'a.sql': SQL, 'b.json': settings },
      'a.sql: a.json is missing beside it\nb.json: b.sql is missing beside it',
    ],
  ])('refuses %s', async (_, files, message) => {
    expect(await faultsOf(files)).toBe(message);
  });

  test.each<[string, string, RegExp]>([
    ['half of a JSON text', '{"id":\n', /^some\.endpoint\.json: not valid JSON: .+$/],
    ['an array', '[]', /^some\.endpoint\.json: Invalid input: expected object.*$/],
    ['null', 'null', /^some\.endpoint\.json: Invalid input: expected object.*$/],
    ['nothing', '', /^some\.endpoint\.json: not valid JSON: .+$/],
  ])('refuses settings that are %s', async (_, text, message) => {
    expect(await faultsOf({ 'some.endpoint.json': text, 'some.endpoint.sql': SQL })).toMatch(message);
  });

  test('refuses a file that is not UTF-8', async () => {
    await writeFile(join(directory, 'some.endpoint.sql'), Buffer.from([0x53, 0xff]));
    expect(await faultsOf({ 'some.endpoint.json': settings })).toMatch(
      /^some\.endpoint\.sql: the file cannot be read as UTF-8/,
    );
  });

  test.each<[string, object, string | RegExp]>([
    ['an unknown setting', { cacheTtl: 5 }, "unknown setting 'cacheTtl'; did you mean cacheTtlSeconds?"],
    ['a missing setting', { sandbox: undefined }, 'sandbox: is missing; it takes true or false'],
    ['a wrong type', { maxRows: '100' }, 'maxRows: is "100"; it takes a whole number from 1 to 1000'],
    ['part of a row', { maxRows: 1.5 }, 'maxRows: is 1.5; it takes a whole number from 1 to 1000'],
    ['no rows', { maxRows: 0 }, /^maxRows: /],
    ['more rows than any answer holds', { maxRows: 1001 }, /^maxRows: .*1000/],
    ['an id that is no UUID', { id: '1' }, 'id: is "1"; it takes a UUID in lower case'],
    [
      'an id in upper case',
      { id: settings.id.toUpperCase() },
      /^id: is "6B1.*; it takes a UUID in lower case$/,
    ],
    ['a name with a slash', { name: 'a/b' }, /^name: is "a\/b"; it takes lower-case words/],
    ['a negative time to live', { cacheTtlSeconds: -1, warmEverySeconds: null }, /^cacheTtlSeconds: /],
    ['warming without a cache', { cacheTtlSeconds: 0 }, /^warmEverySeconds: needs a cache/],
    [
      'warming less often than answers last',
      { cacheTtlSeconds: 60 },
      /^warmEverySeconds: must not be more than/,
    ],
    [
      'warming every half minute',
      { warmEverySeconds: 90 },
      /^warmEverySeconds: is 90; it takes .*whole minutes/,
    ],
    ['no description', { description: ' ' }, /^description: /],
    ['a kind of redaction that there is not', { redactAlso: ['names'] }, /^redactAlso\.?\[?0.*email/],
    ['a kind of redaction twice', { redactAlso: ['email', 'email'] }, /^redactAlso: lists a kind twice/],
    ['an invalid path', { redactPaths: ['metadata..x'] }, /^redactPaths\.?\[?0.*metadata\.request/],
    ['a cap below what is billed', { consumerMaxBytesBilled: 1 }, /^consumerMaxBytesBilled: .*10485760/],
    ['part of a byte', { storedMaxBytesBilled: 2e7 + 0.5 }, /^storedMaxBytesBilled: /],
    [
      'a time window of a parameter that is no time',
      { timeWindow: { start: 'project', end: 'until' }, parameters: [project, until] },
      "timeWindow.start: 'project' must be a declared TIMESTAMP parameter that may be left out",
    ],
    [
      'a time window that ends where it starts',
      { timeWindow: { start: 'until', end: 'until' }, parameters: [project, until] },
      'timeWindow: start and end must be two parameters',
    ],
    [
      'a lookback by a parameter of any value',
      { lookback: { parameter: 'project', seconds: { a: 60 } } },
      "lookback: 'project' must be a required parameter whose allowed values are those of seconds",
    ],
    [
      'a lookback of no time',
      {
        lookback: { parameter: 'project', seconds: { a: 0 } },
        parameters: [{ ...project, allowed: ['a'], example: 'a' }],
      },
      /^lookback\.seconds\.a: /,
    ],
    [
      'a lookback beside a time window',
      {
        lookback: { parameter: 'project', seconds: { a: 60 } },
        timeWindow: { start: 'since', end: 'until' },
        parameters: [{ ...project, allowed: ['a'], example: 'a' }, { ...until, name: 'since' }, until],
      },
      'lookback: and timeWindow exclude each other',
    ],
    [
      'sealed buckets beside a time window',
      {
        sealedBuckets: { grain: 'hour', graceSeconds: 0, merge: {} },
        timeWindow: { start: 'since', end: 'until' },
        parameters: [{ ...until, name: 'since' }, until],
      },
      /^sealedBuckets: and timeWindow exclude each other/,
    ],
    [
      'sealed buckets without a cache',
      {
        sealedBuckets: { grain: 'hour', graceSeconds: 0, merge: {} },
        cacheTtlSeconds: 0,
        warmEverySeconds: null,
      },
      'sealedBuckets: needs a cache: set cacheTtlSeconds, or sealedBuckets to null',
    ],
    [
      'a project that is no parameter',
      { projectParameter: 'tenant' },
      'projectParameter: must be the name of a declared parameter',
    ],
    ['half of a time window', { timeWindow: { start: 'since' } }, /^timeWindow\.end: /],
  ])('refuses %s', async (_, change, message) => {
    const faults = await faultsInSettings(change);
    expect(faults).toMatch(/^some\.endpoint\.json: [^\n]*$/);
    expect(faults.replace('some.endpoint.json: ', '')).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });
});

describe('the parameter that is the project', () => {
  test.each<[string, object, string | null]>([
    ['the one that settings name', { projectParameter: 'project' }, 'project'],
    ['none where they say so', { projectParameter: null }, null],
    ['the one called project where they say nothing', {}, 'project'],
    [
      'none where they say nothing and none is called so',
      { parameters: [{ ...project, name: 'path' }] },
      null,
    ],
  ])('is %s', async (_, change, parameter) => {
    const sql = 'parameters' in change ? 'SELECT @path AS path' : SQL;
    await write({ 'some.endpoint.json': { ...settings, ...change }, 'some.endpoint.sql': sql });
    const registry = await loadEndpoints(directory);
    expect(registry.all.map(({ projectParameter }) => projectParameter)).toEqual([parameter]);
  });
});

describe('declared parameters', () => {
  test.each<[string, object, RegExp]>([
    ['an unknown setting', { default: 'a' }, /^parameters\[0\]: unknown setting 'default'/],
    ['an unknown type', { type: 'DATE' }, /^parameters\[0\]\.type: /],
    ['a name that SQL cannot hold', { name: 'a-b' }, /^parameters\[0\]\.name: is "a-b"; it takes letters/],
    ['an unknown format', { format: 'pcre' }, /^parameters\[0\]\.format: /],
    [
      'allowed values of a number',
      { type: 'INT64', allowed: ['1'], example: '1' },
      /^parameters\[0\]: only a STRING/,
    ],
    [
      'a format of a time',
      { type: 'TIMESTAMP', format: 're2', example: '2026-01-01' },
      /^parameters\[0\]: only a STRING/,
    ],
    [
      'allowed values and a format',
      { allowed: ['abc'], format: 're2' },
      /^parameters\[0\]: has allowed values and a format/,
    ],
    ['an empty list of allowed values', { allowed: [] }, /^parameters\[0\]\.allowed: /],
    ['an allowed value that is empty', { allowed: ['abc', ''] }, /^parameters\[0\]\.allowed\[1\]: /],
    ['an allowed value twice', { allowed: ['abc', 'abc'] }, /^parameters\[0\]: lists an allowed value twice/],
    ['a limit of nothing', { maxLength: 0 }, /^parameters\[0\]\.maxLength: /],
    ['no description', { description: undefined }, /^parameters\[0\]\.description: /],
    [
      'an example that is not allowed',
      { allowed: ['x'] },
      /^parameters: project: the example is not valid: 'abc' is not one of/,
    ],
    [
      'an example of another type',
      { type: 'TIMESTAMP' },
      /^parameters: project: the example is not valid: .*YYYY-MM-DD/,
    ],
    [
      'an example that is no expression',
      { format: 're2', example: '(' },
      /^parameters: project: the example is not valid: .*missing closing/,
    ],
    [
      'an allowed value over the limit',
      { allowed: ['abc', 'abcd'], maxLength: 3 },
      /^parameters: project: the allowed value is not valid: .*more than 3/,
    ],
  ])('refuses %s', async (_, change, message) => {
    const faults = await faultsInSettings({ parameters: [{ ...project, ...change }] });
    expect(faults).toMatch(/^some\.endpoint\.json: [^\n]*$/);
    expect(faults.replace('some.endpoint.json: ', '')).toMatch(message);
  });

  test.each(['sql', 'lql', 'explain', 'meta', 'format', 'timestamps', 'cursor', 'SQL'])(
    'refuses the reserved name %s',
    async (name) => {
      const faults = await faultsWith({ parameters: [{ ...project, name }] }, `SELECT @${name}`);
      expect(faults).toMatch(/^some\.endpoint\.json: parameters\[0\]\.name: is reserved: sql, lql, /);
    },
  );

  test('refuses two names that GoogleSQL reads as one', async () => {
    const faults = await faultsWith({ parameters: [project, { ...project, name: 'Project' }] });
    expect(faults).toMatch(/^some\.endpoint\.json: parameters: two parameters of one name/);
  });

  test('an expression may be shorter than text, unless the settings say otherwise', async () => {
    const named = (name: string, more: object) => ({ ...project, name, ...more });
    await write({
      'some.endpoint.json': {
        ...settings,
        parameters: [
          named('a', {}),
          named('b', { format: 're2' }),
          named('c', { format: 're2', maxLength: 5000 }),
        ],
      },
      'some.endpoint.sql': 'SELECT @a, @b, @c',
    });
    const [endpoint] = (await loadEndpoints(directory)).all;
    expect(endpoint?.parameters.map(({ maxLength }) => maxLength)).toEqual([4096, 1024, 5000]);
  });

  test.each<[string, string, string]>([
    [
      'is not used',
      'SELECT 1',
      "parameter 'project' is declared in some.endpoint.json but @project is not used",
    ],
    [
      'is used in a comment only',
      'SELECT 1 -- @project',
      "parameter 'project' is declared in some.endpoint.json but @project is not used",
    ],
    [
      'is used in text only',
      "SELECT '@project'",
      "parameter 'project' is declared in some.endpoint.json but @project is not used",
    ],
  ])('refuses a declared parameter that %s', async (_, sql, message) => {
    expect(await faultsWith({}, sql)).toBe(`some.endpoint.sql: ${message}`);
  });

  test('refuses a used parameter that is not declared', async () => {
    expect(await faultsWith({}, 'SELECT @project, @other')).toBe(
      'some.endpoint.sql: @other is used but not declared in some.endpoint.json',
    );
  });

  test('refuses a query that is no GoogleSQL text', async () => {
    expect(await faultsWith({}, "SELECT 'open")).toMatch(/^some\.endpoint\.sql: [^\n]+line 1[^\n]*$/);
  });
});

describe('every setting', () => {
  /** No setting takes it. */
  const WRONG = { nobody: 'takes this' };

  test.each(Object.entries(ENDPOINT_SETTINGS))(
    'of an endpoint is named with what it takes: %s',
    async (name, { accepts }) => {
      expect(await faultsInSettings({ [name]: WRONG })).toContain(`some.endpoint.json: ${name}: `);
      expect(await faultsInSettings({ [name]: 0.5 })).toContain(
        `some.endpoint.json: ${name}: is 0.5; it takes ${accepts}`,
      );
    },
  );

  test.each(Object.entries(PARAMETER_SETTINGS))(
    'of a parameter is named with what it takes: %s',
    async (name, { accepts }) => {
      const faults = await faultsInSettings({ parameters: [project, { ...until, [name]: 0.5 }] });
      expect(faults).toBe(`some.endpoint.json: parameters[1].${name}: is 0.5; it takes ${accepts}`);
    },
  );

  test.each<[string, object, string]>([
    [
      'an element of a list',
      { redactAlso: ['email', 'name'] },
      'redactAlso[1]: is "name"; it takes one of credential, email, card, phone',
    ],
    [
      'a path of a list',
      { redactPaths: ['a..b'] },
      'redactPaths[0]: is "a..b"; it takes names joined by dots, such as metadata.request.headers.cookie',
    ],
    [
      'an allowed value',
      { parameters: [{ ...project, allowed: ['abc', 7] }] },
      'parameters[0].allowed[1]: is 7; it takes text that is not empty',
    ],
    [
      'half of a time window',
      { timeWindow: { start: 'since' } },
      'timeWindow.end: is missing; it takes the name of a TIMESTAMP parameter that may be left out',
    ],
    [
      'a time span',
      { lookback: { parameter: 'project', seconds: { day: 0 } } },
      'lookback.seconds.day: is 0; it takes a whole number of seconds from 1',
    ],
    [
      'a grain',
      { sealedBuckets: { grain: 'minute', graceSeconds: 0, merge: {} } },
      'sealedBuckets.grain: is "minute"; it takes hour or day',
    ],
    [
      'a way to merge',
      { sealedBuckets: { grain: 'hour', graceSeconds: 0, merge: { n: 'avg' } } },
      'sealedBuckets.merge.n: is "avg"; it takes one of key, sum, min, max, any',
    ],
    [
      'a setting of sealed buckets',
      { sealedBuckets: { grain: 'hour', graceSeconds: 0, merge: {}, from: 'c' } },
      "sealedBuckets: unknown setting 'from'; the settings are grain, graceSeconds, merge",
    ],
    [
      'a setting of a time window',
      { timeWindow: { start: 'a', end: 'b', from: 'c' } },
      "timeWindow: unknown setting 'from'; the settings are start, end",
    ],
    [
      'a setting of a parameter',
      { parameters: [{ ...project, default: 'a' }] },
      "parameters[0]: unknown setting 'default'; the settings are name, type, required, allowed, format, maxLength, description, example",
    ],
    [
      'an invalid parameter',
      { parameters: [project, null] },
      'parameters[1]: is null; it takes an object with name, type, required, allowed, format, maxLength, description, example',
    ],
    [
      'long text, cut',
      { id: 'x'.repeat(100_000) },
      `id: is "${'x'.repeat(60)}…"; it takes a UUID in lower case`,
    ],
    ['text of several lines, in one', { id: 'x\ny' }, 'id: is "x\\ny"; it takes a UUID in lower case'],
  ])('is named inside, too: %s', async (_, change, message) => {
    expect(await faultsInSettings(change)).toContain(`some.endpoint.json: ${message}`);
  });

  test('that is wrong is reported at once with all other faults and those of the query', async () => {
    const faults = await faultsOf({
      'other.json': {
        id: settings.id,
        name: 'some',
        description: '',
        maxRow: 7,
        cacheTtlSeconds: 0,
        warmEverySeconds: 60,
        sandbox: 'yes',
        redactPii: false,
        timeWindow: { start: 'since', end: 'since' },
        parameters: [
          { ...project, type: 'INT64' },
          { ...until, required: 1 },
        ],
      },
      'other.sql': 'SELECT @project, @unknown',
    });
    expect(faults.split('\n').map((line) => line.replace(/; .*/, ''))).toEqual([
      'other.json: description: is ""',
      'other.json: maxRows: is missing',
      'other.json: sandbox: is "yes"',
      'other.json: parameters[1].required: is 1',
      "other.json: unknown setting 'maxRow'",
      'other.json: warmEverySeconds: needs a cache: set cacheTtlSeconds, or warmEverySeconds to null',
      'other.json: timeWindow: start and end must be two parameters',
      "other.json: name: is 'some' but the file says 'other'",
      "other.json: parameters: project: the example is not valid: 'abc' is no whole number",
      'other.sql: @unknown is used but not declared in other.json',
      "other.sql: parameter 'until' is declared in other.json but @until is not used",
    ]);
  });
});

test('an empty or missing folder is refused', async () => {
  expect(await faultsOf({})).toMatch(/: no endpoint \(<name>\.json with <name>\.sql\) in this folder$/);
  await expect(loadEndpoints(join(directory, 'none'))).rejects.toThrow(
    /none: the folder cannot be read \(it does not exist\)$/,
  );
});
