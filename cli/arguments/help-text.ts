import { type Command, HELP_OPTION, type Operand, type Option } from '../commands/command.ts';

/** Characters that a line of help has at most: the width of a terminal as it opens. */
const WIDTH = 80;

/** Longer names stand on a separate line, above their meaning. */
const MAX_NAME = 24;
const INDENT = 2;
const GAP = 2;

/** The list of commands, for `lqe --help`. */
export function overview(commands: readonly Command[]): string {
  const rows = commands.map(({ name, summary }): [string, string] => [`lqe ${name}`, summary]);
  return textOf([
    'Usage: lqe <command> [options]',
    '',
    ...definitions(rows),
    '',
    ...paragraph('"lqe <command> --help" lists what a command takes, "lqe --version" prints the version.'),
  ]);
}

/** What a command does and takes, for `lqe <command> --help`. */
export function commandHelp(command: Command): string {
  const { name, summary, operands, options, notes } = command;
  const usage = ['lqe', name, ...operands.map(operandUsage), '[options]'].join(' ');
  const rows = [...options, HELP_OPTION].map((option): [string, string] => [
    optionUsage(option),
    option.help,
  ]);
  return textOf([
    `Usage: ${usage}`,
    '',
    ...paragraph(`${summary}.`),
    ...(operands.length === 0 ? [] : ['', ...definitions(operands.map((one) => [one.name, one.help]))]),
    '',
    'Options:',
    ...definitions(rows),
    ...notes.flatMap((note) => ['', ...paragraph(note)]),
  ]);
}

/** Names with what they mean beside them, in two columns. */
export function definitions(rows: readonly (readonly [string, string])[]): readonly string[] {
  const short = rows.map(([name]) => name.length).filter((length) => length <= MAX_NAME);
  const column = INDENT + Math.max(0, ...short) + GAP;
  return rows.flatMap(([name, meaning]) => {
    const lines = wrap(meaning, WIDTH - column).map((line) => ' '.repeat(column) + line);
    const head = ' '.repeat(INDENT) + name;
    const [first = '', ...more] = lines;
    return head.length + GAP <= column ? [head + first.slice(head.length), ...more] : [head, ...lines];
  });
}

/** Text in lines that fit. A text that begins with a space keeps its lines as they are: it is an example. */
export function paragraph(text: string): readonly string[] {
  return text.startsWith(' ') ? text.split('\n') : wrap(text, WIDTH);
}

/** Breaks at spaces; a word that is longer than a line stays whole. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
  }
  return lines;
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

function operandUsage({ name, isRequired, choices }: Operand): string {
  const text = choices === undefined ? name : choices.join('|');
  return isRequired ? text : `[${text}]`;
}

function optionUsage({ flag, value }: Option): string {
  if (flag === HELP_OPTION.flag) return `-h, ${flag}`;
  return value === null ? flag : `${flag} ${value}`;
}
