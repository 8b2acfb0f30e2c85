import type { Environment } from '../../shared/runtime/config.ts';
import { SETTINGS } from '../../shared/runtime/settings.ts';
import { nearestNames } from '../../shared/sql/text/nearest-names.ts';
import { DEPLOYMENT_SETTING, REGION_SETTING } from '../commands/shared-options.ts';

/** Variables of the command line, and of the emulators that stand in for Google's services. */
const OTHER_VARIABLES = [
  DEPLOYMENT_SETTING.env,
  REGION_SETTING.env,
  'LQE_URL',
  'LQE_SCHEDULER_EMULATOR_HOST',
];

/** A variable that looks like a setting and is none. */
export interface UnknownVariable {
  /** Without a stop at the end, as the remedy. */
  readonly problem: string;
  readonly remedy: string;
}

/** Finds misspelt variables, which would have no effect without a message. */
export function unknownVariables(env: Environment): readonly UnknownVariable[] {
  const known = [...Object.values(SETTINGS).map((setting) => setting.env as string), ...OTHER_VARIABLES];
  const unknown = Object.keys(env).filter((name) => name.startsWith('LQE_') && !known.includes(name));
  return unknown.map((name) => {
    const [meant] = nearestNames(name, known);
    return {
      problem: `${name} is not a setting and has no effect`,
      remedy: meant === undefined ? 'remove it' : `rename it to ${meant}, or remove it`,
    };
  });
}
