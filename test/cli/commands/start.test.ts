import { describe, expect, test } from '@jest/globals';
import { commandHelp } from '../../../cli/arguments/help-text.ts';
import { START } from '../../../cli/commands/start.ts';
import { loadConfig } from '../../../shared/runtime/config.ts';
import { processContext } from '../../../shared/runtime/config-context.ts';
import { SETTINGS, type Setting } from '../../../shared/runtime/settings.ts';

/** The help without its line breaks. */
const help = commandHelp(START).replaceAll(/\s+/g, ' ');

describe('the help of lqe start', () => {
  test.each(Object.values<Setting>(SETTINGS).map((setting) => [setting.env, setting] as const))(
    'has %s with its option, default and meaning',
    (env, { flag, kind, help: meaning, fallback }) => {
      const option = [flag, kind.placeholder].filter(Boolean).join(' ');
      const expected =
        flag === null
          ? `${env} ${meaning} (default: ${fallback})`
          : `${option} ${meaning} (or ${env}; default: ${fallback})`;
      expect(help).toContain(expected);
    },
  );

  test('shows a secret as a variable only', () => {
    expect(help).not.toMatch(/--token /);
    expect(help).toMatch(/ LQE_TOKEN /);
  });

  test('tells the defaults that hold', () => {
    const config = loadConfig([], {}, processContext(true));
    const told = (name: keyof typeof SETTINGS) => SETTINGS[name].fallback;
    expect([told('port'), told('deadline'), told('memoryLimit')].map(Number)).toEqual([
      config.port,
      config.deadlineMs,
      config.memoryLimitMib,
    ]);
    expect([told('host'), told('logLevel')]).toEqual([config.host, config.logLevel]);
    expect(config.tokensFile.endsWith(told('tokens'))).toBe(true);
  });
});
