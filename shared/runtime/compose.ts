import { randomUUID } from 'node:crypto';
import { type AccessToken, digestToken } from '../access/access-token.ts';
import { fileTokenStore } from '../access/file-token-store.ts';
import { issueToken } from '../access/issue-token.ts';
import { makeRateLimiter } from '../access/rate-limiter.ts';
import { readTokenFile } from '../access/token-file.ts';
import { combineTokenStores, memoryTokenStore } from '../access/token-store.ts';
import { systemClock } from '../cache/clock.ts';
import { makeResultCache } from '../cache/result-cache.ts';
import { loadEndpoints } from '../endpoints/load-endpoints.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { HttpDeps } from '../http/http-deps.ts';
import { loadTableSchemas } from '../schema/load-table-schemas.ts';
import type { LoadProgress } from '../warehouse/duckdb/loading/load-progress.ts';
import { checkEndpoints } from './check-endpoints.ts';
import { type Config, loadConfig } from './config.ts';
import { processContext } from './config-context.ts';
import type { FilledStore } from './fill-store.ts';
import { type Logger, makeLogger } from './log.ts';
import { openWarehouse } from './open-warehouse.ts';
import { requestIdOf } from './request-id.ts';

const BYTES_PER_MIB = 1024 * 1024;

/** Everything that answers requests, made once from a configuration. */
export interface Service extends HttpDeps {
  readonly config: Config;
  readonly logger: Logger;
  /** The token of this process: LQE_TOKEN, or a new one that is gone with the process. */
  readonly localToken: string;
  /** What the embedded engine was filled with; null where the logs lie elsewhere. */
  readonly logs: FilledStore | null;
  close(): Promise<void>;
}

/** What composing a service needs of the process it runs in. */
export interface ComposeOptions {
  /** Takes the lines of the log. */
  readonly writeLog: (line: string) => void;
  readonly progress: (progress: LoadProgress) => void;
  /** Told of what lies among the logs and is not loaded. */
  readonly warn: (message: string) => void;
  /** Aborting it stops the loading. */
  readonly signal: AbortSignal;
}

/** Puts the service together; the one place where its parts meet. Throws a ConfigurationError. */
export async function composeService(config: Config, options: ComposeOptions): Promise<Service> {
  const endpoints = await loadEndpoints(config.queriesDirectory);
  const schemas = await loadTableSchemas(config.sourcesDirectory);
  const tokens = await openTokens(config);
  const nowMicros = () => config.nowMicros ?? BigInt(Date.now()) * 1000n;
  const logger = makeLogger({
    format: config.logFormat,
    level: config.logLevel,
    write: options.writeLog,
    nowMs: Date.now,
    ...(config.googleProject === null ? {} : { projectId: config.googleProject }),
  });
  const opened = await openWarehouse(schemas, config, { ...options, logger, nowMicros: nowMicros() });
  const { warehouse } = opened;
  try {
    checkEndpoints(endpoints.all, config.queriesDirectory, warehouse);
  } catch (error) {
    await warehouse.close();
    throw error;
  }
  return {
    config,
    endpoints,
    ...opened,
    ...tokens,
    limiter: makeRateLimiter({ nowMs: () => systemClock.monotonicMs() }),
    cache: makeResultCache({
      maxBytes: config.cacheMemoryMib * BYTES_PER_MIB,
      shared: null,
      clock: systemClock,
    }),
    logger,
    requestId: (headers) => requestIdOf(headers, randomUUID),
    nowMicros,
    wallClockMs: Date.now,
    deadlineMs: config.deadlineMs,
    close: () => warehouse.close(),
  };
}

/** The service that the environment alone describes, for functions that a host starts. */
export function composeFromEnvironment(): Promise<Service> {
  const config = loadConfig([], process.env, processContext(process.stdout.isTTY));
  return composeService(config, {
    writeLog: (line) => process.stdout.write(line),
    progress: () => {},
    warn: (message) => process.stderr.write(`${message}\n`),
    signal: new AbortController().signal,
  });
}

async function openTokens(config: Config): Promise<Pick<Service, 'tokens' | 'localToken'>> {
  try {
    await readTokenFile(config.tokensFile);
  } catch (error) {
    if (error instanceof ServiceError) throw new ConfigurationError(error.message);
    throw error;
  }
  const { token, record } = localToken(config.token);
  const tokens = combineTokenStores(memoryTokenStore([record]), fileTokenStore(config.tokensFile, Date.now));
  return { tokens, localToken: token };
}

/** A token for all endpoints and projects that lives as long as the process. */
function localToken(fixed: string | null): { token: string; record: AccessToken } {
  const request = { name: 'local', endpoints: null, projects: null, expiresAtMs: null };
  const issued = issueToken(request, Date.now());
  if (fixed === null) return issued;
  return { token: fixed, record: { ...issued.record, digest: digestToken(fixed) } };
}
