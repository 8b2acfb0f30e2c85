import { SETTINGS, type Setting } from '../../shared/runtime/settings.ts';
import type { Command } from './command.ts';
import { settingOption } from './environment-options.ts';

export const START: Command = {
  name: 'start',
  summary: 'Serve the endpoints on this machine',
  operands: [],
  options: Object.values<Setting>(SETTINGS)
    .filter(({ flag }) => flag !== null)
    .map(settingOption),
  notes: [],
};
