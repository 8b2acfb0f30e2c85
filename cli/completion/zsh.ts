import { type Command, HELP_OPTION, type Operand, type Option } from '../commands/command.ts';
import { shellQuote, type Values, valuesOf } from './values.ts';

/** The script for zsh, to be sourced or to lie in a folder of $fpath as _lqe. */
export function zshCompletion(commands: readonly Command[], endpoints: readonly string[]): string {
  return [
    '#compdef lqe',
    '# Completes lqe; made by "lqe completion zsh".',
    '_lqe() {',
    '  if (( CURRENT == 2 )); then',
    '    local -a commands=(',
    ...commands.map(({ name, summary }) => `      ${shellQuote(`${name}:${summary}`)}`),
    '    )',
    "    _describe 'command' commands",
    '    return',
    '  fi',
    '  shift words',
    '  (( CURRENT-- ))',
    '  case $words[1] in',
    ...commands.flatMap((command) => commandCase(command, endpoints)),
    '  esac',
    '}',
    'if [[ $funcstack[1] == _lqe ]]; then _lqe "$@"; else compdef _lqe lqe; fi',
    '',
  ].join('\n');
}

function commandCase({ name, operands, options }: Command, endpoints: readonly string[]): string[] {
  const specs = [
    ...options.map((option) => optionSpec(option, endpoints)),
    ...['-h', HELP_OPTION.flag].map((flag) => `(- *)${flag}[${escaped(HELP_OPTION.help)}]`),
    ...operands.map((operand, index) => operandSpec(operand, index + 1, endpoints)),
  ];
  const lines = specs.map((spec) => `        ${shellQuote(spec)}`);
  return [`    ${name})`, '      _arguments \\', lines.join(' \\\n'), '      ;;'];
}

function optionSpec(option: Option, endpoints: readonly string[]): string {
  const { flag, value, help, isRepeatable } = option;
  const label = `${isRepeatable === true ? '*' : ''}${flag}${value === null ? '' : '='}[${escaped(help)}]`;
  return value === null ? label : `${label}:${escaped(value)}:${action(valuesOf(option, endpoints))}`;
}

function operandSpec(operand: Operand, position: number, endpoints: readonly string[]): string {
  const separator = operand.isRequired ? ':' : '::';
  return `${position}${separator}${escaped(operand.name)}:${action(valuesOf(operand, endpoints))}`;
}

function action(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `(${values.words.join(' ')})`;
    case 'files':
      return '_files';
    case 'folders':
      return '_files -/';
    case 'free':
      return '';
    default: {
      const unreachable: never = values;
      throw new TypeError(`values ${JSON.stringify(unreachable)}`);
    }
  }
}

/** _arguments ends a description at a bracket and a message at a colon. */
function escaped(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, '\\$&');
}
