import type { Environment } from '../../shared/runtime/config.ts';
import { badValue } from '../../shared/runtime/read-arguments.ts';
import type { Setting } from '../../shared/runtime/settings.ts';
import type { Arguments } from './parse-arguments.ts';
import { UsageError } from './usage-error.ts';

/**
 * The value of a setting from its option, else from its variable, where an empty one counts as not set; undefined for
 * neither. Throws a UsageError that names both.
 */
export function readSetting<T>(setting: Setting<T>, given: Arguments, env: Environment): T | undefined {
  const { flag } = setting;
  const text = (flag === null ? undefined : given.text(flag)) ?? (env[setting.env] || undefined);
  if (text === undefined) return undefined;
  const value = setting.kind.parse(text);
  if (value === undefined) throw new UsageError(`${badValue(setting, text)}.`);
  return value;
}
