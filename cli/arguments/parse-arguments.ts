import { printable } from '../../shared/runtime/printable.ts';
import { nearestNames } from '../../shared/sql/text/nearest-names.ts';
import { type Command, HELP_OPTION, type Option } from '../commands/command.ts';
import { UsageError } from './usage-error.ts';

/** What a command was given. */
export interface Arguments {
  readonly wantsHelp: boolean;
  readonly operands: readonly string[];
  /** The value of an option; undefined where it was not given. */
  text(flag: Option['flag']): string | undefined;
  /** All values of an option that may be repeated. */
  texts(flag: Option['flag']): readonly string[];
  /** Whether a switch was given. */
  has(flag: Option['flag']): boolean;
}

/**
 * Reads `--name value`, `--name=value`, switches and operands; after `--` everything is an operand. Throws a
 * UsageError for whatever the command does not know, with the nearest name. Asking for help counts before all else.
 */
export function parseArguments(argv: readonly string[], command: Command): Arguments {
  const wantsHelp = isHelpRequested(argv);
  const values = new Map<string, string[]>();
  const operands: string[] = [];
  const read: Arguments = {
    wantsHelp,
    operands,
    text: (flag) => values.get(flag)?.[0],
    texts: (flag) => values.get(flag) ?? [],
    has: (flag) => values.has(flag),
  };
  if (wantsHelp) return read;

  const flags = new Map<string, Option>([...command.options, HELP_OPTION].map((one) => [one.flag, one]));
  const rest = [...argv];
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (argument === '--') operands.push(...rest.splice(0));
    else if (argument.startsWith('-') && argument !== '-') readOption(argument, rest, flags, values);
    else operands.push(argument);
  }
  checkOperands(operands, command);
  return read;
}

/** Whether the arguments ask for the help, which then counts before anything else. */
export function isHelpRequested(argv: readonly string[]): boolean {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return argv.slice(0, end).some((argument) => ['--help', '-h'].includes(argument));
}

function readOption(
  argument: string,
  rest: string[],
  flags: ReadonlyMap<string, Option>,
  values: Map<string, string[]>,
): void {
  const equals = argument.indexOf('=');
  const flag = equals === -1 ? argument : argument.slice(0, equals);
  const option = flags.get(flag);
  if (option === undefined) throw unknownOption(flag, flags.keys());
  const given = values.get(flag) ?? [];
  if (given.length > 0 && option.isRepeatable !== true) throw new UsageError(`Give ${flag} once.`);
  values.set(flag, [
    ...given,
    readValue(option, equals === -1 ? null : argument.slice(equals + 1), rest, flags),
  ]);
}

function readValue(
  option: Option,
  attached: string | null,
  rest: string[],
  flags: ReadonlyMap<string, Option>,
): string {
  const { flag, value, choices } = option;
  if (value === null) {
    if (attached !== null) throw new UsageError(`${flag} takes no value.`);
    return '';
  }
  // Text may begin with a dash (SQL with a comment does), but an option's name in the place of a value is a slip.
  const isSlip = rest[0] === undefined || flags.has(rest[0].split('=')[0] ?? '');
  const text = attached ?? (isSlip ? undefined : rest.shift());
  if (text === undefined || text === '') throw new UsageError(`${flag} needs a value: ${flag} ${value}.`);
  if (choices !== undefined && !choices.includes(text)) {
    throw new UsageError(`${flag} takes one of ${choices.join(', ')}, not ${printable(text)}.`);
  }
  return text;
}

function unknownOption(flag: string, flags: Iterable<string>): UsageError {
  // A token that was given as an option's name is better not repeated.
  const names = [...flags];
  const [meant = names.find((name) => name.startsWith(`${flag}-`))] = nearestNames(flag, names);
  const hint = meant === undefined ? '.' : `; did you mean ${meant}?`;
  return new UsageError(`There is no option ${printable(flag)}${hint}`);
}

function checkOperands(given: readonly string[], { name, operands }: Command): void {
  const missing = operands.find(({ isRequired }, index) => isRequired && given[index] === undefined);
  if (missing !== undefined) {
    const choices = missing.choices === undefined ? '' : `, one of ${missing.choices.join(', ')}`;
    throw new UsageError(`"${name}" needs ${missing.name}${choices}: ${missing.help}.`);
  }
  for (const [index, text] of given.entries()) {
    const operand = operands[index];
    if (operand === undefined) {
      const isFree = operands.some(
        ({ choices, completes }) => choices === undefined && completes === undefined,
      );
      const hint = isFree ? '; quote a value that has spaces' : '';
      throw new UsageError(`"${name}" takes no ${printable(text)}${hint}.`);
    }
    const { choices } = operand;
    if (choices === undefined || choices.includes(text)) continue;
    const [meant] = nearestNames(text, choices);
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
    throw new UsageError(`${operand.name} is one of ${choices.join(', ')}, not ${printable(text)}.${hint}`);
  }
}
