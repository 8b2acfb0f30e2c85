import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { commandHelp } from '../../cli/arguments/help-text.ts';
import { COMMANDS } from '../../cli/commands/table.ts';
import { TOKENS_HELP } from '../../cli/tokens/help.ts';
import { ENDPOINT_SETTINGS } from '../../shared/endpoints/endpoint-settings.ts';
import { ERROR_KINDS } from '../../shared/errors/service-error.ts';
import { REQUEST_HEADERS } from '../../shared/http/request/request-headers.ts';
import { ANSWER_HEADERS } from '../../shared/http/response/answer-headers.ts';
import { SETTINGS } from '../../shared/runtime/settings.ts';
import { USER_PAGES } from './support/pages.ts';

/** Idioms that a reader without English as first language has to guess, each with words to use instead. */
const IDIOMS: readonly (readonly [RegExp, string])[] = [
  [/\bhangs? on\b/i, 'depends on'],
  [/\bnobody\b/i, 'no caller, or the passive voice'],
  [/\bthat is none\b/i, 'an invalid …'],
  [
    /\bof (?:its|their|the caller's|your) own(?:$|[.,;:)]| (?:and|or|that|which)\b)/i,
    'its own …, separate, or nothing',
  ],
  [/\bfor who\b/i, 'for the …'],
  [/\bsuch as are\b/i, 'that are'],
  [/\bas \w+ has it\b/i, 'as … defines it'],
  [/\bkept no more\b/i, 'expired, no longer stored'],
  [/\bis told of\b|\btells of\b|\bsays of itself\b/i, 'reports, describes'],
  [/\bown (?:query|queries|SQL)\b/i, 'ad-hoc query'],
  [/\bwhat can stand\b/i, 'possible …'],
  [/\bstands? behind\b|\bright behind\b/i, 'follows, after'],
  [/\b(?:is|are|be) told\b/i, 'is reported, receives'],
  [/\banew\b/i, 'again'],
];

/** The idioms of a text, each with its line. */
function idiomsOf(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      IDIOMS.filter(([idiom]) => idiom.test(line)).map(
        ([, instead]) => `line ${index + 1}: ${line.trim()} (better: ${instead})`,
      ),
    );
}

/** A page without its blocks of code, by the same lines. */
const proseOf = (page: string) =>
  readFileSync(page, 'utf8').replace(/^```.*?^```$/gms, (block) => block.replace(/[^\n]/g, ''));

describe('plain English', () => {
  test.each([...USER_PAGES, 'ARCHITECTURE.md', 'CONTRIBUTING.md'])('is what %s is written in', (page) => {
    expect(idiomsOf(proseOf(page))).toEqual([]);
  });

  test.each(Object.values(COMMANDS).map((command) => [command.name, command] as const))(
    'is what the help of lqe %s is written in',
    (name, command) => {
      expect(idiomsOf(name === 'tokens' ? TOKENS_HELP : commandHelp(command))).toEqual([]);
    },
  );

  test('is what settings, error codes and headers are described in', () => {
    const texts = [
      ...Object.values(SETTINGS).map(({ help }) => help),
      ...Object.values(ENDPOINT_SETTINGS).map(({ means }) => means),
      ...Object.values(ERROR_KINDS).map(({ when }) => when),
      ...Object.values(REQUEST_HEADERS).map(({ description }) => description),
      ...Object.values(ANSWER_HEADERS).map(({ description }) => description),
    ];
    expect(idiomsOf(texts.join('\n'))).toEqual([]);
  });

  test('is what tests are titled in', () => {
    const title = /(?:\b(?:test|it|describe)|\]\)|\))\(\s*(?:'([^'\n]+)'|"([^"\n]+)"),/g;
    const files = globSync('test/**/*.ts').filter((file) => !file.includes('node_modules'));
    const titles = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(title)].map(([, one, other]) => one ?? other ?? ''),
    );
    expect(titles.length).toBeGreaterThan(2000);
    expect(idiomsOf(titles.join('\n'))).toEqual([]);
  });

  test('finds an idiom in a sentence', () => {
    expect(idiomsOf('It works.\nThe answer hangs on the clock.')).toHaveLength(1);
  });
});
