import { SETTINGS } from '../../shared/runtime/settings.ts';
import type { Command } from './command.ts';
import { settingOption } from './shared-options.ts';

/** What loading logs into a file depends on. */
export const LOAD_SETTINGS = ['database', 'logs', 'skipInvalid', 'sources', 'memoryLimit'] as const;

export const LOAD: Command = {
  name: 'load',
  summary: 'Load log files into a database file, for later starts',
  operands: [],
  options: LOAD_SETTINGS.map((name) => settingOption(SETTINGS[name])),
  notes: [
    'The logs of the folder replace everything in the file. A malformed line stops the load and leaves the file as it was; --skip-invalid skips such lines. "lqe start --database FILE" serves the file.',
    'Exit code 0: loaded; 2: wrong usage, or logs or file that cannot be used; 130 or 143: stopped, file as before.',
  ],
};
