import { dirname, join, resolve } from 'node:path';
import { ConfigurationError } from '../errors/configuration-error.ts';
import type { LogTables } from './log-tables-kind.ts';
import { printable } from './printable.ts';
import { badValue, readArguments } from './read-arguments.ts';
import { SETTINGS, type Setting, type SettingName, type SettingValues, settingLabel } from './settings.ts';

/** What the service is started with. Paths are absolute. */
export interface Config {
  /** 0 picks a free port. */
  readonly port: number;
  readonly host: string;
  /** The folder of log files; null for generated demo logs. */
  readonly logsDirectory: string | null;
  /** Whether the files of that folder are read on while the service runs. */
  readonly follow: boolean;
  /** The file that keeps the loaded logs; null for memory. */
  readonly databaseFile: string | null;
  readonly queriesDirectory: string;
  readonly sourcesDirectory: string;
  /** The folder of saved queries; null for none. */
  readonly savedDirectory: string | null;
  /** Where the service's clock stands, in microseconds since the epoch; null for the real time. */
  readonly nowMicros: bigint | null;
  /** Older entries of the local database are not shown, in microseconds; null for no limit. */
  readonly retentionMicros: bigint | null;
  /** The project of received entries that name none; null leaves them without. */
  readonly defaultProject: string | null;
  readonly skipInvalid: boolean;
  /** The fixed local access token; null for a new one. */
  readonly token: string | null;
  /** The secret of cursors; null for a new one. */
  readonly cursorKey: string | null;
  readonly tokensFile: string;
  readonly deadlineMs: number;
  /** For consumers' queries; so are the next three, for each token. */
  readonly sqlDeadlineMs: number;
  readonly sqlRunning: number;
  readonly sqlWaiting: number;
  readonly sqlCpuSeconds: number;
  /** Most bytes that one query may bill, of a consumer and of an endpoint. */
  readonly sqlMaxBytes: number;
  readonly storedMaxBytes: number;
  readonly memoryLimitMib: number;
  readonly warehouse: 'duckdb' | 'bigquery';
  /** Given where the warehouse, the cache, the token store or the way of received entries is Google's. */
  readonly googleProject: string | null;
  /** `dataset` or `project.dataset`; given where the warehouse is BigQuery, unless `logTables` has tables. */
  readonly bigqueryDataset: string | null;
  /** Tables and views by source, of those that do not lie in the dataset; null for a source that is absent. */
  readonly logTables: LogTables;
  /** Null for the dataset's own. */
  readonly bigqueryLocation: string | null;
  readonly partitionBy: 'hour' | 'day';
  /** Where BigQuery's emulator listens, `host:port` or a URL; null for BigQuery itself. */
  readonly bigqueryEmulatorHost: string | null;
  /** Where Firestore's emulator listens, which its client finds by itself; null for Firestore itself. */
  readonly firestoreEmulatorHost: string | null;
  /** What stands before the source in the ids of the topics that received entries are published to; null for none. */
  readonly ingestTopics: string | null;
  /** Where Pub/Sub's emulator listens, `host:port`; null for Pub/Sub itself. */
  readonly pubsubEmulatorHost: string | null;
  readonly cache: 'memory' | 'firestore';
  readonly cacheMemoryMib: number;
  readonly answerMemoryMib: number;
  readonly tokenStore: 'file' | 'firestore';
  readonly firestoreDatabase: string;
  readonly tokenDatabase: string;
  /** Sets of parameters of one token that are remembered, to be kept warm. */
  readonly setsPerToken: number;
  readonly warmWindowSeconds: number;
  readonly warmConcurrency: number;
  readonly warmDeadlineMs: number;
  readonly warmMaxBytes: number;
  /** What the OIDC token of a warming call is checked for; null for not checked. */
  readonly warmAudience: string | null;
  readonly warmServiceAccount: string | null;
  /** Whether the explorer is served. */
  readonly explorer: boolean;
  readonly logFormat: 'pretty' | 'json';
  readonly callerPosition: number;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What the configuration depends on besides arguments and environment. */
export interface ConfigContext {
  /** The current directory, which relative paths start from. */
  readonly workingDirectory: string;
  /** The folder of the built-in endpoints, with `sources` in it. */
  readonly builtInQueries: string;
  /** Whether the log goes to a terminal. */
  readonly isTerminal: boolean;
  /** Whether a platform runs the process as a function, and not a person. */
  readonly isFunction: boolean;
  /** What is at a path, links followed: `other` for pipes, sockets and devices, null for nothing. */
  pathKind(path: string): 'directory' | 'file' | 'other' | null;
}

/**
 * The configuration from command-line arguments and environment variables; arguments win, an empty variable
 * counts as not set. Throws one ConfigurationError with a line for each fault.
 */
export function loadConfig(argv: readonly string[], env: Environment, context: ConfigContext): Config {
  const { texts, faults: argumentFaults } = readArguments(argv);
  const faults = [...argumentFaults];
  const given: Partial<Record<SettingName, unknown>> = {};
  const refused = new Set<SettingName>();
  for (const [name, setting] of Object.entries(SETTINGS) as [SettingName, Setting][]) {
    const text = texts.get(name) ?? (env[setting.env] || undefined);
    if (text === undefined) continue;
    const value = text === '' ? undefined : setting.kind.parse(text);
    if (value === undefined) {
      refused.add(name);
      faults.push(badValue(setting, text));
    } else given[name] = value;
  }
  // Each value was parsed by its own setting's kind, which is what SettingValues says of it.
  const config = withDefaults(given as SettingValues, context, env);
  faults.push(...pathFaults(given as SettingValues, config, context));
  faults.push(...followFaults(config, refused), ...googleFaults(config, refused));
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'));
  return config;
}

/** Whether a configuration leaves the built-in endpoints and table schemas as they are. */
export function servesBuiltIn(
  { queriesDirectory, sourcesDirectory }: Config,
  { builtInQueries }: ConfigContext,
): boolean {
  return queriesDirectory === builtInQueries && sourcesDirectory === sourcesIn(builtInQueries);
}

function sourcesIn(queriesDirectory: string): string {
  return join(queriesDirectory, 'sources');
}

function withDefaults(given: SettingValues, context: ConfigContext, env: Environment): Config {
  const absolute = (path: string) => resolve(context.workingDirectory, path);
  const optional = (path: string | undefined) => (path === undefined ? null : absolute(path));
  return {
    port: given.port ?? 8080,
    host: given.host ?? 'localhost',
    logsDirectory: optional(given.logs),
    follow: given.follow ?? false,
    databaseFile: optional(given.database),
    queriesDirectory: absolute(given.queries ?? context.builtInQueries),
    sourcesDirectory: absolute(given.sources ?? sourcesIn(context.builtInQueries)),
    savedDirectory: optional(given.saved),
    nowMicros: given.now ?? null,
    retentionMicros: given.retention ?? null,
    // Self-hosted Supabase has one project of this name. In the cloud other ways in write to the same tables.
    defaultProject: given.defaultProject ?? (given.warehouse === 'bigquery' ? null : 'default'),
    skipInvalid: given.skipInvalid ?? false,
    token: given.token ?? null,
    cursorKey: given.cursorKey ?? null,
    tokensFile: absolute(given.tokens ?? '.lqe/tokens.json'),
    deadlineMs: given.deadline ?? 30_000,
    // BigQuery keeps neighbours apart itself.
    sqlDeadlineMs: given.sqlDeadline ?? (given.warehouse === 'bigquery' ? 30_000 : 10_000),
    sqlRunning: given.sqlRunning ?? 4,
    sqlWaiting: given.sqlWaiting ?? 16,
    sqlCpuSeconds: given.sqlCpu ?? 60,
    sqlMaxBytes: given.sqlMaxBytes ?? 1_073_741_824,
    storedMaxBytes: given.storedMaxBytes ?? 107_374_182_400,
    memoryLimitMib: given.memoryLimit ?? 2048,
    warehouse: given.warehouse ?? 'duckdb',
    googleProject: given.googleProject ?? null,
    bigqueryDataset: given.bigqueryDataset ?? null,
    logTables: given.logTables ?? new Map(),
    bigqueryLocation: given.bigqueryLocation ?? null,
    partitionBy: given.partitionBy ?? 'hour',
    // Google's own tools read these variables.
    bigqueryEmulatorHost: env.BIGQUERY_EMULATOR_HOST || null,
    firestoreEmulatorHost: env.FIRESTORE_EMULATOR_HOST || null,
    ingestTopics: given.ingestTopics ?? null,
    pubsubEmulatorHost: env.PUBSUB_EMULATOR_HOST || null,
    cache: given.cache ?? 'memory',
    cacheMemoryMib: given.cacheMemory ?? 64,
    answerMemoryMib: given.answerMemory ?? 256,
    tokenStore: given.tokenStore ?? 'file',
    firestoreDatabase: given.firestoreDatabase ?? '(default)',
    tokenDatabase: given.tokenDatabase ?? given.firestoreDatabase ?? '(default)',
    setsPerToken: given.setsPerToken ?? 100,
    warmWindowSeconds: given.warmWindow ?? 3600,
    warmConcurrency: given.warmConcurrency ?? 4,
    warmDeadlineMs: given.warmDeadline ?? 240_000,
    warmMaxBytes: given.warmMaxBytes ?? 10_737_418_240,
    warmAudience: given.warmAudience ?? null,
    warmServiceAccount: given.warmServiceAccount ?? null,
    explorer: given.explorer ?? !context.isFunction,
    logFormat: given.logFormat ?? (context.isTerminal ? 'pretty' : 'json'),
    callerPosition: given.callerPosition ?? 0,
    logLevel: given.logLevel ?? 'info',
  };
}

/** Files are followed into the local database. */
function followFaults(
  { follow, logsDirectory, warehouse }: Config,
  refused: ReadonlySet<SettingName>,
): readonly string[] {
  if (!follow) return [];
  const [label, logs] = [settingLabel(SETTINGS.follow), settingLabel(SETTINGS.logs)];
  if (warehouse !== 'duckdb') {
    return [
      `${label} reads log files into the local database; leave out ${settingLabel(SETTINGS.warehouse)}`,
    ];
  }
  return logsDirectory === null && !refused.has('logs')
    ? [`${logs} is missing; ${SETTINGS.follow.flag} needs the folder whose files it reads on`]
    : [];
}

/** Google's services need a place; a value that was refused is not missing as well. */
function googleFaults(config: Config, refused: ReadonlySet<SettingName>): readonly string[] {
  const faults: string[] = [];
  const need = (name: SettingName, because: readonly (string | false)[]): void => {
    const [first] = because.filter((reason) => reason !== false);
    if (first === undefined || refused.has(name)) return;
    faults.push(`${settingLabel(SETTINGS[name])} is missing; ${first} needs ${SETTINGS[name].kind.accepts}`);
  };
  const isBigQuery = config.warehouse === 'bigquery' && '--warehouse bigquery';
  if (config.googleProject === null) {
    need('googleProject', [
      isBigQuery,
      config.cache === 'firestore' && '--cache firestore',
      config.tokenStore === 'firestore' && '--token-store firestore',
      config.ingestTopics !== null && '--ingest-topics',
    ]);
  }
  const isAnySomewhere = config.bigqueryDataset !== null || config.logTables.size > 0;
  if (!isAnySomewhere && !refused.has('logTables')) need('bigqueryDataset', [isBigQuery]);
  return faults;
}

/** Reading from a pipe or a device may never end. */
const KIND_COMPLAINTS = {
  directory: 'which is a folder',
  file: 'which is a file',
  other: 'which is a pipe, a socket or a device',
} as const;

/** Folders must be there; files need not, but the database's folder must. Defaults are not the operator's fault. */
function pathFaults(given: SettingValues, config: Config, context: ConfigContext): readonly string[] {
  const faults: string[] = [];
  const check = (
    name: 'logs' | 'queries' | 'sources' | 'saved' | 'database' | 'tokens',
    path: string | null,
  ): void => {
    const text = given[name];
    if (text === undefined || path === null) return;
    const setting = SETTINGS[name];
    const isFolder = setting.kind.placeholder === 'DIR';
    const kind = context.pathKind(path);
    const complaint = (what: string) =>
      faults.push(
        `${settingLabel(setting)} was given ${printable(text)}, ${what}; it takes ${setting.kind.accepts}`,
      );
    if (isFolder && kind !== 'directory')
      complaint(kind === null ? 'which does not exist' : KIND_COMPLAINTS[kind]);
    else if (!isFolder && (kind === 'directory' || kind === 'other')) complaint(KIND_COMPLAINTS[kind]);
    else if (name === 'database' && context.pathKind(dirname(path)) !== 'directory') {
      complaint(`but there is no folder ${printable(dirname(path))}`);
    }
  };
  check('logs', config.logsDirectory);
  check('queries', config.queriesDirectory);
  check('sources', config.sourcesDirectory);
  check('saved', config.savedDirectory);
  check('database', config.databaseFile);
  check('tokens', config.tokensFile);
  return faults;
}
