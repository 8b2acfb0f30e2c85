import { setTimeout as sleepFor } from 'node:timers/promises';
import { QueryError } from '../client/client.js';
import { isLoopbackHost } from '../shared/http/request/loopback.ts';
import { wholeNumber } from '../shared/runtime/setting-kinds.ts';
import { formatMicros } from '../shared/time/iso-timestamp.ts';
import { commandHelp } from './arguments/help-text.ts';
import { type Arguments, parseArguments } from './arguments/parse-arguments.ts';
import { parseSpan } from './arguments/parse-span.ts';
import { UsageError } from './arguments/usage-error.ts';
import { TAIL } from './commands/tail.ts';
import { requestParameters } from './query/request-parameters.ts';
import { type ServiceAddress, serviceAddress } from './service/address.ts';
import { serviceNowMs } from './service/get.ts';
import { exitCodeOf, failureText, isRetryable } from './service/show-failure.ts';
import { entryText } from './tail/entry.ts';
import { makeFetchWindow, TIME_BOUNDS } from './tail/fetch-window.ts';
import { follow } from './tail/follow.ts';
import { type TailQuery, tailQuery } from './tail/tail-query.ts';
import { coloursFor } from './terminal/colour.ts';
import { printableLines } from './terminal/printable-lines.ts';
import { takeStopSignals } from './terminal/stop-signals.ts';

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;
const MIN_INTERVAL_MS = 1000;
const DEFAULT_INTERVAL_MS = 5000;
/** A service on this machine answers from its own database: no one pays for what is read. */
const LOCAL_INTERVAL_MS = 500;
const LINES = wholeNumber('N', 0, 100);

/** Runs `lqe tail` until SIGINT or SIGTERM, or an error that trying again does not mend; answers the exit code. */
export async function runTail(argv: readonly string[], process: NodeJS.Process): Promise<number> {
  const { env, stdout, stderr } = process;
  const given = parseArguments(argv, TAIL);
  if (given.wantsHelp) {
    stdout.write(commandHelp(TAIL));
    return 0;
  }
  const [endpoint = ''] = given.operands;
  const query = tailQuery(given);
  const address = await serviceAddress(given, env);
  const timing = readTiming(given, address);
  const parameters = await requestParameters(given, () => serviceNowMs(address));
  refuseBounds(parameters);
  const stop = takeStopSignals(process);
  const { signal } = stop;
  stop.settle();
  const isTerminal = stdout.isTTY === true;
  const isText = (given.text('--format') ?? (isTerminal ? 'text' : 'ndjson')) === 'text';
  const colours = coloursFor(stdout, env);
  const complain = coloursFor(stderr, env);
  const note = (text: string) => stderr.write(`${complain.yellow(text)}\n`);
  try {
    await follow({
      ...timing,
      signal,
      fetchWindow: makeFetchWindow({
        address,
        endpoint,
        parameters,
        query,
        isRedacted: given.has('--redact'),
        signal,
      }),
      emit: (entries) => {
        const text = entries
          .map((entry) => (isText ? entryText(entry, colours) : `${entry.json}\n`))
          .join('');
        stdout.write(isTerminal && !isText ? printableLines(text) : text);
      },
      onGap: (micros) =>
        note(
          `More entries have the time ${formatMicros(BigInt(micros))} than one answer may hold; some are not shown.`,
        ),
      retryDelayMs: (error, failures) => {
        const delayMs = retryDelayMs(error, failures);
        if (delayMs !== null && failures === 1 && error instanceof QueryError) {
          note(`${error.message} Trying again until the service recovers.`);
        }
        return delayMs;
      },
      sleep: (ms) => sleepFor(ms, undefined, { signal }).catch(() => {}),
    });
    return 0;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    stderr.write(failureText(error, { command: TAIL, query: textOf(query), colours: complain }));
    return exitCodeOf(error);
  }
}

/** What passes is waited for without end, longer each time. */
function retryDelayMs(error: unknown, failures: number): number | null {
  if (!(error instanceof QueryError) || !isRetryable(error)) return null;
  const backoffMs = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
  return Math.max(backoffMs, (error.retryAfterSeconds ?? 0) * 1000);
}

function refuseBounds(parameters: Readonly<Record<string, string>>): void {
  if (TIME_BOUNDS.some((name) => Object.hasOwn(parameters, name))) {
    throw new UsageError(`${TIME_BOUNDS.join(' and ')} are set by tail itself; leave them out.`);
  }
}

function readTiming(
  given: Arguments,
  { baseUrl }: ServiceAddress,
): { lines: number; intervalMs: number; lateMs: number } {
  const lines = LINES.parse(given.text('--lines') ?? '10');
  if (lines === undefined) throw new UsageError(`--lines takes ${LINES.accepts}.`);
  const interval = given.text('--interval');
  const defaultMs = isLoopbackHost(baseUrl.hostname) ? LOCAL_INTERVAL_MS : DEFAULT_INTERVAL_MS;
  const intervalMs = interval === undefined ? defaultMs : parseSpan('--interval', interval);
  const lateMs = parseSpan('--late', given.text('--late') ?? '60s');
  if (interval !== undefined && intervalMs < MIN_INTERVAL_MS)
    throw new UsageError('--interval takes 1s or more.');
  return { lines, intervalMs, lateMs };
}

function textOf(query: TailQuery): string {
  return 'sql' in query ? query.sql : query.lql;
}
