import type { SettingKind } from '../../shared/runtime/setting-kinds.ts';
import { SETTINGS, type Setting } from '../../shared/runtime/settings.ts';

const REGION: SettingKind<string> = {
  placeholder: 'REGION',
  accepts: 'a region of Google Cloud such as europe-west1',
  parse: (text) => (/^[a-z]+(?:-[a-z]+)+[1-9][0-9]?$/.test(text) ? text : undefined),
};

/** The Google Cloud project; every command calls it the same. */
export const GOOGLE_PROJECT_SETTING: Setting<string> = SETTINGS.googleProject;

/** Only the command line has to know it: the functions of a deployment are called, and call nothing of the kind. */
export const REGION_SETTING: Setting<string> = {
  env: 'LQE_REGION',
  flag: '--region',
  kind: REGION,
  fallback: 'none',
  help: 'Region of the functions and of the jobs in Cloud Scheduler',
};
