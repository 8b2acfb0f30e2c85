import { LEAST_BYTES_BILLED } from '../warehouse/bytes-billed.ts';
import { LOG_TABLES } from './log-tables-kind.ts';
import {
  AGE,
  DATABASE,
  DATASET,
  EMAIL,
  GOOGLE_PROJECT,
  HOST,
  INSTANT,
  LOCATION,
  oneOf,
  PROJECT_NAME,
  path,
  SECRET,
  type SettingKind,
  SWITCH,
  TOPIC_PREFIX,
  TRUE_OR_FALSE,
  URL_TEXT,
  wholeNumber,
} from './setting-kinds.ts';

/** One thing that can be set at start. */
export interface Setting<T = unknown> {
  /** The environment variable. */
  readonly env: `LQE_${string}`;
  /** The option on the command line; null for a secret, since command lines show in the list of processes. */
  readonly flag: `--${string}` | null;
  readonly kind: SettingKind<T>;
  /** The default in words, for the help. */
  readonly fallback: string;
  readonly help: string;
}

function setting<T>(name: string, kind: SettingKind<T>, fallback: string, help: string): Setting<T> {
  return { env: `LQE_${name.toUpperCase().replaceAll('-', '_')}`, flag: `--${name}`, kind, fallback, help };
}

/** Every setting of the service: what is read, checked and listed by the help is this table. */
export const SETTINGS = {
  port: setting('port', wholeNumber('PORT', 0, 65_535), '8080', 'Port to listen on; 0 picks a free one'),
  host: setting('host', HOST, 'localhost', 'Address to listen on'),
  logs: setting('logs', path('DIR'), 'generated demo logs', 'Folder of log files, named by their source'),
  follow: setting(
    'follow',
    SWITCH,
    'false',
    'Read on the files of --logs while the service runs; with --database, a later start goes on where this one stopped',
  ),
  database: setting('database', path('FILE'), 'a temporary one', 'DuckDB file that keeps the loaded logs'),
  queries: setting('queries', path('DIR'), 'the built-in queries', 'Folder of endpoints to serve'),
  sources: setting(
    'sources',
    path('DIR'),
    'the built-in sources',
    'Folder of table schemas, one <source>.json each',
  ),
  saved: setting(
    'saved',
    path('DIR'),
    'none',
    'Folder of saved queries, <name>.sql and <name>.lql, that the explorer offers to all',
  ),
  retention: setting(
    'retention',
    AGE,
    'no limit',
    'Age from which entries in the local database are neither shown nor, where they arrived live, kept',
  ),
  defaultProject: setting(
    'default-project',
    PROJECT_NAME,
    'default; on BigQuery none',
    'Project of received entries that name none, where their token is not limited to projects',
  ),
  now: setting('now', INSTANT, 'the real time', "Where the service's clock stands, to replay old logs"),
  skipInvalid: setting(
    'skip-invalid',
    SWITCH,
    'false',
    'Skip and count malformed log lines instead of stopping',
  ),
  token: { ...setting('token', SECRET, 'a new one', 'The local access token'), flag: null },
  cursorKey: {
    ...setting(
      'cursor-key',
      SECRET,
      'a new one',
      'Secret under which all instances write the cursors of next pages',
    ),
    flag: null,
  },
  tokens: setting('tokens', path('FILE'), '.lqe/tokens.json', 'File that keeps the digests of access tokens'),
  deadline: setting(
    'deadline',
    wholeNumber('MS', 1, 3_600_000),
    '30000',
    'Milliseconds after which a query is stopped',
  ),
  sqlDeadline: setting(
    'sql-deadline',
    wholeNumber('MS', 1, 3_600_000),
    '10000, on BigQuery 30000',
    'Milliseconds after which a query in sql or lql is stopped, where its token sets no deadline',
  ),
  sqlRunning: setting(
    'sql-running',
    wholeNumber('N', 1, 1_000),
    '4',
    'Queries in sql and lql that one token may have running at the same time',
  ),
  sqlWaiting: setting(
    'sql-waiting',
    wholeNumber('N', 0, 10_000),
    '16',
    'Queries in sql and lql of one token that may wait beside those; one more answers 429',
  ),
  sqlCpu: setting(
    'sql-cpu',
    wholeNumber('S', 1, 100_000),
    '60',
    'CPU seconds a minute of the embedded engine for the queries in sql and lql of one token, where it sets no limit',
  ),
  sqlMaxBytes: setting(
    'sql-max-bytes',
    wholeNumber('BYTES', LEAST_BYTES_BILLED, 999_999_999_999_999),
    '1073741824',
    'Bytes that BigQuery may bill for one query in sql or lql; where its endpoint or its token has less, that holds',
  ),
  storedMaxBytes: setting(
    'stored-max-bytes',
    wholeNumber('BYTES', LEAST_BYTES_BILLED, 999_999_999_999_999),
    '107374182400',
    "Bytes that BigQuery may bill for one run of an endpoint's stored query, warming included; less holds as above",
  ),
  memoryLimit: setting(
    'memory-limit',
    wholeNumber('MIB', 64, 16_777_216),
    '2048',
    "Most memory of the warehouse, in MiB; consumers' queries have as much once more, 1 GiB, and what their processes need",
  ),
  warehouse: setting('warehouse', oneOf('duckdb', 'bigquery'), 'duckdb', 'Where the logs lie'),
  googleProject: setting(
    'google-project',
    GOOGLE_PROJECT,
    'none',
    'Google Cloud project that runs the queries and holds Firestore',
  ),
  bigqueryDataset: setting(
    'bigquery-dataset',
    DATASET,
    'none',
    'BigQuery dataset of the log tables, with its project where that is another one',
  ),
  logTables: setting(
    'log-tables',
    LOG_TABLES,
    'all in the dataset',
    'Tables and views of sources that do not lie in the dataset under their own names; an absent source has no entries',
  ),
  bigqueryLocation: setting(
    'bigquery-location',
    LOCATION,
    "the dataset's own",
    'BigQuery location that queries run in',
  ),
  partitionBy: setting(
    'partition-by',
    oneOf('hour', 'day'),
    'hour',
    'How finely the log tables in BigQuery are partitioned by time, to say in refusals what would fit',
  ),
  ingestTopics: setting(
    'ingest-topics',
    TOPIC_PREFIX,
    'none',
    'Pub/Sub topics that entries sent to the service are published to: what stands before the name of the source in their ids',
  ),
  cache: setting(
    'cache',
    oneOf('memory', 'firestore'),
    'memory',
    'Where results are kept: in the process alone, or in Firestore as well',
  ),
  cacheMemory: setting(
    'cache-memory',
    wholeNumber('MIB', 1, 16_384),
    '64',
    'Most memory of the results that the process keeps, in MiB',
  ),
  answerMemory: setting(
    'answer-memory',
    wholeNumber('MIB', 16, 65_536),
    '256',
    'Most memory of long answers that are being read, encoded or sent, in MiB; more of them wait',
  ),
  tokenStore: setting('token-store', oneOf('file', 'firestore'), 'file', 'Where access tokens are looked up'),
  firestoreDatabase: setting(
    'firestore-database',
    DATABASE,
    '(default)',
    'Firestore database of results and of what keeps them warm',
  ),
  tokenDatabase: setting(
    'token-database',
    DATABASE,
    'that of --firestore-database',
    'Firestore database of access tokens',
  ),
  setsPerToken: setting(
    'sets-per-token',
    wholeNumber('N', 1, 1_000),
    '100',
    'Sets of parameters that are kept warm for one token; new ones beyond them wait until one was not asked for in five minutes',
  ),
  warmWindow: setting(
    'warm-window',
    wholeNumber('S', 60, 604_800),
    '3600',
    'Seconds for which results stay warm after the last request for them',
  ),
  warmConcurrency: setting(
    'warm-concurrency',
    wholeNumber('N', 1, 32),
    '4',
    'Results that are warmed at the same time',
  ),
  warmDeadline: setting(
    'warm-deadline',
    wholeNumber('MS', 1000, 1_800_000),
    '240000',
    'Milliseconds after which a round of warming begins nothing new',
  ),
  warmMaxBytes: setting(
    'warm-max-bytes',
    wholeNumber('BYTES', 0, 999_999_999_999_999),
    '10737418240',
    'Bytes that one round of warming may bill before it begins nothing new',
  ),
  warmAudience: setting(
    'warm-audience',
    URL_TEXT,
    'not checked',
    'Audience that the OIDC token of a warming call must have',
  ),
  warmServiceAccount: setting(
    'warm-service-account',
    EMAIL,
    'not checked',
    'Service account whose OIDC token a warming call must carry',
  ),
  explorer: setting(
    'explorer',
    TRUE_OR_FALSE,
    'true, for functions false',
    'Whether the explorer is served: a page for people, and what the page asks about the service',
  ),
  logFormat: setting(
    'log-format',
    oneOf('pretty', 'json'),
    'pretty on a terminal, else json',
    'How log lines are written',
  ),
  callerPosition: setting(
    'caller-position',
    wholeNumber('N', 0, 10),
    "0, the connection's address",
    "Where the caller's address stands in X-Forwarded-For, counted from the right, for the log",
  ),
  logLevel: setting(
    'log-level',
    oneOf('debug', 'info', 'warn', 'error'),
    'info',
    'The least severe lines that are written',
  ),
} satisfies Readonly<Record<string, Setting>>;

/** The key of a setting in the configuration; its environment variable is part of its entry. */
export type SettingName = keyof typeof SETTINGS;

/** The values that were given, by setting; undefined for those that were not. */
export type SettingValues = {
  readonly [Name in SettingName]: ReturnType<(typeof SETTINGS)[Name]['kind']['parse']>;
};

/** How a setting is written, for messages: `--port (or LQE_PORT)`. */
export function settingLabel({ flag, env }: Setting): string {
  return flag === null ? env : `${flag} (or ${env})`;
}
