import type { Option } from './command.ts';

/** What every command takes that asks a running service. */
export const SERVICE_OPTIONS: readonly Option[] = [
  {
    flag: '--url',
    value: 'URL',
    help: 'Where the service is (or LQE_URL; default: http://localhost:8080)',
  },
  {
    flag: '--token-file',
    value: 'FILE',
    completes: 'file',
    help: 'File that holds the access token (default: the token in LQE_TOKEN)',
  },
];

/** How every such command ends. */
export const SERVICE_NOTES: readonly string[] = [
  'The access token is never an argument, because command lines show in the list of processes.',
  'Exit code 0: answered; 1: the service refused the request; 2: wrong usage; 3: the service cannot be reached or failed in a way that trying again may mend (429, 502, 503, 504).',
];
