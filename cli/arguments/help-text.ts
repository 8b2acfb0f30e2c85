import { type Command, HELP_OPTION, type Operand, type Option } from '../commands/command.ts';

/** The list of commands, for `lqe --help`. */
export function overview(commands: readonly Command[]): string {
  const rows = commands.map(({ name, summary }): [string, string] => [`lqe ${name}`, summary]);
  return [
    'Usage: lqe <command> [options]',
    '',
    ...aligned(rows),
    '',
    '"lqe <command> --help" tells what a command takes, "lqe --version" the version.',
    '',
  ].join('\n');
}

/** What a command does and takes, for `lqe <command> --help`. */
export function commandHelp(command: Command): string {
  const { name, summary, operands, options, notes } = command;
  const usage = ['lqe', name, ...operands.map(operandUsage), '[options]'].join(' ');
  const rows = [...options, HELP_OPTION].map((option): [string, string] => [
    optionUsage(option),
    option.help,
  ]);
  return [
    `Usage: ${usage}`,
    '',
    `${summary}.`,
    ...(operands.length === 0 ? [] : ['', ...aligned(operands.map((one) => [one.name, one.help]))]),
    '',
    'Options:',
    ...aligned(rows),
    ...(notes.length === 0 ? [] : ['', ...notes]),
    '',
  ].join('\n');
}

function operandUsage({ name, isRequired, choices }: Operand): string {
  const text = choices === undefined ? name : choices.join('|');
  return isRequired ? text : `[${text}]`;
}

function optionUsage({ flag, value }: Option): string {
  if (flag === HELP_OPTION.flag) return `-h, ${flag}`;
  return value === null ? flag : `${flag} ${value}`;
}

function aligned(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
