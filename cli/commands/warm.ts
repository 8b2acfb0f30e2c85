import { SETTINGS } from '../../shared/runtime/settings.ts';
import type { Command } from './command.ts';
import {
  DEPLOYMENT_SETTING,
  GOOGLE_PROJECT_SETTING,
  REGION_SETTING,
  settingOption,
} from './shared-options.ts';

export const WARM: Command = {
  name: 'warm',
  summary: 'Show, run, pause and resume the jobs in Cloud Scheduler that keep results warm',
  operands: [
    {
      name: 'ACTION',
      isRequired: true,
      choices: ['status', 'run', 'pause', 'resume'],
      help: 'status shows the jobs, run makes them call now, pause stops them until resume',
    },
    {
      name: 'ENDPOINT',
      isRequired: false,
      completes: 'endpoint',
      help: 'The endpoint (name or id) of the job; without it, all warmed endpoints',
    },
  ],
  options: [
    settingOption(GOOGLE_PROJECT_SETTING),
    settingOption(REGION_SETTING),
    settingOption(DEPLOYMENT_SETTING),
    settingOption(SETTINGS.queries),
    { flag: '--json', value: null, help: 'Print the jobs as JSON' },
  ],
  notes: [
    'The account in use needs the role roles/cloudscheduler.viewer for status and roles/cloudscheduler.admin for the others; on a laptop, "gcloud auth application-default login" logs in.',
    'Exit code 0: done; 1: a job is missing or could not be reached; 2: wrong usage.',
  ],
};
