import { issueToken } from '../shared/access/issue-token.ts';
import type { TokenListing } from '../shared/access/token-registry.ts';
import { ServiceError } from '../shared/errors/service-error.ts';
import { loadConfig } from '../shared/runtime/config.ts';
import { processContext } from '../shared/runtime/config-context.ts';
import { type Arguments, parseArguments } from './arguments/parse-arguments.ts';
import { UsageError } from './arguments/usage-error.ts';
import { TOKENS } from './commands/tokens.ts';
import { exitWhenFlushed } from './terminal/end-process.ts';
import { refuseOperand, refuseOtherOptions, requireOperand } from './tokens/arguments.ts';
import { formatDetails, formatJson, formatTable } from './tokens/format-tokens.ts';
import { TOKENS_HELP } from './tokens/help.ts';
import { type OpenRegistry, openRegistry } from './tokens/open-registry.ts';
import { parseExpiry } from './tokens/parse-expiry.ts';
import { parseLimits } from './tokens/parse-limits.ts';
import { selectToken } from './tokens/select-token.ts';
import { chooseStore } from './tokens/store-choice.ts';

/** What `lqe tokens` reads and writes besides the store of tokens. */
export interface TokensIo {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** The path of the file that holds the tokens' digests, where they are in one. */
  readonly tokensFile: string;
  /** The environment, for what the options leave open. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  nowMs(): number;
}

const EXIT_FAILED = 1;

/**
 * Runs `lqe tokens` with the arguments after `tokens`. Answers the exit code: 0, or 1 when the command failed, which is
 * one line on stderr. Throws a UsageError. `issue` writes nothing but the token to stdout.
 */
export async function runTokens(argv: readonly string[], io: TokensIo): Promise<number> {
  try {
    await run(argv, io);
    return 0;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    io.stderr.write(`${error.message}\n`);
    return EXIT_FAILED;
  }
}

/** What a command works on. */
interface Context extends OpenRegistry {
  readonly given: Arguments;
  readonly io: TokensIo;
}

async function run(argv: readonly string[], io: TokensIo): Promise<void> {
  const given = parseArguments(argv, TOKENS);
  if (given.wantsHelp) {
    io.stdout.write(TOKENS_HELP);
    return;
  }
  const command = prepare(given);
  const choice = chooseStore(
    {
      store: given.text('--store'),
      googleProject: given.text('--google-project'),
      tokenDatabase: given.text('--token-database'),
    },
    io.env,
  );
  const opened = openRegistry(choice, io.tokensFile, io.env);
  try {
    await command({ ...opened, given, io });
  } finally {
    await opened.registry.close();
  }
}

/** The command that the arguments name, with all of them checked before anything is opened. */
function prepare(given: Arguments): (context: Context) => Promise<void> {
  const [action = '', operand] = given.operands;
  refuseOtherOptions(action, given);
  switch (action) {
    case 'issue':
      refuseOperand(action, operand);
      return issue;
    case 'list':
      refuseOperand(action, operand);
      return list;
    case 'show': {
      const selector = requireOperand(action, operand);
      return (context) => show(selector, context);
    }
    case 'revoke': {
      const selector = requireOperand(action, operand);
      return (context) => revoke(selector, context);
    }
    default:
      throw new TypeError(`action ${action}`);
  }
}

async function issue({ given, io, registry }: Context): Promise<void> {
  const name = given.text('--name');
  if (name === undefined) throw new UsageError('"issue" needs --name: whom or what the token is for.');
  const nowMs = io.nowMs();
  const expires = given.text('--expires');
  const expiresAtMs = expires === undefined ? null : parseExpiry(expires, nowMs);
  const limits = parseLimits({
    maxRows: given.text('--max-rows'),
    maxBytes: given.text('--max-bytes'),
    maxWindow: given.text('--max-window'),
    requestsPerMinute: given.text('--requests-per-minute'),
    sqlDeadline: given.text('--sql-deadline'),
    cpuPerMinute: given.text('--cpu-per-minute'),
  });
  const { token, record } = issueForUser(
    {
      name,
      endpoints: some(given.texts('--endpoint')),
      projects: some(given.texts('--project')),
      writes: some(given.texts('--write')),
      expiresAtMs,
      limits,
    },
    nowMs,
  );
  if ((await registry.add(record)) === 'name_taken') {
    throw new UsageError(`There is a token named "${name}" already; choose another name.`);
  }
  io.stdout.write(`${token}\n`);
  io.stderr.write(`This is the token "${name}". It is shown only now; send it in the header X-API-KEY.\n`);
}

/** What an option that may be repeated was given; null where it was not, for no limit. */
function some(values: readonly string[]): readonly string[] | null {
  return values.length === 0 ? null : values;
}

/** A name or a limit that is not accepted is wrong usage. */
function issueForUser(...args: Parameters<typeof issueToken>): ReturnType<typeof issueToken> {
  try {
    return issueToken(...args);
  } catch (cause) {
    throw cause instanceof ServiceError ? new UsageError(cause.message, { cause }) : cause;
  }
}

async function list(context: Context): Promise<void> {
  const { given, io, place } = context;
  const { tokens } = await readAll(context);
  if (given.has('--json')) io.stdout.write(formatJson(tokens, io.nowMs()));
  else if (tokens.length > 0) io.stdout.write(formatTable(tokens, io.nowMs()));
  else io.stderr.write(`There are no tokens in ${place}.\n`);
}

async function show(selector: string, context: Context): Promise<void> {
  const { given, io } = context;
  const token = selectToken((await readAll(context)).tokens, selector);
  io.stdout.write((given.has('--json') ? formatJson : formatDetails)(token, io.nowMs()));
}

async function revoke(selector: string, context: Context): Promise<void> {
  const { registry, io, holds } = context;
  const { name, digest } = selectToken((await readAll(context)).tokens, selector);
  const outcome = await registry.revoke(digest, io.nowMs());
  switch (outcome) {
    case 'revoked':
      io.stdout.write(`Revoked the token "${name}"; running services refuse it ${holds}.\n`);
      return;
    case 'revoked_before':
      io.stdout.write(`The token "${name}" was revoked before.\n`);
      return;
    case 'unknown':
      throw new ServiceError('not_found', `The token "${name}" was deleted just now.`);
    default: {
      const unreachable: never = outcome;
      throw new TypeError(`outcome ${JSON.stringify(unreachable)}`);
    }
  }
}

/** All valid tokens; what is wrong with others is printed on stderr. */
async function readAll({ registry, io }: Context): Promise<TokenListing> {
  const listing = await registry.list();
  for (const problem of listing.problems) io.stderr.write(`${problem}\n`);
  return listing;
}

/** `lqe tokens` on the store that the options or the environment choose. */
export async function runTokensCommand(argv: readonly string[], process: NodeJS.Process): Promise<number> {
  const { env, stdout, stderr } = process;
  const { tokensFile } = loadConfig([], { LQE_TOKENS: env.LQE_TOKENS }, processContext(false));
  const code = await runTokens(argv, { stdout, stderr, tokensFile, env, nowMs: Date.now });
  // Firestore's client goes on with a call that was given up, and would keep the process for minutes.
  if (code !== 0) await exitWhenFlushed(process, code);
  return code;
}
