import { issueToken } from '../shared/access/issue-token.ts';
import type { TokenListing } from '../shared/access/token-registry.ts';
import { ServiceError } from '../shared/errors/service-error.ts';
import {
  parseTokensArguments,
  refuseOtherOptions,
  single,
  takeNone,
  takeOne,
  type Values,
} from './tokens/arguments.ts';
import { formatDetails, formatJson, formatTable } from './tokens/format-tokens.ts';
import { TOKENS_HELP } from './tokens/help.ts';
import { type OpenRegistry, openRegistry } from './tokens/open-registry.ts';
import { parseExpiry } from './tokens/parse-expiry.ts';
import { parseLimits } from './tokens/parse-limits.ts';
import { selectToken } from './tokens/select-token.ts';
import { chooseStore } from './tokens/store-choice.ts';
import { UsageError } from './tokens/usage-error.ts';

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

/** What a command works on. */
interface Context extends OpenRegistry {
  readonly values: Values;
  readonly io: TokensIo;
}

async function run(argv: readonly string[], io: TokensIo): Promise<void> {
  const { values, positionals } = parseTokensArguments(argv);
  if (values.help === true) {
    io.stdout.write(TOKENS_HELP);
    return;
  }
  const command = prepare(positionals, values);
  const choice = chooseStore(
    {
      store: single('store', values),
      googleProject: single('google-project', values),
      firestoreDatabase: single('firestore-database', values),
    },
    io.env,
  );
  const opened = openRegistry(choice, io.tokensFile, io.env);
  try {
    await command({ ...opened, values, io });
  } finally {
    await opened.registry.close();
  }
}

/** The command that the arguments name, with all of them checked before anything is opened. */
function prepare(positionals: readonly string[], values: Values): (context: Context) => Promise<void> {
  const [command, ...rest] = positionals;
  if (command === undefined) throw new UsageError('Name a command: issue, list, show or revoke.');
  refuseOtherOptions(command, values);
  switch (command) {
    case 'issue':
      takeNone(command, rest);
      return issue;
    case 'list':
      takeNone(command, rest);
      return list;
    case 'show': {
      const selector = takeOne(command, rest);
      return (context) => show(selector, context);
    }
    case 'revoke': {
      const selector = takeOne(command, rest);
      return (context) => revoke(selector, context);
    }
    default:
      throw new UsageError(
        `There is no command "${command}"; the commands are issue, list, show and revoke.`,
      );
  }
}

async function issue({ values, io, registry }: Context): Promise<void> {
  const name = single('name', values);
  if (name === undefined) throw new UsageError('"issue" needs --name: whom or what the token is for.');
  const nowMs = io.nowMs();
  const expires = single('expires', values);
  const expiresAtMs = expires === undefined ? null : parseExpiry(expires, nowMs);
  const limits = parseLimits({
    maxRows: single('max-rows', values),
    maxBytes: single('max-bytes', values),
    maxWindow: single('max-window', values),
    requestsPerMinute: single('requests-per-minute', values),
  });
  const { token, record } = issueForUser(
    { name, endpoints: values.endpoint ?? null, projects: values.project ?? null, expiresAtMs, limits },
    nowMs,
  );
  if ((await registry.add(record)) === 'name_taken') {
    throw new UsageError(`There is a token named "${name}" already; choose another name.`);
  }
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

async function list(context: Context): Promise<void> {
  const { values, io, place } = context;
  const { tokens } = await readAll(context);
  if (values.json === true) io.stdout.write(formatJson(tokens, io.nowMs()));
  else if (tokens.length > 0) io.stdout.write(formatTable(tokens, io.nowMs()));
  else io.stderr.write(`There are no tokens in ${place}.\n`);
}

async function show(selector: string, context: Context): Promise<void> {
  const { values, io } = context;
  const token = selectToken((await readAll(context)).tokens, selector);
  io.stdout.write((values.json === true ? formatJson : formatDetails)(token, io.nowMs()));
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

/** All tokens; what is wrong with others is told on stderr. */
async function readAll({ registry, io }: Context): Promise<TokenListing> {
  const listing = await registry.list();
  for (const problem of listing.problems) io.stderr.write(`${problem}\n`);
  return listing;
}
