import { SETTINGS } from '../../shared/runtime/settings.ts';
import type { Command } from './command.ts';
import { settingOption } from './shared-options.ts';

export const NEW: Command = {
  name: 'new',
  summary: 'Write the files of a new endpoint, as a template to edit',
  operands: [
    { name: 'WHAT', isRequired: true, choices: ['endpoint'], help: 'what to make' },
    { name: 'NAME', isRequired: true, help: 'its name, such as errors.by-path' },
  ],
  options: [
    {
      ...settingOption(SETTINGS.queries),
      help: "Folder for NAME.json and NAME.sql (or LQE_QUERIES; default: the checkout's, else ./queries)",
    },
  ],
  notes: [
    'In a checkout it also writes and registers the function that serves the endpoint in the cloud. Existing files are',
    'never replaced. docs/own-endpoints.md describes the next steps.',
    'Exit code 0: written; 2: wrong usage, or a file exists already; then nothing is written.',
  ],
};
