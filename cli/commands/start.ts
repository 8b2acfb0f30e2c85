import { SETTINGS, type Setting } from '../../shared/runtime/settings.ts';
import { definitions } from '../arguments/help-text.ts';
import type { Command } from './command.ts';
import { settingOption } from './shared-options.ts';

const SECRETS = Object.values<Setting>(SETTINGS).filter(({ flag }) => flag === null);

export const START: Command = {
  name: 'start',
  summary: 'Serve the endpoints on this machine',
  operands: [],
  options: Object.values<Setting>(SETTINGS)
    .filter(({ flag }) => flag !== null)
    .map(settingOption),
  notes: [
    'Every option is also the environment variable beside it; the option wins. Secrets can only be variables, because command lines show in the list of processes:',
    definitions(SECRETS.map(({ env, help, fallback }) => [env, `${help} (default: ${fallback})`])).join('\n'),
    'Ctrl-C stops the service when its running requests have ended, or after 5 seconds, with exit code 0; a second Ctrl-C stops it at once. Exit code 2: a setting or a file cannot be used.',
  ],
};
