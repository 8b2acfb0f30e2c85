import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { type OpenOptions, useBrowser } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import { answered, DAY, parts, runQuery } from './support/explorer.ts';

const open = useBrowser();
const NARROW = { width: 400, height: 800 };
const USAGE = { endpoint: 'usage.api-counts', project: 'demo', 'p.interval': 'minutely' };

/** What axe finds, one line for each element. */
async function faults(page: Page): Promise<readonly string[]> {
  const axe = await readFile(new URL('node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
  // Evaluated by the debugger, which the page's policy does not bind.
  await page.evaluate(axe);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, target }) => `${id}: ${target} ${html.slice(0, 120)}`),
  );
}

const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

/** Few rows: axe looks at each element, and they are all alike. */
const FEW = {
  ...DAY,
  sql: 'select id, timestamp, event_message, metadata from edge_logs order by timestamp limit 3',
};

describe('axe finds no fault', () => {
  const states: [string, OpenOptions, (page: Page) => Promise<unknown>][] = [
    ['in rows and a histogram', { question: FEW }, async (page) => answered(page)],
    [
      'in a row that is unfolded',
      { question: FEW },
      async (page) => {
        await answered(page);
        await parts(page).lines.first().click();
      },
    ],
    ['in a chart', { question: { ...USAGE, 'p.interval': 'daily' } }, async (page) => answered(page)],
    [
      'in an error',
      { question: { ...DAY, sql: 'select nope from edge_logs' }, expects: [400] },
      (page) => parts(page).problem.waitFor(),
    ],
    [
      'in rows of the query before an error',
      { question: FEW, expects: [400] },
      async (page) => {
        await answered(page);
        await runQuery(page, 'select nope from edge_logs');
        await page.locator('#result.stale').waitFor();
      },
    ],
    [
      'in the menu of queries',
      { question: FEW },
      async (page) => {
        await answered(page);
        await page.locator('#queries summary').click();
      },
    ],
    [
      'in the menu of columns',
      { question: FEW },
      async (page) => {
        await answered(page);
        await page.locator('#columns summary').click();
      },
    ],
    [
      'in the values of a field',
      { question: FEW },
      async (page) => {
        await answered(page);
        await page.locator('.source-list > li > details > summary').first().click();
        await page.locator('.field-values > summary').nth(2).click();
        await page.locator('.facet-value').first().waitFor();
      },
    ],
    [
      'in the help for LQL',
      { question: { ...DAY, lql: 'f:auth_logs m.status:>=500' } },
      async (page) => {
        await answered(page);
        await page.getByRole('button', { name: 'LQL help' }).click();
      },
    ],
    ['in an empty result', { question: { ...DAY, project: 'nobody' } }, async (page) => answered(page, '0')],
    ['in the dialog for the token', { token: null }, (page) => parts(page).tokenDialog.waitFor()],
    [
      'in the list of keys',
      { question: FEW },
      async (page) => {
        await answered(page);
        await parts(page).run.press('?');
        await page.getByRole('dialog', { name: 'Keys' }).waitFor();
      },
    ],
    [
      'in the columns of categories',
      {
        question: {
          ...DAY,
          sql: 'select method, count(*) as n from (select r.method from edge_logs, unnest(metadata) m, unnest(m.request) r) group by 1',
        },
      },
      async (page) => {
        await answered(page);
        await page.getByLabel('Kind of chart').selectOption('columns');
      },
    ],
    [
      'in the menu of tools on a narrow screen',
      { question: FEW, viewport: NARROW },
      async (page) => {
        await answered(page);
        await page.locator('#more summary').click();
      },
    ],
    ['on a narrow screen', { question: FEW, viewport: NARROW }, async (page) => answered(page)],
  ];
  const themes: ['light' | 'dark'][] = [['light'], ['dark']];

  describe.each(themes)('%s', (colorScheme) => {
    test.each(states)('%s', async (_, options, arrange) => {
      const { page } = await open({ ...options, colorScheme });
      await arrange(page);
      await eventually(() => faults(page)).toEqual([]);
    });
  });
});

describe('colours', () => {
  test('follow the system until they are chosen, which stays', async () => {
    const { page } = await open({ question: DAY, colorScheme: 'dark' });
    await answered(page);
    const dark = await background(page);
    await page.getByRole('button', { name: 'Light' }).click();
    const light = await background(page);
    expect(light).not.toBe(dark);
    await page.reload();
    await answered(page);
    await eventually(() => background(page)).toBe(light);
    await eventually(() => page.getByRole('button', { name: 'Dark' }).isVisible()).toBe(true);
  });
});

describe('400 pixels', () => {
  test.each([
    ['rows', DAY],
    ['a chart', USAGE],
    [
      'a custom window',
      { endpoint: 'logs.all', project: 'demo', from: '2026-01-31T00:00:00Z', to: '2026-01-31T01:00:00Z' },
    ],
  ])('hold the page with %s, everything within reach', async (_, question) => {
    const { page } = await open({ question, viewport: NARROW });
    await answered(page);
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(widths[0]).toBe(widths[1]);
    for (const control of [
      parts(page).run,
      parts(page).editor,
      page.getByLabel('project'),
      page.getByRole('button', { name: 'Keys' }),
    ]) {
      const box = await control.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(NARROW.width);
    }
  });
});

describe('the tools for a query', () => {
  const tops = (page: Page) =>
    page.evaluate(() => {
      const tools = [...document.querySelectorAll('.query > .toolbar > :not(.stretch, [hidden])')];
      const middles = tools
        .map((tool) => tool.getBoundingClientRect())
        .map(({ top, bottom }) => top + bottom);
      return Math.max(...middles) - Math.min(...middles) < 10 ? 'one line' : 'more lines';
    });
  const LQL = { ...DAY, lql: 'f:auth_logs m.status:>=400' };

  test.each([1400, 400, 360])('stand in one line, %d pixels wide', async (width) => {
    const { page } = await open({ question: LQL, viewport: { width, height: 800 } });
    await answered(page);
    await eventually(() => tops(page)).toBe('one line');
  });

  test('stand in a menu where the page is narrow, and move when it is turned', async () => {
    const { page } = await open({ question: LQL, viewport: NARROW });
    await answered(page);
    const help = page.getByRole('button', { name: 'LQL help' });
    await eventually(() => help.isVisible()).toBe(false);
    await page.locator('#more summary').click();
    await eventually(() => page.getByLabel('Put in an example').isVisible()).toBe(true);
    await help.click();
    await page.getByRole('dialog', { name: 'LQL' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await eventually(() => help.isVisible()).toBe(false);
    await page.setViewportSize({ width: 900, height: 400 });
    await eventually(() => help.isVisible()).toBe(true);
    await eventually(() => page.locator('#more').isVisible()).toBe(false);
  });
});

test('the keyboard reaches everything in the order of the page, and leaves the editor with Tab', async () => {
  const { page } = await open({ question: DAY });
  await answered(page);
  // The histogram is another request, and may be drawn after the rows.
  await page.locator('.drawing').waitFor();
  await parts(page).editor.focus();
  await page.keyboard.press('Tab');
  await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Zoom out');
  await page.keyboard.press('Tab');
  await eventually(() => page.evaluate(() => document.activeElement?.className)).toBe('drawing');
  await page.keyboard.press('/');
  await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('editor-host');
});
