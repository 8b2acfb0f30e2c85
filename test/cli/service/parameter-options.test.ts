import { expect, test } from '@jest/globals';
import type { Command } from '../../../cli/commands/command.ts';
import { QUERY } from '../../../cli/commands/query.ts';
import { TAIL } from '../../../cli/commands/tail.ts';
import { withOptions } from '../../../cli/service/parameter-options.ts';

test.each<[string, Command, string]>([
  ["Parameter 'project' is missing or empty.", QUERY, '--project is missing or empty.'],
  ["Parameter 'project' is missing or empty.", TAIL, '--project is missing or empty.'],
  ["Parameter 'iso_timestamp_start' is not valid.", QUERY, '--from is not valid.'],
  ["Parameter 'iso_timestamp_start' is not valid.", TAIL, '--param iso_timestamp_start=… is not valid.'],
  ["Parameter 'lql' is longer than that.", QUERY, '--lql is longer than that.'],
  [
    "Parameter 'interval' is missing or empty. It accepts a or b, for example interval=a. Parameter 'project' is missing or empty, for example project=demo.",
    QUERY,
    '--param interval=… is missing or empty. It accepts a or b, for example --param interval=a. --project is missing or empty, for example --project demo.',
  ],
  ["Parameter 'constructor' is unknown.", QUERY, '--param constructor=… is unknown.'],
  ['The service is busy.', QUERY, 'The service is busy.'],
])('%s', (message, command, expected) => {
  expect(withOptions(message, [], command)).toBe(expected);
});

test('a message that does not name its parameter is followed by the option', () => {
  expect(withOptions('Too far back.', [{ parameter: 'iso_timestamp_start' }], QUERY)).toBe(
    'Too far back. (--from)',
  );
});

test('a parameter within the query is not an option', () => {
  const details = [{ parameter: 'x', line: 1, column: 2 }];
  expect(withOptions('@x is unknown.', details, QUERY)).toBe('@x is unknown.');
});

test('values to send for a window that fits are given with their options', () => {
  const window = { seconds: 3600, duration: 'PT1H', isVerified: true };
  const within = (parameters: Readonly<Record<string, string>>) => [
    { parameter: 'iso_timestamp_start', longestWindow: { ...window, parameters } },
  ];
  const bounds = { iso_timestamp_start: 'A', iso_timestamp_end: 'B' };
  expect(
    withOptions('Too much: send iso_timestamp_start=A and iso_timestamp_end=B; x=1.', within(bounds), QUERY),
  ).toBe('Too much: send --from A and --to B; x=1.');
  expect(withOptions('Send interval=a or interval=b.', within({ interval: 'a' }), QUERY)).toBe(
    'Send --param interval=a or --param interval=b.',
  );
});
