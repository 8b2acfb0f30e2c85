import { nearestNames } from '../sql/text/nearest-names.ts';
import { printable } from './printable.ts';
import { SETTINGS, type Setting, type SettingName, settingLabel } from './settings.ts';

/** The text given for each setting on the command line; `faults` has a line for each argument that is wrong. */
export interface ReadArguments {
  readonly texts: ReadonlyMap<SettingName, string>;
  readonly faults: readonly string[];
}

const BY_FLAG = new Map(
  (Object.entries(SETTINGS) as [SettingName, Setting][]).flatMap(([name, setting]) =>
    setting.flag === null ? [] : [[setting.flag as string, name] as const],
  ),
);

/** Reads `--name value`, `--name=value` and switches. A value that starts with `--` needs the second form. */
export function readArguments(argv: readonly string[]): ReadArguments {
  const texts = new Map<SettingName, string>();
  const faults: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index] ?? '';
    if (!argument.startsWith('-') || argument === '-' || argument === '--') {
      faults.push(
        `Unexpected argument ${printable(argument)}: every setting is given as --name value (see --help)`,
      );
      continue;
    }
    const equals = argument.indexOf('=');
    const flag = equals === -1 ? argument : argument.slice(0, equals);
    const name = BY_FLAG.get(flag);
    const isSwitch = name !== undefined && SETTINGS[name].kind.placeholder === null;
    let text = equals === -1 ? undefined : argument.slice(equals + 1);
    if (text === undefined && !isSwitch && argv[index + 1]?.startsWith('--') === false) {
      index++;
      text = argv[index];
    }
    if (name === undefined) faults.push(unknownOption(flag));
    else if (texts.has(name)) faults.push(`${flag} is given twice; give it once`);
    else texts.set(name, text ?? (isSwitch ? 'true' : ''));
  }
  return { texts, faults };
}

function unknownOption(flag: string): string {
  const secret = Object.values<Setting>(SETTINGS).find(
    (setting) => setting.flag === null && `--${setting.env.slice(4).toLowerCase()}` === flag,
  );
  if (secret !== undefined) {
    return `There is no option ${flag}, because command lines show in the list of processes; set ${secret.env} instead`;
  }
  const [meant] = nearestNames(flag, BY_FLAG.keys());
  return `There is no option ${printable(flag)}${meant === undefined ? ' (see --help)' : `; did you mean ${meant}?`}`;
}

/** The complaint about a value that its setting does not accept. Secrets are not repeated. */
export function badValue(setting: Setting, text: string): string {
  const given =
    text === ''
      ? 'nothing'
      : setting.flag === null
        ? `a value of ${text.length} characters`
        : (setting.kind.problem?.(text) ?? printable(text));
  return `${settingLabel(setting)} was given ${given}; it takes ${setting.kind.accepts}`;
}
