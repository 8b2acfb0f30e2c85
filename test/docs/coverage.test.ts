import { existsSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { EXAMPLE_TESTS, type Example, examplesOf, NOT_TESTED } from './support/example-tests.ts';
import { PAGES } from './support/pages.ts';

const isListed = (example: Example) =>
  NOT_TESTED.some(({ page, begins }) => page === example.page && example.text.startsWith(begins));
const isTested = (example: Example) => EXAMPLE_TESTS.some(({ takes }) => takes(example));
const examples = PAGES.flatMap(examplesOf);

describe('the examples of the pages', () => {
  test.each([...PAGES])('are tested, or listed with a reason: %s', (page) => {
    const others = examplesOf(page).filter((example) => !isTested(example) && !isListed(example));
    expect(others.map(({ line, text }) => [line, text])).toEqual([]);
  });

  test('are not listed where a test takes them', () => {
    const both = examples.filter((example) => isTested(example) && isListed(example));
    expect(both.map(({ page, line }) => [page, line])).toEqual([]);
  });

  test.each(NOT_TESTED.map(({ page, begins }) => [page, begins] as const))(
    'are there where they are listed: %s, %s',
    (page, begins) => {
      expect(examplesOf(page).some(({ text }) => text.startsWith(begins))).toBe(true);
    },
  );

  test.each(EXAMPLE_TESTS.map((one) => [one.file, one] as const))('are taken by %s', (file, { takes }) => {
    expect(existsSync(file)).toBe(true);
    expect(examples.filter(takes).length).toBeGreaterThan(0);
  });
});
