import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeGateway } from '../../../functions/gateway.ts';
import { updateTokenFile } from '../../../shared/access/token-file.ts';
import { makeResultCache, type ResultCache } from '../../../shared/cache/result-cache.ts';
import { type Clock, systemClock } from '../../../shared/concurrency/clock.ts';
import { composeService, type Service } from '../../../shared/runtime/compose.ts';
import { loadConfig } from '../../../shared/runtime/config.ts';
import { processContext } from '../../../shared/runtime/config-context.ts';
import { tokenRecord } from '../../shared/access/support/token-record.ts';
import { serve } from '../../shared/http/support/hosts.ts';
import { type Answer, call } from '../../shared/http/support/http-client.ts';
import { withResults } from '../../shared/results/support/with-results.ts';

const TOKEN = 'token-of-the-tests-with-real-logs';
/** No answer grows older while it is computed or kept, whatever time the machine takes. */
const STILL: Clock = { ...systemClock, monotonicMs: () => 0, wallMs: () => 0 };
const emptyCache = () => makeResultCache({ maxBytes: 1024 * 1024, shared: null, clock: STILL });

/** The service as it is, with all its parts, on its own port. Its clock can be set. */
export interface RealService {
  readonly service: Service;
  readonly port: number;
  /** What queries take for the present, in microseconds; the real time until it is set. */
  nowMicros: bigint | null;
  /** Asks an endpoint; the query's text goes on the wire as it is. */
  ask(
    endpoint: string,
    query: URLSearchParams | string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  close(): Promise<void>;
}

/** Starts the service with options as on its command line. */
export async function startRealService(...argv: readonly string[]): Promise<RealService> {
  return startIn(await mkdtemp(join(tmpdir(), 'real-service-')), argv);
}

/** Starts the service over no logs, with a token that writes edge logs. */
export async function startWritableService(writer: string): Promise<RealService> {
  const folder = await mkdtemp(join(tmpdir(), 'writable-service-'));
  const logs = join(folder, 'logs');
  await mkdir(logs);
  await updateTokenFile(tokensIn(folder), () => [tokenRecord(writer, { writes: ['edge_logs'] })]);
  return startIn(folder, ['--logs', logs]);
}

const tokensIn = (folder: string) => join(folder, 'tokens.json');

/** Starts the service with a folder of its own, which is removed when it is closed. */
async function startIn(folder: string, argv: readonly string[]): Promise<RealService> {
  const env = {
    LQE_TOKEN: TOKEN,
    LQE_TOKENS: tokensIn(folder),
    LQE_MEMORY_LIMIT: '512',
    LQE_DEADLINE: '600000',
    // The machine may be busy with other tests.
    LQE_SQL_DEADLINE: '600000',
    LQE_SQL_CPU: '100000',
    LQE_SQL_WAITING: '1000',
    BIGQUERY_EMULATOR_HOST: process.env.BIGQUERY_EMULATOR_HOST,
  };
  const config = loadConfig(argv, env, processContext(false));
  const service = await composeService(config, {
    writeLog: () => {},
    progress: () => {},
    warn: () => {},
    signal: new AbortController().signal,
  });
  const nowMicros = () => running.nowMicros ?? service.nowMicros();
  const clock: { nowMicros: bigint | null; cache: ResultCache } = { nowMicros: null, cache: emptyCache() };
  const cache: ResultCache = { ...service.cache, answer: (key, request) => clock.cache.answer(key, request) };
  const host = await serve(makeGateway(withResults({ ...service, nowMicros, cache, hintMs: 600_000 })));
  const running: RealService = {
    service,
    port: host.port,
    get nowMicros() {
      return clock.nowMicros;
    },
    set nowMicros(micros) {
      clock.nowMicros = micros;
      // What is kept was computed at another time.
      clock.cache = emptyCache();
    },
    ask: (endpoint, query, headers = {}) =>
      call(host.port, `/api/endpoints/query/${endpoint}?${query}`, {
        headers: { 'x-api-key': TOKEN, ...headers },
      }),
    close: async () => {
      await host.close();
      await service.close();
      await rm(folder, { recursive: true });
    },
  };
  return running;
}

/** Starts the service over files of logs that are written for it, and removes them when it has loaded them. */
export async function startWithLogs(
  files: Readonly<Record<string, readonly object[]>>,
): Promise<RealService> {
  const folder = await mkdtemp(join(tmpdir(), 'made-logs-'));
  try {
    for (const [source, entries] of Object.entries(files)) {
      const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
      await writeFile(join(folder, `${source}.ndjson`), lines.join(''));
    }
    return await startRealService('--logs', folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The rows of an answer that is one. */
export function rowsOf<Row>(answer: Answer): Row[] {
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${answer.text}`);
  return (answer.json() as { result: Row[] }).result;
}
