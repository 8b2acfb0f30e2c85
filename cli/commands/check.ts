import { SETTINGS } from '../../shared/runtime/settings.ts';
import type { Command } from './command.ts';
import { DEPLOYMENT_SETTING, REGION_SETTING, settingOption } from './shared-options.ts';

/** The settings that a check depends on; the others come from the environment alone. */
export const CHECK_SETTINGS = [
  'googleProject',
  'warehouse',
  'bigqueryDataset',
  'logTables',
  'bigqueryLocation',
  'partitionBy',
  'cache',
  'tokenStore',
  'firestoreDatabase',
  'tokenDatabase',
  'tokens',
  'queries',
  'sources',
] as const;

export const CHECK: Command = {
  name: 'check',
  summary: 'List what is missing or wrong in a deployment, with the remedy',
  operands: [],
  options: [
    ...CHECK_SETTINGS.map((name) => settingOption(SETTINGS[name])),
    settingOption(REGION_SETTING),
    settingOption(DEPLOYMENT_SETTING),
    { flag: '--json', value: null, help: 'Print the findings as JSON' },
  ],
  notes: [
    'Settings are read from the environment as the functions read them. It changes nothing. The account in use needs roles/bigquery.metadataViewer, roles/bigquery.jobUser, roles/datastore.viewer and roles/cloudscheduler.viewer; "gcloud auth application-default login" logs in.',
    'Exit code 0: no errors, maybe warnings; 1: errors; 2: wrong usage.',
  ],
};
