import { parseArgs, types } from 'node:util';
import { issueToken } from '../shared/access/issue-token.ts';
import { readTokenFile, updateTokenFile } from '../shared/access/token-file.ts';
import { ServiceError } from '../shared/errors/service-error.ts';
import { formatDetails, formatTable } from './tokens/format-tokens.ts';
import { parseExpiry } from './tokens/parse-expiry.ts';
import { selectToken } from './tokens/select-token.ts';
import { UsageError } from './tokens/usage-error.ts';

export interface TokensIo {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** The path of the file that holds the tokens' digests. */
  readonly tokensFile: string;
  /** Milliseconds since the epoch. */
  nowMs(): number;
}

export const TOKENS_HELP = `Access tokens: who may call the endpoints.

  lqe tokens issue --name NAME [--endpoint E]... [--project P]... [--expires WHEN]
      Make a token and print it, this once; only its SHA-256 digest is kept.
      --name NAME      whom or what the token is for; each token has its own
      --endpoint E     limit the token to this endpoint (id or name); may be repeated
      --project P      limit the token to this project; may be repeated
      --expires WHEN   30d or 12h from now, or an ISO 8601 time (without a zone it is UTC)
  lqe tokens list
      List the tokens with their limits and state.
  lqe tokens show NAME|DIGEST-PREFIX
      Show one token.
  lqe tokens revoke NAME|DIGEST-PREFIX
      Refuse a token from now on; a running service follows within a second.
`;

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/**
 * Runs `lqe tokens` with the arguments after `tokens`. Answers the exit code: 0, 1 when the command failed, 2
 * when it was used wrongly; each failure is one line on stderr. `issue` writes nothing but the token to stdout.
 */
export async function runTokens(argv: readonly string[], io: TokensIo): Promise<number> {
  try {
    await run(argv, io);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      io.stderr.write(`${error.message} See "lqe tokens --help".\n`);
      return EXIT_USAGE;
    }
    if (!(error instanceof ServiceError)) throw error;
    io.stderr.write(`${error.message}\n`);
    return EXIT_FAILED;
  }
}

async function run(argv: readonly string[], io: TokensIo): Promise<void> {
  const { values, positionals } = parse(argv);
  const [command, ...rest] = positionals;
  if (values.help === true) {
    io.stdout.write(TOKENS_HELP);
    return;
  }
  if (command === undefined) throw new UsageError('Name a command: issue, list, show or revoke.');
  if (command !== 'issue') refuseIssueOptions(command, values);
  switch (command) {
    case 'issue':
      takeNone(command, rest);
      return issue(values, io);
    case 'list':
      takeNone(command, rest);
      return list(io);
    case 'show':
      return show(takeOne(command, rest), io);
    case 'revoke':
      return revoke(takeOne(command, rest), io);
    default:
      throw new UsageError(
        `There is no command "${command}"; the commands are issue, list, show and revoke.`,
      );
  }
}

const OPTIONS = {
  name: { type: 'string', multiple: true },
  endpoint: { type: 'string', multiple: true },
  project: { type: 'string', multiple: true },
  expires: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
} as const;

interface Values {
  readonly name?: string[];
  readonly endpoint?: string[];
  readonly project?: string[];
  readonly expires?: string[];
  readonly help?: boolean;
}

function parse(argv: readonly string[]): { values: Values; positionals: string[] } {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (cause) {
    // Node adds advice on arguments that begin with a dash after the first sentence.
    const [line = ''] = types.isNativeError(cause) ? cause.message.split(/\n|(?<=\.) /) : [];
    throw new UsageError(line.endsWith('.') ? line : `${line}.`, { cause });
  }
}

async function issue(values: Values, io: TokensIo): Promise<void> {
  const name = single('name', values.name);
  if (name === undefined) throw new UsageError('"issue" needs --name: whom or what the token is for.');
  const nowMs = io.nowMs();
  const expires = single('expires', values.expires);
  const expiresAtMs = expires === undefined ? null : parseExpiry(expires, nowMs);
  const { token, record } = issueForUser(
    { name, endpoints: values.endpoint ?? null, projects: values.project ?? null, expiresAtMs },
    nowMs,
  );
  await updateTokenFile(io.tokensFile, (tokens) => {
    if (tokens.some((other) => other.name === name)) {
      throw new UsageError(`There is a token named "${name}" already; choose another name.`);
    }
    return [...tokens, record];
  });
  io.stdout.write(`${token}\n`);
  io.stderr.write(`This is the token "${name}". It is shown only now; send it in the header X-API-KEY.\n`);
}

/** A name or a limit that is not accepted is wrong usage. */
function issueForUser(...args: Parameters<typeof issueToken>): ReturnType<typeof issueToken> {
  try {
    return issueToken(...args);
  } catch (cause) {
    throw cause instanceof ServiceError ? new UsageError(cause.message, { cause }) : cause;
  }
}

async function list(io: TokensIo): Promise<void> {
  const tokens = await readTokenFile(io.tokensFile);
  if (tokens.length > 0) io.stdout.write(formatTable(tokens, io.nowMs()));
  else io.stderr.write(`There are no tokens in ${io.tokensFile}.\n`);
}

async function show(selector: string, io: TokensIo): Promise<void> {
  const token = selectToken(await readTokenFile(io.tokensFile), selector);
  io.stdout.write(formatDetails(token, io.nowMs()));
}

async function revoke(selector: string, io: TokensIo): Promise<void> {
  let message = '';
  await updateTokenFile(io.tokensFile, (tokens) => {
    const chosen = selectToken(tokens, selector);
    if (chosen.revokedAtMs !== null) {
      message = `The token "${chosen.name}" was revoked before.`;
      return tokens;
    }
    message = `Revoked the token "${chosen.name}".`;
    return tokens.map((token) => (token === chosen ? { ...token, revokedAtMs: io.nowMs() } : token));
  });
  io.stdout.write(`${message}\n`);
}

function single(option: string, values: readonly string[] | undefined): string | undefined {
  if (values !== undefined && values.length > 1) throw new UsageError(`Give --${option} once.`);
  return values?.[0];
}

function refuseIssueOptions(command: string, values: Values): void {
  const [option] = Object.keys(values);
  if (option !== undefined) throw new UsageError(`"${command}" takes no --${option}.`);
}

function takeNone(command: string, rest: readonly string[]): void {
  if (rest[0] !== undefined) throw new UsageError(`"${command}" takes no "${rest[0]}".`);
}

function takeOne(command: string, rest: readonly string[]): string {
  const [selector, ...more] = rest;
  if (selector === undefined) {
    throw new UsageError(`"${command}" needs a token's name or the beginning of its digest.`);
  }
  if (more.length > 0) throw new UsageError(`"${command}" takes one token; quote a name that has spaces.`);
  return selector;
}
