import { randomUUID } from 'node:crypto';
import { makeRateLimiter } from '../access/rate-limiter.ts';
import { makeAdmission } from '../admission/admission.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { type AssetSource, bundledAssets, installedAssets } from '../explorer/asset-files.ts';
import type { IngestDeps } from '../http/ingest/ingest-handler.ts';
import { makeCursors } from '../http/paging/cursor.ts';
import type { WarmDeps } from '../http/warm-handler.ts';
import type { LogSink } from '../ingest/log-sink.ts';
import { makeEstimateResult } from '../results/estimate-result.ts';
import { makeObtainResult } from '../results/obtain-result.ts';
import { makeRedactedEndpoints } from '../results/redacted-endpoints.ts';
import { makeSealedQueries } from '../results/sealed/sealed-queries.ts';
import type { SavedQueries } from '../saved-queries/saved-queries.ts';
import { MICROS_PER_MS } from '../time/units.ts';
import type { LoadProgress } from '../warehouse/duckdb/loading/load-progress.ts';
import { makeWarmer, type WarmingLimits } from '../warming/warmer.ts';
import { type Config, type ConfigContext, loadConfig, servesBuiltIn } from './config.ts';
import { processContext } from './config-context.ts';
import { type BuiltDefinitions, type Definitions, unpackDefinitions } from './definitions.ts';
import type { FilledStore } from './fill-store.ts';
import { type Logger, makeLogger } from './log.ts';
import { systemMachine } from './machine.ts';
import { openCache } from './open-cache.ts';
import { openFirestore } from './open-firestore.ts';
import { openIngest } from './open-ingest.ts';
import { openTokens } from './open-tokens.ts';
import { locateTables, openWarehouse } from './open-warehouse.ts';
import { requestIdOf } from './request-id.ts';

/** Everything that answers requests, made once from a configuration. */
export interface Service extends WarmDeps, IngestDeps {
  readonly config: Config;
  readonly logger: Logger;
  /** The token of this process: LQE_TOKEN, or a new one that is gone with the process. */
  readonly localToken: string;
  /** What the embedded engine was filled with; null where the logs lie elsewhere. */
  readonly logs: FilledStore | null;
  /** Takes entries that arrive while the service runs; null where the warehouse has another way in. */
  readonly logSink: LogSink | null;
  /** The explorer's files; null where it is not served. */
  readonly explorer: AssetSource | null;
  /** The saved queries that the explorer offers; null where there is no folder of them. */
  readonly savedQueries: SavedQueries | null;
  close(): Promise<void>;
}

/** What composing a service needs of the process it runs in. */
export interface ComposeOptions {
  /** Takes the lines of the log. */
  readonly writeLog: (line: string) => void;
  readonly progress: (progress: LoadProgress) => void;
  /** Receives what lies among the logs and is not loaded. */
  readonly warn: (message: string) => void;
  /** Aborting it stops the loading. */
  readonly signal: AbortSignal;
  /** What is served, where it was checked when the function was built; else it is read from the configured folders. */
  readonly built?: Definitions | undefined;
  /** Where the explorer's files are; by default where the product is installed. */
  readonly assets?: AssetSource;
}

