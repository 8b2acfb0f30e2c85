import {
  HOST,
  INSTANT,
  oneOf,
  path,
  SECRET,
  type SettingKind,
  SWITCH,
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
  logs: setting('logs', path('DIR'), 'made demo logs', 'Folder of log files, named by their source'),
  database: setting('database', path('FILE'), 'a temporary one', 'DuckDB file that keeps the loaded logs'),
  queries: setting('queries', path('DIR'), 'the built-in queries', 'Folder of endpoints to serve'),
  sources: setting(
    'sources',
    path('DIR'),
    'the built-in sources',
    'Folder of table schemas, one <source>.json each',
  ),
  now: setting('now', INSTANT, 'the real time', "Where the service's clock stands, to replay old logs"),
  skipInvalid: setting(
    'skip-invalid',
    SWITCH,
    'false',
    'Skip and count malformed log lines instead of stopping',
  ),
  token: { ...setting('token', SECRET, 'a new one', 'The local access token'), flag: null },
  tokens: setting('tokens', path('FILE'), '.lqe/tokens.json', 'File that keeps the digests of access tokens'),
  deadline: setting(
    'deadline',
    wholeNumber('MS', 1, 3_600_000),
    '30000',
    'Milliseconds after which a query is stopped',
  ),
  memoryLimit: setting(
    'memory-limit',
    wholeNumber('MIB', 64, 16_777_216),
    '2048',
    "Most memory of the warehouse, in MiB; consumers' queries run in up to two processes more with this and 1 GiB each",
  ),
  logFormat: setting(
    'log-format',
    oneOf('pretty', 'json'),
    'pretty on a terminal, else json',
    'How log lines are written',
  ),
  logLevel: setting(
    'log-level',
    oneOf('debug', 'info', 'warn', 'error'),
    'info',
    'The least severe lines that are written',
  ),
} satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof SETTINGS;

/** The values that were given, by setting; undefined for those that were not. */
export type GivenValues = {
  readonly [Name in SettingName]: ReturnType<(typeof SETTINGS)[Name]['kind']['parse']>;
};

/** How a setting is written, for messages: `--port (or LQE_PORT)`. */
export function settingLabel({ flag, env }: Setting): string {
  return flag === null ? env : `${flag} (or ${env})`;
}
