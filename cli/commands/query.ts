import type { Command, Option } from './command.ts';
import { SERVICE_NOTES, SERVICE_OPTIONS } from './shared-options.ts';

/** How the rows are written. */
export const QUERY_FORMATS = ['table', 'json', 'ndjson', 'csv'] as const;

/** What limits the rows of an endpoint that has bounds of time. */
const TIME_OPTIONS: readonly Option[] = [
  {
    flag: '--last',
    value: 'SPAN',
    help: "Only entries of the last 90s, 15m, 24h or 7d, by the service's clock",
  },
  { flag: '--from', value: 'ISO', help: 'Only entries after this instant (iso_timestamp_start)' },
  { flag: '--to', value: 'ISO', help: 'Only entries up to this instant (iso_timestamp_end)' },
];

export const QUERY: Command = {
  name: 'query',
  summary: 'Query an endpoint and print its rows',
  operands: [
    {
      name: 'ENDPOINT',
      isRequired: true,
      completes: 'endpoint',
      help: 'the endpoint, by name or id, such as logs.all',
    },
  ],
  options: [
    { flag: '--project', value: 'PROJECT', help: 'Sets the parameter project of the endpoint' },
    ...TIME_OPTIONS,
    { flag: '--param', value: 'NAME=VALUE', isRepeatable: true, help: 'Any parameter; may be repeated' },
    {
      flag: '--sql',
      value: 'SQL',
      help: "An ad-hoc query in GoogleSQL over the endpoint's sources; - reads it from standard input",
    },
    { flag: '--lql', value: 'LQL', help: 'The same in LQL; - reads it from standard input' },
    { flag: '--all', value: null, help: 'Follow all pages to the last row' },
    { flag: '--explain', value: null, help: 'Print what would run, as JSON, instead of running it' },
    { flag: '--redact', value: null, help: 'Replace IP addresses and other personal data by REDACTED' },
    {
      flag: '--format',
      value: QUERY_FORMATS.join('|'),
      choices: QUERY_FORMATS,
      help: 'How rows are printed (default: table on a terminal, else ndjson)',
    },
    ...SERVICE_OPTIONS,
  ],
  notes: ['Rows go to standard output, everything else to standard error.', ...SERVICE_NOTES],
};
