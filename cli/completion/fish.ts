import { type Command, HELP_OPTION, type Option } from '../commands/command.ts';
import { fishQuote, type Values, valuesOf } from './values.ts';

/** The script for fish. */
export function fishCompletion(commands: readonly Command[], endpoints: readonly string[]): string {
  return [
    '# Completes lqe; made by "lqe completion fish".',
    'complete -c lqe -f',
    `complete -c lqe -s h -l help -d ${fishQuote(HELP_OPTION.help)}`,
    ...commands.map(
      ({ name, summary }) => `complete -c lqe -n __fish_use_subcommand -a ${name} -d ${fishQuote(summary)}`,
    ),
    ...commands.flatMap((command) => commandLines(command, endpoints)),
    '',
  ].join('\n');
}

function commandLines({ name, operands, options }: Command, endpoints: readonly string[]): string[] {
  const prefix = `complete -c lqe -n ${fishQuote(`__fish_seen_subcommand_from ${name}`)}`;
  return [
    ...options.map((option) => `${prefix} ${optionWords(option, endpoints)}`),
    ...operands.flatMap((operand) => {
      const values = valuesOf(operand, endpoints);
      return values.kind === 'words'
        ? [`${prefix} -a ${fishQuote(values.words.join(' '))} -d ${operand.name}`]
        : [];
    }),
  ];
}

function optionWords(option: Option, endpoints: readonly string[]): string {
  const { flag, value, help } = option;
  const described = `-l ${flag.slice(2)} -d ${fishQuote(help)}`;
  return value === null ? described : `${described} ${valueWords(valuesOf(option, endpoints))}`;
}

function valueWords(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `-x -a ${fishQuote(values.words.join(' '))}`;
    case 'files':
      return '-r -F';
    case 'folders':
      return "-x -a '(__fish_complete_directories)'";
    case 'free':
      return '-x';
    default: {
      const unreachable: never = values;
      throw new TypeError(`values ${JSON.stringify(unreachable)}`);
    }
  }
}