/** Puts the service together; the one place where its parts meet. Throws a ConfigurationError. */
export async function composeService(config: Config, options: ComposeOptions): Promise<Service> {
  const { clock } = systemMachine;
  const { endpoints, schemas, sourceNames } = options.built ?? (await loadDefinitions(config));
  const nowMicros = (agoMs = 0) => config.nowMicros ?? BigInt(Math.round(Date.now() - agoMs)) * MICROS_PER_MS;
  const logger = makeLogger({
    format: config.logFormat,
    level: config.logLevel,
    callerPosition: config.callerPosition,
    write: options.writeLog,
    nowMs: Date.now,
    ...(config.googleProject === null ? {} : { projectId: config.googleProject }),
  });
  const firestore = openFirestore(config);
  const tokens = await openTokens(config, firestore.tokens, clock);
  const opened = await openWarehouse(schemas, config, {
    ...options,
    logger,
    nowMicros: nowMicros(),
    clockMicros: nowMicros,
  });
  const { warehouse } = opened;
  const close = async () => {
    await warehouse.close();
    await firestore.close();
  };
  try {
    if (options.built === undefined) {
      const { checkEndpoints } = await import('./check-endpoints.ts');
      await checkEndpoints(endpoints.all, config.queriesDirectory, opened);
    }
    const { cache, demand, locks, parts } = openCache(config, firestore.results, logger, systemMachine);
    const { deadlineMs, sqlDeadlineMs } = config;
    const { monotonicMs } = clock;
    const admission = makeAdmission(
      {
        running: config.sqlRunning,
        waiting: config.sqlWaiting,
        cpuSecondsPerMinute: config.sqlCpuSeconds,
        lanes: opened.lanes,
      },
      monotonicMs,
    );
    const byteCaps = {
      consumerMaxBytesBilled: config.sqlMaxBytes,
      storedMaxBytesBilled: config.storedMaxBytes,
    };
    const { origin } = opened;
    const source = origin ?? 'embedded';
    const sealed = makeSealedQueries({ warehouse, parts, source, monotonicMs, warn: logger.warn });
    const running = {
      warehouse,
      cache,
      sealed,
      origin,
      admission,
      nowMicros,
      monotonicMs,
      deadlineMs,
      sqlDeadlineMs,
      byteCaps,
    };
    const savedQueries = await openSaved(config, { ...opened, nowMicros, endpoints: endpoints.all, logger });
    const obtain = makeObtainResult(running);
    const redacted = makeRedactedEndpoints(warehouse);
    return {
      config,
      endpoints,
      ingest: openIngest(config, { schemas, sourceNames, nowMicros, logSink: opened.logSink }),
      ...opened,
      ...tokens,
      limiter: makeRateLimiter({ nowMs: monotonicMs }),
      ...running,
      obtain,
      redacted,
      cursors: makeCursors(config.cursorKey ?? randomUUID()),
      demand,
      warm: makeWarmer({
        obtain,
        estimate: makeEstimateResult(running),
        redacted,
        demand,
        locks,
        clock,
        limits: warmingLimits(config),
        warn: logger.warn,
      }),
      warmCaller: { audience: config.warmAudience, serviceAccount: config.warmServiceAccount },
      logger,
      explorer: config.explorer ? (options.assets ?? installedAssets()) : null,
      savedQueries,
      requestId: (headers) => requestIdOf(headers, randomUUID),
      wallClockMs: Date.now,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function loadDefinitions(config: Config): Promise<Definitions> {
  const { readDefinitions } = await import('./read-definitions.ts');
  return readDefinitions(config);
}

/** Most processes have no such folder, and need not load what checks it. */
async function openSaved(
  { explorer, savedDirectory }: Config,
  {
    endpoints,
    logger,
    ...deps
  }: Parameters<OpenSaved>[2] & {
    readonly endpoints: readonly Endpoint[];
    readonly logger: Pick<Logger, 'warn'>;
  },
): Promise<SavedQueries | null> {
  if (!explorer || savedDirectory === null) return null;
  const { openSavedQueries } = await import('./open-saved-queries.ts');
  return openSavedQueries(savedDirectory, endpoints, deps, logger.warn);
}

type OpenSaved = typeof import('./open-saved-queries.ts').openSavedQueries;

function warmingLimits(config: Config): WarmingLimits {
  return {
    windowSeconds: config.warmWindowSeconds,
    concurrency: config.warmConcurrency,
    deadlineMs: config.warmDeadlineMs,
    maxBytes: config.warmMaxBytes,
  };
}

/**
 * Checks the settings in the environment of a function, and that they fit what it serves, where that is `built`. Throws a
 * ConfigurationError with a line for each fault.
 */
export function checkEnvironment(built?: BuiltDefinitions): void {
  const context = functionContext();
  const config = loadConfig([], process.env, context);
  if (built !== undefined && servesBuiltIn(config, context)) locateTables(Object.keys(built.schemas), config);
}

/**
 * The service that the environment alone describes, for functions that a host starts. `built` is served unless the
 * environment names folders to read in its place.
 */
export function composeFromEnvironment(built?: BuiltDefinitions): Promise<Service> {
  const context = functionContext();
  const config = loadConfig([], process.env, context);
  return composeService(config, {
    writeLog: (line) => process.stdout.write(line),
    progress: () => {},
    warn: (message) => process.stderr.write(`${message}\n`),
    signal: new AbortController().signal,
    assets: built === undefined ? installedAssets() : bundledAssets(),
    built: built !== undefined && servesBuiltIn(config, context) ? unpackDefinitions(built) : undefined,
  });
}

function functionContext(): ConfigContext {
  return processContext(process.stdout.isTTY, true);
}
