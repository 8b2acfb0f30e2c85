import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { http } from '@google-cloud/functions-framework';
import { getTestServer } from '@google-cloud/functions-framework/testing';
import { makeGateway } from '../functions/gateway.ts';
import { makeSignInCodes, type SignInCodes } from '../shared/access/sign-in-code.ts';
import { systemClock } from '../shared/concurrency/clock.ts';
import { ConfigurationError } from '../shared/errors/configuration-error.ts';
import { makeSignInHandler, SIGN_IN_ROUTE } from '../shared/explorer/sign-in-handler.ts';
import { isLoopbackHost } from '../shared/http/request/loopback.ts';
import type { Connections } from '../shared/http/server/connections.ts';
import { bypassFramework } from '../shared/http/server/framework-requests.ts';
import { guardServer } from '../shared/http/server/guard-server.ts';
import { stopServer } from '../shared/http/server/stop-server.ts';
import { composeService, type Service } from '../shared/runtime/compose.ts';
import { type Config, loadConfig } from '../shared/runtime/config.ts';
import { processContext } from '../shared/runtime/config-context.ts';
import { escapeUnprintable } from '../shared/runtime/printable.ts';
import { MICROS_PER_MS } from '../shared/time/units.ts';
import { runWarmingTimer } from '../shared/warming/warming-timer.ts';
import { commandHelp } from './arguments/help-text.ts';
import { isHelpRequested } from './arguments/parse-arguments.ts';
import { unknownVariables } from './arguments/unknown-variables.ts';
import { START } from './commands/start.ts';
import { heldLog } from './start/held-log.ts';
import { loadSummary } from './start/load-summary.ts';
import { welcomeText } from './start/welcome-text.ts';
import { progressBar } from './terminal/progress-bar.ts';
import type { StatusLine } from './terminal/status-line.ts';
import { takeStopSignals } from './terminal/stop-signals.ts';

/**
 * Runs `lqe start`: loads the logs, serves the endpoints until SIGINT or SIGTERM, and answers the exit code. `status`
 * shows how far that is. Throws a ConfigurationError for whatever the caller has to put right.
 */
export async function runStart(
  argv: readonly string[],
  process: NodeJS.Process,
  status: StatusLine,
): Promise<number> {
  const { stdout, stderr } = process;
  if (isHelpRequested(argv)) {
    stdout.write(commandHelp(START));
    return 0;
  }
  const config = loadConfig(argv, process.env, processContext(stdout.isTTY));
  const warn = (message: string) => {
    status.clear();
    stderr.write(`${message}\n`);
  };
  for (const { problem, remedy } of unknownVariables(process.env)) {
    warn(`${escapeUnprintable(problem)}; ${remedy}.`);
  }
  await checkAddress(config);
  const stop = takeStopSignals(process);
  const { signal } = stop;
  const since = BigInt(Date.now()) * MICROS_PER_MS;
  const log = heldLog((line) => stdout.write(line));
  const service = await composeService(config, {
    writeLog: log.write,
    progress: progressBar(stderr, status),
    warn,
    signal,
  }).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (service === null) return 0;
  stop.settle();
  status.clear();
  if (service.logs !== null) stderr.write(loadSummary(service.logs));
  try {
    const codes = config.explorer && isLoopbackHost(config.host) ? makeSignInCodes(systemClock) : null;
    const { server, connections } = makeServer(service, codes);
    const { port, address } = await listen(server, config);
    const printed = await welcomeText(service, urlOf(config.host, port), () =>
      isLoopbackHost(address) ? (codes?.issue() ?? null) : null,
    );
    stdout.write(printed);
    log.release();
    const warming = keepWarm(service, signal);
    const moving = keepDemoMoving(service, { since, signal, warn });
    const following = keepFollowing(service, { signal, warn });
    await aborted(signal);
    await stopServer(server, connections);
    await Promise.all([warming, moving, following]);
    return 0;
  } finally {
    log.release();
    await service.close();
  }
}

/** What a scheduler does in the cloud. */
function keepWarm({ endpoints, warm, logger }: Service, signal: AbortSignal): Promise<void> {
  return runWarmingTimer({
    endpoints: endpoints.all,
    warm,
    clock: systemClock,
    signal,
    onRound: ({ name }, report) => logger.info('Warmed', { endpoint: name, ...report }),
    onFailure: ({ name }, error) => logger.error('Warming failed', error, { endpoint: name }),
  });
}

/** Demo logs go on as time does, unless the clock of the service stands still. */
async function keepDemoMoving(
  { config, logs, logSink: sink, warehouse, nowMicros }: Service,
  { since, signal, warn }: { since: bigint; signal: AbortSignal; warn: (message: string) => void },
): Promise<void> {
  if (logs?.origin !== 'demo' || sink === null || config.nowMicros !== null) return;
  const { moveDemo } = await import('../shared/demo-logs/move-demo.ts');
  const onFailure = (error: unknown) => warn(`The demo logs stand still: ${String(error)}`);
  await moveDemo({ sink, sources: warehouse.tables.keys(), since, nowMicros, signal, onFailure });
}

/** Log files are read on as they grow. */
async function keepFollowing(
  { config, logs, logSink: sink }: Service,
  { signal, warn }: { signal: AbortSignal; warn: (message: string) => void },
): Promise<void> {
  const { logsDirectory: directory } = config;
  if (sink === null || directory === null || logs === null || logs.follow === null) return;
  const { followLogs } = await import('../shared/warehouse/duckdb/follow/follow-logs.ts');
  try {
    await followLogs({ ...logs.follow, directory, sink, warn, signal });
  } catch (error) {
    warn(`The log files are not followed any more: ${String(error)}. Start the service again.`);
  }
}

/** The gateway as functions-framework serves it; with `codes`, which need the explorer, its link signs in. */
function makeServer(
  service: Service,
  codes: SignInCodes | null,
): { readonly server: Server; readonly connections: Connections } {
  const signIn = codes === null ? null : makeSignInHandler(service, { codes, token: service.localToken });
  const gateway = makeGateway(service, new Map(signIn === null ? [] : [[SIGN_IN_ROUTE, signIn]]));
  bypassFramework(gateway);
  http('gateway', gateway);
  const server = getTestServer('gateway');
  return { server, connections: guardServer(server) };
}

/** Finds out before logs are loaded, which may take minutes, whether the service can listen where it should. */
async function checkAddress(config: Config): Promise<void> {
  const server = createServer();
  await listen(server, config);
  await new Promise((resolve) => server.close(resolve));
}

function listen(server: Server, { port, host }: Config): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenProblem(error, port, host)));
    server.listen({ port, host }, () => resolve(server.address() as AddressInfo));
  });
}

function listenProblem(error: NodeJS.ErrnoException, port: number, host: string): Error {
  const problems: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} is in use; name another one with --port (0 picks a free one)`,
    EACCES: `port ${port} needs rights that this user does not have; choose one from 1024 up with --port`,
    EADDRNOTAVAIL: `${host} is not an address of this machine; name another one with --host`,
    ENOTFOUND: `${host} is not an address of this machine; name another one with --host`,
  };
  const problem = problems[error.code ?? ''];
  return problem === undefined ? error : new ConfigurationError(problem);
}

function urlOf(host: string, port: number): string {
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Resolves when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
