import { describe, expect, test } from '@jest/globals';
import { type Arguments, parseArguments } from '../../../cli/arguments/parse-arguments.ts';
import { parseSpan } from '../../../cli/arguments/parse-span.ts';
import { UsageError } from '../../../cli/arguments/usage-error.ts';
import type { Command } from '../../../cli/commands/command.ts';

const COMMAND: Command = {
  name: 'query',
  summary: '',
  operands: [
    { name: 'WHAT', isRequired: true, choices: ['one', 'two'], help: 'which of them' },
    { name: 'MORE', isRequired: false, help: '' },
  ],
  options: [
    { flag: '--text', value: 'TEXT', help: '' },
    { flag: '--many', value: 'TEXT', isRepeatable: true, help: '' },
    { flag: '--kind', value: 'a|b', choices: ['a', 'b'], help: '' },
    { flag: '--on', value: null, help: '' },
  ],
  notes: [],
};
const parse = (...argv: readonly string[]): Arguments => parseArguments(argv, COMMAND);

describe('arguments', () => {
  test.each<[string, readonly string[], string | undefined]>([
    ['apart', ['one', '--text', 'x'], 'x'],
    ['after a sign', ['one', '--text=x=y'], 'x=y'],
    ['that begin with a dash', ['one', '--text', '-'], '-'],
    ['that begin with two', ['one', '--text', '-- a comment\nselect 1'], '-- a comment\nselect 1'],
    ['not given', ['one'], undefined],
    ['after the end of options', ['one', '--', '--text'], undefined],
  ])('have values %s', (_, argv, expected) => {
    expect(parse(...argv).text('--text')).toBe(expected);
  });

  test('are repeated where they may be, and are switches', () => {
    const read = parse('--many', 'a', 'two', '--many=b', '--on');
    expect([read.texts('--many'), read.has('--on'), read.has('--text'), read.operands]).toEqual([
      ['a', 'b'],
      true,
      false,
      ['two'],
    ]);
  });

  test.each([[['--help']], [['-h']], [['one', '--wrong', '-h']]])('%j ask for help', (argv) => {
    expect(parse(...argv).wantsHelp).toBe(true);
  });

  test('after the end of options are no call for help', () => {
    expect(parse('one', '--', '--help')).toMatchObject({ wantsHelp: false, operands: ['one', '--help'] });
  });

  test.each<[string, readonly string[], string]>([
    ['an option that is nearly one', ['one', '--txet', 'x'], "no option '--txet'; did you mean --text?"],
    ['an option that is like none', ['one', '--verbosity'], "no option '--verbosity'."],
    ['a short option', ['one', '-x'], "no option '-x'"],
    ['an option twice', ['one', '--text', 'a', '--text', 'b'], 'Give --text once.'],
    ['no value', ['one', '--text'], '--text needs a value: --text TEXT.'],
    ['an empty value', ['one', '--text='], '--text needs a value'],
    ['an option for a value', ['one', '--text', '--on'], '--text needs a value'],
    ['an option with its value for a value', ['one', '--text', '--kind=a'], '--text needs a value'],
    ['a value for a switch', ['one', '--on=yes'], '--on takes no value.'],
    ['another choice', ['one', '--kind', 'c'], "--kind takes one of a, b, not 'c'."],
    ['no operand', [], '"query" needs WHAT, one of one, two: which of them.'],
    ['another operand', ['tow'], "not 'tow'. Did you mean two?"],
    ['too many operands', ['one', 'x', 'y'], "takes no 'y'; quote a value that has spaces."],
  ])('refuse %s', (_, argv, message) => {
    expect(() => parse(...argv)).toThrow(UsageError);
    expect(() => parse(...argv)).toThrow(message);
  });
});

describe('a time span', () => {
  test.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
  ])('of %s', (text, ms) => expect(parseSpan('--last', text)).toBe(ms));

  test.each(['', '0m', '15', 'm', '1.5h', '-1h', '15 m', '15M', '1w', '9999999s'])('is not %j', (text) => {
    expect(() => parseSpan('--last', text)).toThrow('--last takes a time span');
  });
});
