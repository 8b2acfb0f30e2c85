import type { AnswerFacts, TextResult } from '../client/client.d.ts';
import { makeClient, QueryError } from '../client/client.js';
import { nounFor } from '../shared/errors/noun-for.ts';
import { escapeUnprintable } from '../shared/runtime/printable.ts';
import { commandHelp } from './arguments/help-text.ts';
import { parseArguments } from './arguments/parse-arguments.ts';
import { QUERY, QUERY_FORMATS } from './commands/query.ts';
import { type AdHocQuery, readAdHocQuery } from './query/ad-hoc-query.ts';
import { requestParameters } from './query/request-parameters.ts';
import { makeRowWriter } from './query/row-writer.ts';
import { serviceAddress } from './service/address.ts';
import { serviceNowMs, unexpectedService } from './service/get.ts';
import { exitCodeOf, failureText } from './service/show-failure.ts';
import { coloursFor } from './terminal/colour.ts';
import { printableLines } from './terminal/printable-lines.ts';

const DEFAULT_COLUMNS = 80;

/** Runs `lqe query` and answers the exit code, as its help says. */
export async function runQuery(argv: readonly string[], process: NodeJS.Process): Promise<number> {
  const { env, stdin, stdout, stderr } = process;
  const given = parseArguments(argv, QUERY);
  if (given.wantsHelp) {
    stdout.write(commandHelp(QUERY));
    return 0;
  }
  const [endpoint = ''] = given.operands;
  const address = await serviceAddress(given, env);
  const adHoc = await readAdHocQuery(given, stdin);
  const isTerminal = stdout.isTTY === true;
  const format =
    QUERY_FORMATS.find((one) => one === given.text('--format')) ?? (isTerminal ? 'table' : 'ndjson');
  const width = isTerminal ? (stdout.columns ?? DEFAULT_COLUMNS) : null;
  const writer = makeRowWriter({ format, width, colours: coloursFor(stdout, env) });
  const print = (text: string) => {
    if (text === '') return;
    // A table is printable already, and has colours.
    stdout.write(isTerminal && format !== 'table' ? printableLines(text) : text);
  };
  const colours = coloursFor(stderr, env);
  const client = makeClient(address);
  const options = { ...adHoc, format: writer.asks, redactPii: given.has('--redact') };
  try {
    const parameters = await requestParameters(given, () => serviceNowMs(address));
    if (given.has('--explain')) {
      stdout.write(`${JSON.stringify(await client.explain(endpoint, parameters, { ...adHoc }), null, 2)}\n`);
      return 0;
    }
    let answer = checked(await client.text(endpoint, parameters, options));
    print(writer.page(answer.text));
    for (const note of notesOf(answer.facts)) stderr.write(`${colours.yellow(note)}\n`);
    while (given.has('--all') && answer.next !== null) {
      answer = checked(await client.nextText(answer, { redactPii: options.redactPii }));
      print(writer.page(answer.text));
    }
    print(writer.end());
    if (answer.facts.truncated) stderr.write(`${colours.yellow(moreRows(answer))}\n`);
    if (isTerminal) stderr.write(`${colours.dim(summary(answer.facts))}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    stderr.write(failureText(error, { command: QUERY, query: textOf(adHoc), colours }));
    return exitCodeOf(error);
  }
}

/** Something else may have answered 200: a proxy's page, a file server. Throws a QueryError. */
function checked(answer: TextResult): TextResult {
  if (answer.facts.rowCount === null) throw unexpectedService();
  return answer;
}

function textOf(adHoc: AdHocQuery | null): string | null {
  return adHoc === null ? null : (adHoc.sql ?? adHoc.lql);
}

/** What a caller should know of an answer that is not in its rows. */
function notesOf({ ignoredParameters, hint }: AnswerFacts): readonly string[] {
  const ignored = ignoredParameters.map(decodeName).join(', ');
  return [
    ...(ignored === '' ? [] : [`The endpoint has no such parameter, so it was ignored: ${ignored}`]),
    ...(hint === null ? [] : [hint]),
  ].map(escapeUnprintable);
}

/** Names are percent-encoded in the header. */
function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function moreRows({ next }: TextResult): string {
  return next === null
    ? 'There are more rows than one answer may hold, and the rest is not kept: narrow the time range, or count.'
    : 'There are more rows than one answer may hold; --all follows them.';
}

function summary(facts: AnswerFacts): string {
  const { rowCount, cache, ageSeconds, bytesProcessed, bytesBilled, durationMs } = facts;
  const age = ageSeconds !== null && ageSeconds > 0 ? `, ${ageSeconds} s old` : '';
  return [
    `${rowCount} ${nounFor(rowCount ?? 0, 'row')} in ${Math.round(durationMs)} ms`,
    ...(cache === null ? [] : [`cache ${cache}${age}`]),
    ...bytesText(bytesProcessed, 'read'),
    // An answer out of the cache has billed nothing again.
    ...bytesText(cache === 'HIT' ? null : bytesBilled, 'billed'),
  ].join(', ');
}

function bytesText(bytes: number | null, done: string): readonly string[] {
  return bytes === null ? [] : [`${bytes.toLocaleString('en-US')} ${nounFor(bytes, 'byte')} ${done}`];
}
