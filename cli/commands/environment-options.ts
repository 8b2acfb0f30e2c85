import type { Setting } from '../../shared/runtime/settings.ts';
import type { Option } from './command.ts';

/** The option for a setting of the service, or of the command line alone, as the help writes it. */
export function settingOption(setting: Setting): Option {
  const { flag, env, kind, help, fallback } = setting;
  if (flag === null) throw new TypeError(`${env} is no option`);
  const choices = kind.placeholder?.includes('|') ? kind.placeholder.split('|') : undefined;
  const completes = kind.placeholder === 'FILE' ? 'file' : kind.placeholder === 'DIR' ? 'folder' : undefined;
  return {
    flag,
    value: kind.placeholder,
    help: `${help} (or ${env}; default: ${fallback})`,
    ...(choices === undefined ? {} : { choices }),
    ...(completes === undefined ? {} : { completes }),
  };
}
