import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { examplesFor } from '../../explorer/page/examples.js';
import { DEMO_PROJECTS, DEMO_SOURCES } from '../../shared/demo-logs/demo-entries.ts';
import { type RealService, rowsOf, startRealService } from '../data/support/real-service.ts';

const LANGUAGES = ['sql', 'lql'] as const;
const SOURCES = DEMO_SOURCES.map((name) => ({ name, columns: [] }));

let running: RealService;
beforeAll(async () => {
  running = await startRealService('--now', '2026-01-31T12:10:00Z');
});
afterAll(() => running.close());

describe.each(LANGUAGES)('the examples of the page in %s', (language) => {
  const examples = examplesFor(language, SOURCES);

  test('are there', () => expect(examples.length).toBeGreaterThanOrEqual(3));

  describe.each([...DEMO_PROJECTS])('find something in %s', (project) => {
    test.each(examples.map((one) => [one.title, one.query] as const))('%s', async (_, query) => {
      const answer = await running.ask('logs.all', new URLSearchParams({ project, [language]: query }));
      expect(rowsOf(answer).length).toBeGreaterThan(0);
    });
  });

  test('are offered where their source is there', () => {
    const names = new Set(examples.map(({ source }) => source));
    for (const name of names) {
      const offered = examplesFor(
        language,
        SOURCES.filter((one) => one.name !== name),
      );
      expect(offered).toEqual(examples.filter(({ source }) => source !== name));
    }
  });
});
