import type { SettingKind } from '../../shared/runtime/setting-kinds.ts';
import { SETTINGS, type Setting } from '../../shared/runtime/settings.ts';
import type { Option } from './command.ts';

/** The option for a setting of the service, or of the command line alone, as the help writes it. */
export function settingOption(setting: Setting): Option {
  const { flag, env, kind, help, fallback } = setting;
  if (flag === null) throw new TypeError(`${env} is no option`);
  const choices = kind.placeholder?.includes('|') ? kind.placeholder.split('|') : undefined;
  const completes = kind.placeholder === 'FILE' ? 'file' : kind.placeholder === 'DIR' ? 'folder' : undefined;
  return {
    flag,
    value: kind.placeholder,
    help: `${help} (or ${env}; default: ${fallback})`,
    ...(choices === undefined ? {} : { choices }),
    ...(completes === undefined ? {} : { completes }),
  };
}

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
  help: 'Name of the deployment: the variable "name" in terraform.tfvars',
};

/** What every command takes that asks a running service. */
export const SERVICE_OPTIONS: readonly Option[] = [
  {
    flag: '--url',
    value: 'URL',
    help: 'Address of the service (or LQE_URL; default: http://localhost:8080)',
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
  'Exit code 0: answered; 1: the service refused the request; 2: wrong usage; 3: the service cannot be reached or failed in a way that another try may fix (429, 502, 503, 504).',
];
