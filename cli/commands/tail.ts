import type { Command } from './command.ts';
import { SERVICE_NOTES, SERVICE_OPTIONS } from './shared-options.ts';

/** How new entries are written. */
export const TAIL_FORMATS = ['text', 'ndjson'] as const;

export const TAIL: Command = {
  name: 'tail',
  summary: 'Print new log entries as they come',
  operands: [
    {
      name: 'ENDPOINT',
      isRequired: true,
      completes: 'endpoint',
      help: 'an endpoint whose sources have id and timestamp, such as logs.all',
    },
  ],
  options: [
    { flag: '--project', value: 'PROJECT', help: 'Sets the parameter project of the endpoint' },
    {
      flag: '--param',
      value: 'NAME=VALUE',
      isRepeatable: true,
      help: 'Any other parameter; may be repeated',
    },
    {
      flag: '--source',
      value: 'SOURCE',
      help: 'The source to follow (default: edge_logs, or the f: of --lql)',
    },
    { flag: '--lql', value: 'LQL', help: 'Only entries that match a query in LQL; without s: and c:' },
    { flag: '--lines', value: 'N', help: 'Number of newest entries to print first, 0 to 100 (default: 10)' },
    {
      flag: '--interval',
      value: 'SPAN',
      help: 'Time between two requests, 1s or more (default: 5s, half a second where the service is on this machine)',
    },
    {
      flag: '--late',
      value: 'SPAN',
      help: 'How late an entry may arrive and still be shown (default: 60s)',
    },
    { flag: '--redact', value: null, help: 'Replace IP addresses and other personal data by REDACTED' },
    {
      flag: '--format',
      value: TAIL_FORMATS.join('|'),
      choices: TAIL_FORMATS,
      help: 'How entries are printed (default: text on a terminal, else ndjson)',
    },
    ...SERVICE_OPTIONS,
  ],
  notes: [
    'Each entry is printed once. While the service fails temporarily, tail tries again with growing pauses and then continues where it stopped. Ctrl-C ends it, with exit code 0.',
    ...SERVICE_NOTES,
  ],
};
