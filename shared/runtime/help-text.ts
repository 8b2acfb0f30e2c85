import { SETTINGS, type Setting } from './settings.ts';

/** The list of options with their environment variables, defaults and meaning, for `--help`. */
export function helpText(): string {
  const rows = Object.values<Setting>(SETTINGS).map((setting) => ({
    option: setting.flag === null ? '' : [setting.flag, setting.kind.placeholder].filter(Boolean).join(' '),
    env: setting.env,
    meaning: `${setting.help} (default: ${setting.fallback})`,
  }));
  const optionWidth = Math.max(...rows.map((row) => row.option.length));
  const envWidth = Math.max(...rows.map((row) => row.env.length));
  return [
    'Options, each also an environment variable; the option wins:',
    ...rows.map((row) => `  ${row.option.padEnd(optionWidth)}  ${row.env.padEnd(envWidth)}  ${row.meaning}`),
    `  ${'-h, --help'.padEnd(optionWidth)}  ${''.padEnd(envWidth)}  Print this and stop`,
    '',
  ].join('\n');
}

/** Whether the arguments ask for the help, which then counts before anything else. */
export function wantsHelp(argv: readonly string[]): boolean {
  return argv.includes('--help') || argv.includes('-h');
}
