import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { countGenerated, GENERATED_PAGES, regenerate, withWrongNumbers } from './support/generated-tables.ts';

describe.each([...GENERATED_PAGES])('%s', (page) => {
  const text = readFileSync(page, 'utf8');

  test('has tables that commands make', () => expect(countGenerated(text)).toBeGreaterThanOrEqual(2));

  test('has them as the commands make them now; else run "npm run docs:tables"', async () => {
    // With numbers that are wrong in each row, so that what stands there can only come from the commands.
    const changed = withWrongNumbers(text);
    expect(changed).not.toBe(text);
    expect(await regenerate(changed)).toBe(text);
  }, 900_000);
});
