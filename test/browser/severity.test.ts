import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useBrowser } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import { answered, DAY, parts, question, runQuery } from './support/explorer.ts';

const open = useBrowser();

const ERRORS = `select t.timestamp, p.error_severity, t.event_message from postgres_logs as t
  cross join unnest(metadata) as m cross join unnest(m.parsed) as p
  where p.error_severity in ('ERROR', 'WARNING', 'FATAL') order by t.timestamp desc limit 50`;

const drawn = (page: Page) => page.locator('#histogram[aria-busy="false"] .drawing svg').waitFor();
const colourOf = (page: Page, selector: string, property: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((node, name) => getComputedStyle(node).getPropertyValue(name), property);

describe('severity is seen', () => {
  test('in rows of entries, by the source’s own fields, as text besides colour', async () => {
    const { page } = await open({ question: DAY });
    await answered(page, '100');
    const failed = page.locator('tr.line.severity-error');
    await eventually(() => failed.count()).toBeGreaterThan(0);
    await eventually(() => failed.first().locator('.tag').innerText()).toBe('ERR');
    await eventually(() => failed.first().innerText()).toMatch(/\| 5\d\d \|/);
    await eventually(() => page.locator('tr.line.severity-info .tag').first().innerText()).toBe('INF');
  });

  test('in columns that are levels or status codes', async () => {
    const { page } = await open({ question: { ...DAY, sql: ERRORS } });
    await answered(page);
    const texts = async () => new Set(await page.locator('td .grade.severity-error').allInnerTexts());
    await eventually(texts).toEqual(new Set(['ERROR']));
    await eventually(() => page.locator('tr.severity-warning .tag').first().innerText()).toBe('WRN');
  });

  test('as absent in rows that say nothing of it, among others that do', async () => {
    const sql = "select 'ERROR' as level union all select 'something' order by 1";
    const { page } = await open({ question: { ...DAY, sql } });
    await answered(page, '2');
    const tags = page.locator('tr.line td.fold .tag');
    await eventually(async () => (await tags.allTextContents()).sort()).toEqual(['ERR', '–No severity']);
    await runQuery(page, 'select 1 as n');
    await answered(page, '1');
    await eventually(() => tags.count()).toBe(0);
  });

  test('in the histogram, whose parts its legend counts', async () => {
    const { page } = await open({ question: DAY });
    await answered(page, '100');
    await drawn(page);
    for (const part of ['error', 'warning', 'info']) {
      await eventually(() => page.locator(`#histogram .drawing svg .part-${part}`).count()).toBeGreaterThan(
        1,
      );
    }
    const number = (text: string) => Number(text.replaceAll(',', ''));
    const unaccounted = async () => {
      const caption = await page.locator('#histogram .caption').innerText();
      const [, all = ''] = /([\d,]+) entries/.exec(caption) ?? [];
      const counts = await page.locator('#histogram .key b').allInnerTexts();
      return counts.reduce((rest, text) => rest - number(text), number(all));
    };
    await eventually(unaccounted).toBe(0);
    await eventually(() => page.locator('#histogram .severities').innerText()).toMatch(/Error\s+\d/);
  });

  test('in charts: what failed is red, whatever its place', async () => {
    const sql = `select timestamp_trunc(timestamp, hour) as hour, countif(s.status_code < 400) as good,
      countif(s.status_code between 400 and 499) as refused, countif(s.status_code >= 500) as failed
      from edge_logs cross join unnest(metadata) as m cross join unnest(m.response) as s group by hour order by hour`;
    const { page } = await open({ question: { ...DAY, sql } });
    await answered(page);
    const red = await colourOf(page, '#chart g.severity-error', 'color');
    await page.goto(`${page.url().split('#')[0]}#${new URLSearchParams(DAY)}`);
    await answered(page, '100');
    await eventually(() => colourOf(page, 'tr.severity-error .tag', 'color')).toBe(red);
  });
});

describe('the histogram zooms', () => {
  test('into the bar that is clicked, and out to where it came from', async () => {
    const { page } = await open({ question: DAY });
    await drawn(page);
    const box = await page.locator('#histogram .drawing svg').boundingBox();
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) - 60, (box?.y ?? 0) + 40);
    await page.waitForFunction(() => location.hash.includes('from='));
    const from = Date.parse(question(page).get('from') ?? '');
    const to = Date.parse(question(page).get('to') ?? '');
    expect(to - from).toBe(900_000);
    await answered(page);
    await drawn(page);
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await page.waitForFunction(() => location.hash.includes('last=24h'));
    await answered(page, '100');
    await drawn(page);
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await page.waitForFunction(() => location.hash.includes('last=3d'));
  });

  test('with a finger', async () => {
    const { page } = await open({ question: DAY, hasTouch: true, viewport: { width: 400, height: 800 } });
    await drawn(page);
    const box = await page.locator('#histogram .drawing svg').boundingBox();
    await page.touchscreen.tap((box?.x ?? 0) + (box?.width ?? 0) - 30, (box?.y ?? 0) + 40);
    await page.waitForFunction(() => location.hash.includes('from='));
    await answered(page);
  });

  test('and looks like loading while it counts', async () => {
    const { page } = await open({ question: DAY, token: null });
    await parts(page).tokenDialog.waitFor();
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route('**histogram=**', async (route) => {
      await held;
      await route.continue();
    });
    await parts(page).tokenDialog.getByLabel('Token').fill('lqe_token-of-the-browser-suites');
    await page.keyboard.press('Enter');
    await answered(page, '100');
    await eventually(() => page.locator('#histogram[aria-busy="true"]').innerText()).toContain('Counting');
    await eventually(() => page.locator('#histogram .skeleton').isVisible()).toBe(true);
    goOn();
    await drawn(page);
    await eventually(() => page.locator('#histogram .skeleton').count()).toBe(0);
  });
});

describe('what was there stays, dimmed', () => {
  test('when a query fails', async () => {
    const { page } = await open({ question: DAY, expects: [400] });
    await answered(page, '100');
    await drawn(page);
    await runQuery(page, 'select nope from edge_logs');
    await parts(page).problem.waitFor();
    await page.locator('#result.stale').waitFor();
    await eventually(() => parts(page).lines.count()).toBe(100);
    await eventually(() => parts(page).facts.innerText()).toContain('of the query before');
    await eventually(() => page.locator('#histogram.stale .drawing svg').isVisible()).toBe(true);
    await runQuery(page, 'select id from auth_logs limit 2');
    await answered(page, '2');
    await page.waitForFunction(() => document.querySelector('.stale') === null);
  });

  test('when it is cancelled, and the time counts while it runs', async () => {
    const { page } = await open({ question: DAY });
    await answered(page, '100');
    await page.route('**/api/**', () => {});
    await runQuery(page, 'select 1 as slow');
    const elapsed = page.locator('#elapsed');
    await elapsed.waitFor();
    const first = await elapsed.innerText();
    await page.waitForFunction((text) => document.getElementById('elapsed')?.textContent !== text, first);
    await page.keyboard.press('Escape');
    await page.locator('#result.stale').waitFor();
    await eventually(() => parts(page).facts.innerText()).toContain('Cancelled');
    await eventually(() => parts(page).lines.count()).toBe(100);
    await eventually(() => elapsed.isVisible()).toBe(false);
  });
});
