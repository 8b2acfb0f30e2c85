import { type Command, HELP_OPTION } from '../commands/command.ts';
import { shellQuote, type Values, valuesOf } from './values.ts';

/** The script for bash, 3.2 and later. */
export function bashCompletion(commands: readonly Command[], endpoints: readonly string[]): string {
  return [
    '# Completes lqe; made by "lqe completion bash".',
    '_lqe() {',
    "  local IFS=$'\\n'",
    `  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}`,
    '  # Bash takes --name=value for three words.',
    `  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi`,
    '  COMPREPLY=()',
    '  if ((COMP_CWORD == 1)); then',
    `    ${reply(['--help', ...commands.map(({ name }) => name)])}`,
    '    return',
    '  fi',
    '  case "$command $prev" in',
    ...commands.flatMap((command) => valueCases(command, endpoints)),
    '  esac',
    '  if [[ $cur == -* ]]; then',
    '    case $command in',
    ...commands.map(
      ({ name, options }) => `      ${name}) ${reply([...options, HELP_OPTION].map(({ flag }) => flag))} ;;`,
    ),
    '    esac',
    '    return',
    '  fi',
    '  case "$command $COMP_CWORD" in',
    ...commands.flatMap(({ name, operands }) =>
      operands.map(
        (operand, index) =>
          `    ${shellQuote(`${name} ${index + 2}`)}) ${fill(valuesOf(operand, endpoints))} ;;`,
      ),
    ),
    '  esac',
    '}',
    'complete -F _lqe lqe',
    '',
  ].join('\n');
}

function valueCases({ name, options }: Command, endpoints: readonly string[]): string[] {
  return options
    .filter(({ value }) => value !== null)
    .map(
      (option) =>
        `    ${shellQuote(`${name} ${option.flag}`)}) ${fill(valuesOf(option, endpoints))}; return ;;`,
    );
}

function fill(values: Values): string {
  switch (values.kind) {
    case 'words':
      return reply(values.words);
    case 'files':
      return paths('-f');
    case 'folders':
      return paths('-d');
    case 'free':
      return ':';
    default: {
      const unreachable: never = values;
      throw new TypeError(`values ${JSON.stringify(unreachable)}`);
    }
  }
}

function reply(words: readonly string[]): string {
  return `COMPREPLY=($(compgen -W ${shellQuote(words.join('\n'))} -- "$cur"))`;
}

/** compopt came with bash 4; without it folders end in a space. */
function paths(kind: '-f' | '-d'): string {
  return `COMPREPLY=($(compgen ${kind} -- "$cur")); compopt -o filenames 2>/dev/null`;
}
