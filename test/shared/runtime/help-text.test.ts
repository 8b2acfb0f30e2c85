import { describe, expect, test } from '@jest/globals';
import { loadConfig } from '../../../shared/runtime/config.ts';
import { processContext } from '../../../shared/runtime/config-context.ts';
import { helpText, wantsHelp } from '../../../shared/runtime/help-text.ts';
import { SETTINGS, type Setting } from '../../../shared/runtime/settings.ts';

describe('the help', () => {
  test.each(Object.values<Setting>(SETTINGS).map((setting) => [setting.env, setting] as const))(
    'has a line for %s with its option, default and meaning',
    (env, setting) => {
      const [line, ...others] = helpText()
        .split('\n')
        .filter((text) => text.split(/\s+/).includes(env));
      expect(others).toEqual([]);
      expect(line).toContain(`${setting.help} (default: ${setting.fallback})`);
      if (setting.flag !== null) expect(line).toMatch(new RegExp(`^  ${setting.flag}[ ]`));
    },
  );

  test('shows a secret as a variable only', () => {
    expect(helpText()).not.toMatch(/--token /);
    expect(helpText()).toMatch(/^ +LQE_TOKEN /m);
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

  test.each<[readonly string[], boolean]>([
    [['--help'], true],
    [['--port', 'x', '-h'], true],
    [[], false],
    [['--port', '1'], false],
  ])('of %j is asked for: %s', (argv, expected) => {
    expect(wantsHelp(argv)).toBe(expected);
  });
});
