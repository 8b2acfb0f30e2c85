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

const DEPLOYMENT: SettingKind<string> = {
  placeholder: 'NAME',
  accepts: 'the variable "name" of the deployment: 2 to 16 lower-case letters, digits and hyphens',
  parse: (text) => (/^[a-z][a-z0-9-]{0,14}[a-z0-9]$/.test(text) ? text : undefined),
};

/** What a deployment is called where the variable `name` in terraform/ is left out. */
export const DEFAULT_DEPLOYMENT = 'lqe';

/** Only the command line has to know it, for the names of the jobs. */
export const DEPLOYMENT_SETTING: Setting<string> = {
  env: 'LQE_DEPLOYMENT',
  flag: '--deployment',
  kind: DEPLOYMENT,
  fallback: DEFAULT_DEPLOYMENT,
  help: 'Name of the deployment, as the variable "name" in terraform.tfvars has it',
};
