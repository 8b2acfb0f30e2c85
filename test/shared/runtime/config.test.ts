import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ConfigurationError } from '../../../shared/errors/configuration-error.ts';
import { type Config, type ConfigContext, loadConfig } from '../../../shared/runtime/config.ts';
import { processContext } from '../../../shared/runtime/config-context.ts';
import { SETTINGS, type Setting } from '../../../shared/runtime/settings.ts';

const paths: Record<string, 'directory' | 'file' | 'other'> = {
  '/home/me/pipe': 'other',
  '/home/me': 'directory',
  '/home/me/logs': 'directory',
  '/home/me/file': 'file',
  '/data': 'directory',
};
const context: ConfigContext = {
  workingDirectory: '/home/me',
  builtInQueries: '/opt/lqe/queries',
  isTerminal: true,
  isFunction: false,
  pathKind: (path) => paths[path] ?? null,
};

const load = (argv: readonly string[], env: Record<string, string> = {}) => loadConfig(argv, env, context);

function faultsOf(argv: readonly string[], env: Record<string, string> = {}): readonly string[] {
  try {
    load(argv, env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message.split('\n');
    throw error;
  }
  throw new Error('it was accepted');
}

const LOG_TABLES_FAULTS: readonly (readonly [what: string, text: string, given: string])[] = [
  ['no JSON', '{edge_logs: 1}', "'{edge_logs: 1}', which is no JSON object"],
  ['a list', '["edge_logs"]', `'["edge_logs"]', which is no JSON object`],
  ['null', 'null', "'null', which is no JSON object"],
  ['another name than a source has', '{"Edge":"a.b"}', "the source 'Edge', which is no source's name"],
  ['a number', '{"edge_logs":5}', 'no table for edge_logs, but the number 5'],
  ['an object', '{"edge_logs":{}}', 'no table for edge_logs, but an object'],
  ['a list of tables', '{"edge_logs":["a.b"]}', 'no table for edge_logs, but a list'],
  ...[
    '',
    'cloudflare',
    'a.b.c.d',
    'UPPER-case.a.b',
    'a.b`',
    'a.b;c',
    'a.b*',
    'acme.raw.x',
    'p-project.a b.c',
  ].map(
    (table) =>
      [
        `the table ${JSON.stringify(table)}`,
        JSON.stringify({ edge_logs: table }),
        `'${table}' for edge_logs, which is not dataset.table or project.dataset.table`,
      ] as const,
  ),
];

describe('the configuration', () => {
  test('has a default for everything', () => {
    expect(load([])).toEqual({
      port: 8080,
      host: 'localhost',
      logsDirectory: null,
      follow: false,
      databaseFile: null,
      queriesDirectory: '/opt/lqe/queries',
      sourcesDirectory: '/opt/lqe/queries/sources',
      savedDirectory: null,
      nowMicros: null,
      retentionMicros: null,
      defaultProject: 'default',
      skipInvalid: false,
      token: null,
      cursorKey: null,
      tokensFile: '/home/me/.lqe/tokens.json',
      deadlineMs: 30_000,
      sqlDeadlineMs: 10_000,
      sqlRunning: 4,
      sqlWaiting: 16,
      sqlCpuSeconds: 60,
      sqlMaxBytes: 1_073_741_824,
      storedMaxBytes: 107_374_182_400,
      memoryLimitMib: 2048,
      warehouse: 'duckdb',
      googleProject: null,
      bigqueryDataset: null,
      logTables: new Map(),
      bigqueryLocation: null,
      partitionBy: 'hour',
      bigqueryEmulatorHost: null,
      firestoreEmulatorHost: null,
      ingestTopics: null,
      pubsubEmulatorHost: null,
      cache: 'memory',
      cacheMemoryMib: 64,
      answerMemoryMib: 256,
      tokenStore: 'file',
      firestoreDatabase: '(default)',
      tokenDatabase: '(default)',
      setsPerToken: 100,
      warmWindowSeconds: 3600,
      warmConcurrency: 4,
      warmDeadlineMs: 240_000,
      warmMaxBytes: 10_737_418_240,
      warmAudience: null,
      warmServiceAccount: null,
      explorer: true,
      logFormat: 'pretty',
      callerPosition: 0,
      logLevel: 'info',
    } satisfies Config);
  });

  test('logs JSON where no terminal reads it', () => {
    expect(loadConfig([], {}, { ...context, isTerminal: false }).logFormat).toBe('json');
  });

  test('serves the explorer from a function only where a setting says it', () => {
    const inFunction = { ...context, isFunction: true };
    expect(loadConfig([], {}, inFunction).explorer).toBe(false);
    expect(loadConfig([], { LQE_EXPLORER: 'true' }, inFunction).explorer).toBe(true);
  });

  test.each<[keyof Config, string, string, unknown]>([
    ['port', '--port', '0', 0],
    ['port', '--port', '65535', 65_535],
    ['host', '--host', '0.0.0.0', '0.0.0.0'],
    ['host', '--host', '[::1]', '::1'],
    ['host', '--host', '::1', '::1'],
    ['logsDirectory', '--logs', 'logs', '/home/me/logs'],
    ['logsDirectory', '--logs', '/data', '/data'],
    ['databaseFile', '--database', 'logs/new.duckdb', '/home/me/logs/new.duckdb'],
    ['databaseFile', '--database', 'file', '/home/me/file'],
    ['queriesDirectory', '--queries', './logs/', '/home/me/logs'],
    ['sourcesDirectory', '--sources', '../../data', '/data'],
    ['nowMicros', '--now', '2015-05-20T21:06:00Z', 1_432_155_960_000_000n],
    ['tokensFile', '--tokens', 'new/folder/tokens.json', '/home/me/new/folder/tokens.json'],
    ['deadlineMs', '--deadline', '1', 1],
    ['sqlDeadlineMs', '--sql-deadline', '1500', 1_500],
    ['sqlRunning', '--sql-running', '1', 1],
    ['sqlWaiting', '--sql-waiting', '0', 0],
    ['sqlCpuSeconds', '--sql-cpu', '120', 120],
    ['sqlMaxBytes', '--sql-max-bytes', '10485760', 10_485_760],
    ['storedMaxBytes', '--stored-max-bytes', '999999999999999', 999_999_999_999_999],
    ['memoryLimitMib', '--memory-limit', '512', 512],
    ['googleProject', '--google-project', 'example.com:my-project-1', 'example.com:my-project-1'],
    ['bigqueryDataset', '--bigquery-dataset', 'log_entries', 'log_entries'],
    ['bigqueryDataset', '--bigquery-dataset', 'my-project.log_entries', 'my-project.log_entries'],
    [
      'logTables',
      '--log-tables',
      '{"edge_logs":"acme-lake.raw.cloudflare","auth_logs":null,"storage_logs":"raw.Größe 1-b"}',
      new Map([
        ['edge_logs', 'acme-lake.raw.cloudflare'],
        ['auth_logs', null],
        ['storage_logs', 'raw.Größe 1-b'],
      ]),
    ],
    ['bigqueryLocation', '--bigquery-location', 'europe-west1', 'europe-west1'],
    ['partitionBy', '--partition-by', 'day', 'day'],
    ['cacheMemoryMib', '--cache-memory', '8', 8],
    ['answerMemoryMib', '--answer-memory', '32', 32],
    ['firestoreDatabase', '--firestore-database', '(default)', '(default)'],
    ['firestoreDatabase', '--firestore-database', 'query-results', 'query-results'],
    ['tokenDatabase', '--firestore-database', 'query-results', 'query-results'],
    ['tokenDatabase', '--token-database', 'access-tokens', 'access-tokens'],
    ['setsPerToken', '--sets-per-token', '20', 20],
    ['warmWindowSeconds', '--warm-window', '600', 600],
    ['warmConcurrency', '--warm-concurrency', '1', 1],
    ['warmDeadlineMs', '--warm-deadline', '60000', 60_000],
    ['warmMaxBytes', '--warm-max-bytes', '0', 0],
    ['warmAudience', '--warm-audience', 'https://warm.example.com/', 'https://warm.example.com/'],
    [
      'warmServiceAccount',
      '--warm-service-account',
      'a@b.iam.gserviceaccount.com',
      'a@b.iam.gserviceaccount.com',
    ],
    ['explorer', '--explorer', 'false', false],
    ['explorer', '--explorer', 'true', true],
    ['logFormat', '--log-format', 'json', 'json'],
    ['callerPosition', '--caller-position', '2', 2],
    ['logLevel', '--log-level', 'debug', 'debug'],
    ['retentionMicros', '--retention', '7d', 604_800_000_000n],
    ['retentionMicros', '--retention', '90m', 5_400_000_000n],
    ['defaultProject', '--default-project', 'acme web', 'acme web'],
    ['skipInvalid', '--skip-invalid', 'true', true],
  ])('%s is set by %s %s and by its environment variable', (name, flag, text, value) => {
    const variable = `LQE_${flag.slice(2).toUpperCase().replaceAll('-', '_')}`;
    expect(load([`${flag}=${text}`])[name]).toEqual(value);
    expect(load([], { [variable]: text })[name]).toEqual(value);
    if (flag !== '--skip-invalid') expect(load([flag, text])[name]).toEqual(value);
  });

  test('a switch needs no value, and takes back what the environment says', () => {
    expect(load(['--skip-invalid', '--port', '1'])).toMatchObject({ skipInvalid: true, port: 1 });
    expect(load(['--skip-invalid=false'], { LQE_SKIP_INVALID: '1' }).skipInvalid).toBe(false);
  });

  test('an option wins over its variable, even over a faulty one', () => {
    expect(load(['--port', '1'], { LQE_PORT: '2' }).port).toBe(1);
    expect(load(['--port', '1'], { LQE_PORT: 'x' }).port).toBe(1);
  });

  test('an empty variable counts as not set', () => {
    expect(load([], { LQE_PORT: '', LQE_LOGS: '', LQE_TOKEN: '' })).toEqual(load([]));
  });

  test('the token comes from the environment', () => {
    expect(load([], { LQE_TOKEN: '0123456789abcdef' }).token).toBe('0123456789abcdef');
  });

  test("finds BigQuery's emulator where Google's own tools look for it", () => {
    expect(load([], { BIGQUERY_EMULATOR_HOST: 'localhost:9050' }).bigqueryEmulatorHost).toBe(
      'localhost:9050',
    );
  });

  test('needs no dataset where tables are named', () => {
    const argv = ['--warehouse=bigquery', '--google-project=my-project', '--log-tables={"edge_logs":"a.b"}'];
    expect(load(argv)).toMatchObject({ bigqueryDataset: null, logTables: new Map([['edge_logs', 'a.b']]) });
  });

  test('of other programs is ignored', () => {
    expect(load([], { PORT: 'x', HOME: '/', OTHER_LQE_PORT: 'y' })).toEqual(load([]));
  });
});

describe('a fault is one line that names what was given and what is accepted:', () => {
  test.each<[string, readonly string[], string]>([
    [
      'a word for a port',
      ['--port=abc'],
      "--port (or LQE_PORT) was given 'abc'; it takes a whole number from 0 to 65535",
    ],
    [
      'a port too high',
      ['--port', '70000'],
      "--port (or LQE_PORT) was given '70000'; it takes a whole number from 0 to 65535",
    ],
    [
      'a negative port',
      ['--port', '-1'],
      "--port (or LQE_PORT) was given '-1'; it takes a whole number from 0 to 65535",
    ],
    [
      'half a port',
      ['--port', '80.5'],
      "--port (or LQE_PORT) was given '80.5'; it takes a whole number from 0 to 65535",
    ],
    [
      'an empty port',
      ['--port', ''],
      '--port (or LQE_PORT) was given nothing; it takes a whole number from 0 to 65535',
    ],
    [
      'an empty port after =',
      ['--port='],
      '--port (or LQE_PORT) was given nothing; it takes a whole number from 0 to 65535',
    ],
    [
      'no project for Firestore',
      ['--token-store=firestore'],
      '--google-project (or LQE_GOOGLE_PROJECT) is missing; --token-store firestore needs the id of a Google Cloud project: 6 to 30 lower-case letters, digits and hyphens, the first a letter',
    ],
    [
      'no dataset for BigQuery',
      ['--warehouse=bigquery', '--google-project=my-project'],
      '--bigquery-dataset (or LQE_BIGQUERY_DATASET) is missing; --warehouse bigquery needs a BigQuery dataset such as log_entries or my-project.log_entries',
    ],
    [
      'an invalid project, and so not missing as well',
      ['--warehouse=bigquery', '--google-project=p', '--bigquery-dataset=logs'],
      "--google-project (or LQE_GOOGLE_PROJECT) was given 'p'; it takes the id of a Google Cloud project: 6 to 30 lower-case letters, digits and hyphens, the first a letter",
    ],
    [
      'a dataset that could end a name',
      ['--bigquery-dataset', 'logs`.secret'],
      "--bigquery-dataset (or LQE_BIGQUERY_DATASET) was given 'logs`.secret'; it takes a BigQuery dataset such as log_entries or my-project.log_entries",
    ],
    ...LOG_TABLES_FAULTS.map(([what, text, given]): [string, readonly string[], string] => [
      `log tables: ${what}`,
      ['--log-tables', text],
      `--log-tables (or LQE_LOG_TABLES) was given ${given}; it takes ${SETTINGS.logTables.kind.accepts}`,
    ]),
    [
      'an instant in words',
      ['--now', 'yesterday'],
      "--now (or LQE_NOW) was given 'yesterday'; it takes an instant in ISO 8601, such as 2026-01-31T12:30:00Z",
    ],
    [
      'a missing folder name',
      ['--logs'],
      '--logs (or LQE_LOGS) was given nothing; it takes the path of a folder',
    ],
    [
      'a host with a space',
      ['--host', 'a b'],
      "--host (or LQE_HOST) was given 'a b'; it takes a host name or an IP address, such as localhost, 0.0.0.0 or ::1",
    ],
    [
      'no time at all',
      ['--deadline', '0'],
      "--deadline (or LQE_DEADLINE) was given '0'; it takes a whole number from 1 to 3600000",
    ],
    [
      'an explorer that is neither on nor off',
      ['--explorer', 'yes'],
      "--explorer (or LQE_EXPLORER) was given 'yes'; it takes true or false",
    ],
    [
      'an explorer without a value',
      ['--explorer', '--port', '1'],
      '--explorer (or LQE_EXPLORER) was given nothing; it takes true or false',
    ],
    [
      'little memory',
      ['--memory-limit', '1'],
      "--memory-limit (or LQE_MEMORY_LIMIT) was given '1'; it takes a whole number from 64 to 16777216",
    ],
    [
      'an unknown format',
      ['--log-format', 'xml'],
      "--log-format (or LQE_LOG_FORMAT) was given 'xml'; it takes one of pretty, json",
    ],
    [
      'an unknown level',
      ['--log-level', 'INFO'],
      "--log-level (or LQE_LOG_LEVEL) was given 'INFO'; it takes one of debug, info, warn, error",
    ],
    [
      'a switch with a word',
      ['--skip-invalid=yes'],
      "--skip-invalid (or LQE_SKIP_INVALID) was given 'yes'; it takes true or false",
    ],
    [
      'a switch named like a property',
      ['--skip-invalid=constructor'],
      "--skip-invalid (or LQE_SKIP_INVALID) was given 'constructor'; it takes true or false",
    ],
    ['an option twice', ['--port', '1', '--port=2'], '--port is given twice; give it once'],
    ['a mistyped option', ['--prot', '1'], "There is no option '--prot'; did you mean --port?"],
    ['an option in upper case', ['--PORT=1'], "There is no option '--PORT'; did you mean --port?"],
    ['an unknown option', ['--verbosity', 'high'], "There is no option '--verbosity' (see --help)"],
    ['an unknown short option', ['-p', '1'], "There is no option '-p' (see --help)"],
    [
      'an argument',
      ['logs'],
      "Unexpected argument 'logs': every setting is given as --name value (see --help)",
    ],
    [
      'an argument after a switch',
      ['--skip-invalid', 'true'],
      "Unexpected argument 'true': every setting is given as --name value (see --help)",
    ],
    [
      'an end of options',
      ['--'],
      "Unexpected argument '--': every setting is given as --name value (see --help)",
    ],
    [
      'a missing folder',
      ['--logs', 'gone'],
      "--logs (or LQE_LOGS) was given 'gone', which does not exist; it takes the path of a folder",
    ],
    [
      'a file for a folder',
      ['--queries', 'file'],
      "--queries (or LQE_QUERIES) was given 'file', which is a file; it takes the path of a folder",
    ],
    [
      'a pipe for a folder',
      ['--logs', 'pipe'],
      "--logs (or LQE_LOGS) was given 'pipe', which is a pipe, a socket or a device; it takes the path of a folder",
    ],
    [
      'a device for a file',
      ['--tokens', 'pipe'],
      "--tokens (or LQE_TOKENS) was given 'pipe', which is a pipe, a socket or a device; it takes the path of a file",
    ],
    [
      'missing sources',
      ['--sources', '/gone'],
      "--sources (or LQE_SOURCES) was given '/gone', which does not exist; it takes the path of a folder",
    ],
    [
      'a folder for a file',
      ['--database', 'logs'],
      "--database (or LQE_DATABASE) was given 'logs', which is a folder; it takes the path of a file",
    ],
    [
      'a database in no folder',
      ['--database', 'gone/x'],
      "--database (or LQE_DATABASE) was given 'gone/x', but there is no folder '/home/me/gone'; it takes the path of a file",
    ],
    [
      'a folder of tokens',
      ['--tokens', 'logs'],
      "--tokens (or LQE_TOKENS) was given 'logs', which is a folder; it takes the path of a file",
    ],
    [
      'a line break and an escape',
      ['--port', '1\n\u001b[2J'],
      "--port (or LQE_PORT) was given '1\\u{a}\\u{1b}[2J'; it takes a whole number from 0 to 65535",
    ],
    [
      'an endless value',
      ['--port', '9'.repeat(5000)],
      `--port (or LQE_PORT) was given '${'9'.repeat(100)}…'; it takes a whole number from 0 to 65535`,
    ],
  ])('%s', (_, argv, fault) => {
    expect(faultsOf(argv)).toEqual([fault]);
  });

  test('an option takes no other option for its value', () => {
    expect(faultsOf(['--logs', '--port', '1'])).toEqual([
      '--logs (or LQE_LOGS) was given nothing; it takes the path of a folder',
    ]);
  });

  test.each(['short', 'has a space in it', 'ünprintable-tökens', 'x'.repeat(257)])(
    'a token is refused but never repeated (%.20s)',
    (token) => {
      const [fault, ...others] = faultsOf([], { LQE_TOKEN: token });
      expect(fault).toBe(
        `LQE_TOKEN was given a value of ${token.length} characters; it takes at least 16 and at most 256 printable ASCII characters without spaces`,
      );
      expect(others).toEqual([]);
    },
  );

  test.each([
    [['--token', 'secret-secret-secret']],
    [['--token=secret-secret-secret']],
    [['--token', '-secret-secret-secret']],
  ])('a token on the command line is refused and not repeated', (argv) => {
    const faults = faultsOf(argv);
    expect(faults).toEqual([
      'There is no option --token, because command lines show in the list of processes; set LQE_TOKEN instead',
    ]);
  });

  test('all faults come at once', () => {
    const faults = faultsOf(['--prot', '1', '--now', 'x', 'y', '--logs', 'gone'], {
      LQE_PORT: 'z',
      LQE_DEADLINE: '-1',
    });
    expect(faults.map((fault) => /--\w+|'y'/.exec(fault)?.[0])).toEqual([
      '--prot',
      "'y'",
      '--port',
      '--now',
      '--deadline',
      '--logs',
    ]);
  });

  test('whatever the arguments are', () => {
    const flag = fc.constantFrom(
      ...Object.values<Setting>(SETTINGS).map((setting) => setting.flag ?? '--token'),
    );
    const argument = fc.oneof(
      flag,
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.tuple(flag, fc.string()).map((pair) => pair.join('=')),
    );
    fc.assert(
      fc.property(fc.array(argument, { maxLength: 6 }), (argv) => {
        try {
          load(argv);
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigurationError);
          const lines = (error as ConfigurationError).message.split('\n');
          expect(lines.length).toBeLessThanOrEqual(argv.length);
          for (const line of lines) expect(line).toMatch(/^[^\p{Cc}]{10,}$/u);
        }
      }),
    );
  });
});

test('the context of this process sees its files', () => {
  const { pathKind, builtInQueries, workingDirectory } = processContext(false);
  expect(pathKind(builtInQueries)).toBe('directory');
  expect(pathKind(`${builtInQueries}/logs.all.json`)).toBe('file');
  expect(pathKind(`${builtInQueries}/logs.all.json/below`)).toBeNull();
  expect(workingDirectory).toBe(process.cwd());
});
