import { parseArgs, types } from 'node:util';
import { UsageError } from './usage-error.ts';

/** The options of every command; all others are those of `issue`, and `json` that of `list` and `show`. */
const STORE_OPTIONS = ['store', 'google-project', 'firestore-database'] as const;
const TEXT = { type: 'string', multiple: true } as const;
const OPTIONS = {
  name: TEXT,
  endpoint: TEXT,
  project: TEXT,
  expires: TEXT,
  'max-rows': TEXT,
  'max-bytes': TEXT,
  'max-window': TEXT,
  'requests-per-minute': TEXT,
  store: TEXT,
  'google-project': TEXT,
  'firestore-database': TEXT,
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type TextOption = Exclude<keyof typeof OPTIONS, 'json' | 'help'>;
/** What the options were given. */
export type Values = { readonly [Option in TextOption]?: string[] } & {
  readonly json?: boolean;
  readonly help?: boolean;
};

const OWN_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  issue: Object.keys(OPTIONS).filter((option) => option !== 'json'),
  list: ['json', ...STORE_OPTIONS],
  show: ['json', ...STORE_OPTIONS],
  revoke: STORE_OPTIONS,
};

/** Takes the arguments apart. Throws a UsageError, as all functions here do. */
export function parseTokensArguments(argv: readonly string[]): { values: Values; positionals: string[] } {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (cause) {
    // Node adds advice on arguments that begin with a dash after the first sentence.
    const [line = ''] = types.isNativeError(cause) ? cause.message.split(/\n|(?<=\.) /) : [];
    throw new UsageError(line.endsWith('.') ? line : `${line}.`, { cause });
  }
}

/** The value of an option that may be given once. */
export function single(option: TextOption, values: Values): string | undefined {
  const given = values[option];
  if (given !== undefined && given.length > 1) throw new UsageError(`Give --${option} once.`);
  return given?.[0];
}

/** Refuses the options that belong to other commands; a command that does not exist has none to refuse. */
export function refuseOtherOptions(command: string, values: Values): void {
  const own = OWN_OPTIONS[command];
  const other = own === undefined ? undefined : Object.keys(values).find((option) => !own.includes(option));
  if (other !== undefined) throw new UsageError(`"${command}" takes no --${other}.`);
}

/** Refuses whatever follows a command that takes nothing. */
export function takeNone(command: string, rest: readonly string[]): void {
  if (rest[0] !== undefined) throw new UsageError(`"${command}" takes no "${rest[0]}".`);
}

/** The one token that a command is about. */
export function takeOne(command: string, rest: readonly string[]): string {
  const [selector, ...more] = rest;
  if (selector === undefined) {
    throw new UsageError(`"${command}" needs a token's name or the beginning of its digest.`);
  }
  if (more.length > 0) throw new UsageError(`"${command}" takes one token; quote a name that has spaces.`);
  return selector;
}
