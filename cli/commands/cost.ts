import { SETTINGS } from '../../shared/runtime/settings.ts';
import type { Command, Option } from './command.ts';
import { VOLUME_NUMBERS } from './cost-volumes.ts';
import { settingOption } from './shared-options.ts';

/** The settings that say what the endpoints are. */
export const COST_SETTINGS = ['queries', 'sources'] as const;

const FALLBACKS = {
  retentionDays: "Terraform's retention_days",
  minInstances: "Terraform's min_instances",
  memoryMib: "Terraform's function.memory_mib",
} as const;

const NUMBERS: readonly Option[] = Object.values(VOLUME_NUMBERS).map(({ flag, value, help, fallback }) => ({
  flag,
  value,
  help: `${help} (default: ${typeof fallback === 'number' ? fallback : FALLBACKS[fallback]})`,
}));

export const COST: Command = {
  name: 'cost',
  summary: 'Compute what a month of a deployment costs, from stated volumes',
  operands: [],
  options: [
    ...NUMBERS,
    {
      flag: '--calls',
      value: 'ENDPOINT=N',
      isRepeatable: true,
      help: "Calls of an endpoint's stored query in a month (default: 1000000 of each)",
    },
    {
      flag: '--sets',
      value: '[KIND=]N',
      isRepeatable: true,
      help: 'Sets of parameters that are kept warm; a kind is a value such as daily (default: 10 of the widest window)',
    },
    {
      flag: '--sealed',
      value: 'on|off',
      choices: ['on', 'off'],
      help: 'Whether a refresh reads only the edges of its window and keeps the hours between (default: on)',
    },
    {
      flag: '--partition-by',
      value: 'HOUR|DAY',
      choices: ['HOUR', 'DAY'],
      help: "How finely the log tables are partitioned (default: Terraform's partition_by)",
    },
    {
      flag: '--ingest',
      value: 'load|write-api|pubsub',
      choices: ['load', 'write-api', 'pubsub'],
      help: "How logs are written; pubsub is what Terraform's ingest makes, without its function (default: load)",
    },
    {
      flag: '--share',
      value: 'SOURCE=PERCENT',
      isRepeatable: true,
      help: "A source's part of the logs' bytes, in percent (default: as in the measured logs)",
    },
    {
      flag: '--logs',
      value: 'DIR',
      completes: 'folder',
      help: 'Folder of log files to measure entries in (default: generated demo logs)',
    },
    {
      flag: '--price',
      value: 'NAME=USD',
      isRepeatable: true,
      help: 'A price that replaces the list price; --json shows the names',
    },
    { flag: '--prices', value: 'FILE', completes: 'file', help: 'JSON file of prices by name' },
    ...COST_SETTINGS.map((name) => settingOption(SETTINGS[name])),
    { flag: '--markdown', value: null, help: 'Print tables in Markdown' },
    { flag: '--json', value: null, help: 'Print rows, volumes, prices and bytes by leaf as JSON' },
  ],
  notes: [
    'What a stored query reads is found by analyzing it, and what a column takes by measuring entries. Prices are list prices without tax, discounts and free quotas; no Google service is called. Not counted: building functions and keeping their images, backups of the token database, alerts, and an uptime check.',
    'Exit code 0: computed; 2: wrong usage, or files that cannot be used.',
  ],
};
