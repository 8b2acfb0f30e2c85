import type { Command } from './command.ts';
import { SERVICE_NOTES, SERVICE_OPTIONS } from './shared-options.ts';

export const ENDPOINTS: Command = {
  name: 'endpoints',
  summary: 'List the endpoints of a service with their parameters and sources',
  operands: [],
  options: [{ flag: '--json', value: null, help: 'Print them as JSON' }, ...SERVICE_OPTIONS],
  notes: [
    'Lists the endpoints that the access token may use. A deployment without the explorer has no list; then the command lists the built-in endpoints and says so.',
    ...SERVICE_NOTES,
  ],
};
