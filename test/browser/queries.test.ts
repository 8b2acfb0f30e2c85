import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useBrowser } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import { answered, columnTexts, DAY, parts, question, runQuery, write } from './support/explorer.ts';

const open = useBrowser();

const FAILED = `select timestamp, r.path, s.status_code from edge_logs
cross join unnest(metadata) as m
cross join unnest(m.request) as r
cross join unnest(m.response) as s
where s.status_code >= 500 order by timestamp desc limit 5`;

describe('SQL', () => {
  test('runs with the keyboard, shows rows, and stands in the address', async () => {
    const { page } = await open({ question: DAY });
    await answered(page);
    await runQuery(page, FAILED);
    await answered(page, '5');
    await eventually(() => parts(page).headings.allInnerTexts()).toEqual([
      'timestamp',
      'path',
      'status_code',
    ]);
    for (const code of await columnTexts(page, 2)) expect(Number(code)).toBeGreaterThanOrEqual(500);
    await eventually(async () => (await columnTexts(page, 0))[0]).toMatch(
      /^2026-01-31 \d\d:\d\d:\d\d\.\d{3}$/,
    );
    await eventually(async () => question(page).get('sql')).toBe(FAILED);
    await page.reload();
    await answered(page, '5');
  });

  test('of the endpoint’s own runs where none was written', async () => {
    const { page } = await open({ question: DAY });
    await answered(page, '100');
    await eventually(() => parts(page).headings.allInnerTexts()).toEqual([
      'id',
      'timestamp',
      'event_message',
      'metadata',
    ]);
  });

  test('that is wrong is underlined where it is wrong, until it is mended', async () => {
    const { page } = await open({ question: DAY, expects: [400] });
    await answered(page);
    await runQuery(page, 'select id,\n  nope from edge_logs');
    await parts(page).problem.waitFor();
    await eventually(() => page.locator('.cm-lintRange-error').allInnerTexts()).toEqual(['nope']);
    await eventually(() => parts(page).problem.innerText()).toContain('line 2, column 3');
    await page.getByRole('button', { name: 'Go to the place' }).click();
    await page.keyboard.insertText('timestamp -- ');
    await eventually(() => page.locator('.cm-lintRange-error').count()).toBe(0);
    await eventually(() => parts(page).editor.innerText()).toContain('  timestamp -- nope');
  });

  test('that is cut off is marked', async () => {
    const { page } = await open({ question: { ...DAY, sql: 'select id from edge_logs order by timestamp' } });
    await answered(page, '1,000');
    await eventually(() => page.locator('.notice').innerText()).toContain(
      'There are more rows than the 1,000 shown',
    );
  });

  test('completes fields of what the text names', async () => {
    const { page } = await open({ question: DAY });
    await answered(page);
    await write(
      page,
      'select 1 from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r where r',
    );
    await page.keyboard.type('.me');
    const list = page.locator('.cm-tooltip-autocomplete');
    await list.getByRole('option', { name: 'method' }).waitFor();
    await page.waitForTimeout(100);
    await page.keyboard.press('Enter');
    await eventually(() => parts(page).editor.innerText()).toContain('where r.method');
  });

  test('of before comes back with Alt and the arrows, what was being written too', async () => {
    const { page } = await open({ question: DAY });
    await answered(page);
    await runQuery(page, 'select 1 as one');
    await answered(page, '1');
    await runQuery(page, 'select 2 as two');
    await answered(page, '1');
    await write(page, 'select unfinished');
    const { editor } = parts(page);
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Alt+ArrowUp');
    await eventually(() => editor.innerText()).toBe('select 1 as one');
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Alt+ArrowDown');
    await eventually(() => editor.innerText()).toBe('select unfinished');
  });

  test('answers with markup in values and names are shown as text', async () => {
    const value = `<img src=x onerror="document.title='broken in'">`;
    const sql = `select '${value.replaceAll("'", "\\'")}' as \`<b>x</b>\`, [struct('<i>' as tag)] as list`;
    const { page } = await open({ question: { ...DAY, sql } });
    await answered(page, '1');
    await eventually(() => columnTexts(page, 0)).toEqual([value]);
    await page.locator('tr.line').first().click();
    await eventually(() => page.locator('.detail').innerText()).toContain(value);
    await eventually(() => page.locator('main img, main b, main i').count()).toBe(0);
    await eventually(() => page.title()).not.toContain('broken in');
  });

  test('that is cut off is marked, and the next rows can be loaded', async () => {
    const sql = 'select id from edge_logs order by timestamp, id';
    const { page } = await open({ question: { ...DAY, last: '7d', sql } });
    await answered(page, '1,000');
    const notice = page.locator('.notice');
    await eventually(() => notice.innerText()).toContain('There are more rows than the 1,000 shown');
    await notice.getByRole('button', { name: 'Next rows' }).click();
    await answered(page, /^(?:1,\d\d\d|2,000) rows/);
    await page.waitForFunction(() => document.querySelectorAll('tr.line').length > 1000);
    const ids = await page
      .locator('tr.line td:nth-child(2)')
      .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('title')));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('LQL', () => {
  test('finds entries, and the histogram counts what it finds', async () => {
    const lql = 'f:edge_logs m.response.status_code:500';
    const { page } = await open({ question: { ...DAY, lql } });
    await answered(page);
    const rows = await parts(page).lines.count();
    expect(rows).toBeGreaterThan(1);
    // LQL has its own limit, which the histogram leaves aside.
    expect(rows).toBeLessThan(100);
    const { histogram } = parts(page);
    await histogram.waitFor();
    await eventually(() => histogram.locator('.caption').innerText()).toContain(`${rows} entries`);
  });

  test('that finds one entry a bar has no half entries on the axis', async () => {
    const lql = 'f:auth_logs m.level:error..emergency';
    const { page } = await open({ question: { ...DAY, last: '1h', lql } });
    await answered(page);
    const { histogram } = parts(page);
    await histogram.waitFor();
    const texts = await histogram.locator('.drawing svg text[text-anchor="end"]').allTextContents();
    expect(texts).toEqual(['1']);
  });

  test('with c: draws a chart', async () => {
    const { page } = await open({ question: DAY });
    await answered(page);
    await page.getByRole('radio', { name: 'LQL' }).check({ force: true });
    await runQuery(page, 'f:edge_logs c:count(*) c:group_by(t::hour)');
    await answered(page);
    await parts(page).chart.locator('.series-bar').nth(20).waitFor({ state: 'attached' });
    await eventually(async () => question(page).get('lql')).toContain('c:count(*)');
  });

  test('that is wrong says why and where', async () => {
    const { page } = await open({ question: { ...DAY, lql: 'f:edge_logs m.nope:1' }, expects: [400] });
    await parts(page).problem.waitFor();
    await eventually(() => parts(page).problem.innerText()).toContain('nope');
    await eventually(() => page.locator('.cm-lintRange-error').allInnerTexts()).toEqual(['m.nope:1']);
  });

  test('completes sources and paths', async () => {
    const { page } = await open({ question: { ...DAY, lql: 'f:edge_logs' } });
    await answered(page);
    await write(page, 'f:');
    await page.keyboard.type('auth');
    await page.getByRole('option', { name: 'auth_logs' }).waitFor();
    await write(page, 'f:edge_logs ');
    await page.keyboard.type('m.response.st');
    await page.getByRole('option', { name: /m\.response\.status_code/ }).waitFor();
    await page.waitForTimeout(100);
    await page.keyboard.press('Enter');
    await eventually(() => parts(page).editor.innerText()).toBe('f:edge_logs m.response.status_code:');
  });
});

describe('the histogram', () => {
  const caption = async (page: Page) => {
    await page.locator('#histogram[aria-busy="false"] .drawing svg').waitFor();
    return (await parts(page).histogram.locator('.caption').innerText()).replaceAll('\n', ' ');
  };
  const SERVER_ERRORS = `select timestamp, s.status_code from edge_logs
cross join unnest(metadata) as m
cross join unnest(m.response) as s
where s.status_code >= 500 order by timestamp desc`;

  test('counts the entries that a query in SQL selects, its limit aside', async () => {
    const { page } = await open({ question: { ...DAY, sql: SERVER_ERRORS } });
    await answered(page);
    const rows = await parts(page).lines.count();
    expect(rows).toBeGreaterThan(5);
    await eventually(() => caption(page)).toContain('edge_logs entries that meet the query’s conditions');
    await eventually(() => caption(page)).toContain(`${rows} entries`);
    await runQuery(page, `${SERVER_ERRORS} limit 5`);
    await answered(page, '5');
    await eventually(() => caption(page)).toContain(`${rows} entries`);
  });

  test('counts an entry once that has several rows', async () => {
    const { page } = await open({
      question: { ...DAY, sql: 'select id, n from auth_logs, unnest([1, 2]) as n limit 9' },
    });
    await answered(page);
    const [twice] = /[\d,]+ entries/.exec(await caption(page)) ?? [];
    await runQuery(page, 'select count(*) as entries from auth_logs');
    await answered(page, '1');
    await eventually(async () => `${(await columnTexts(page, 0))[0]} entries`).toBe(twice);
  });

  test('says that it shows all entries where a query’s rows are none', async () => {
    const sql = 'select count(*) as n from auth_logs where event_message like "%o%"';
    const { page } = await open({ question: { ...DAY, sql } });
    await answered(page, '1');
    await eventually(() => caption(page)).toContain(
      'auth_logs all entries in this window, whatever the query’s conditions',
    );
    const [all] = /[\d,.k]+ entries/.exec(await caption(page)) ?? [];
    await runQuery(page, 'select id from auth_logs');
    await answered(page, /^\d{3}/);
    await eventually(() => caption(page)).toContain(all);
    await page.locator('#preset').selectOption('all');
    await page.waitForFunction(() => location.hash.includes('last=all'));
    await runQuery(page, 'select count(*) as n from auth_logs');
    await answered(page, '1');
    await eventually(() => caption(page)).toContain('auth_logs all entries, whatever');
  });

  test('is of the entries alone that LQL finds, over all time as well', async () => {
    const lql = 'f:auth_logs s:id s:m.level m.level:error';
    const { page } = await open({ question: { ...DAY, last: 'all', lql } });
    await answered(page);
    const rows = await parts(page).lines.count();
    expect(rows).toBeLessThan(100);
    await eventually(() => caption(page)).toContain(`${rows} entries`);
    await eventually(() => caption(page)).toContain('entries that meet the query’s conditions');
  });

  test('is not there where a query reads no source', async () => {
    const { page } = await open({ question: { ...DAY, sql: 'select 1 as n' } });
    await answered(page, '1');
    await page.waitForFunction(() => document.querySelector('#histogram[hidden]') !== null);
  });
});

describe('usage.api-counts', () => {
  test('is drawn as one line for each of its counts, by the interval that is chosen', async () => {
    const { page } = await open({
      question: { endpoint: 'usage.api-counts', project: 'demo', 'p.interval': 'minutely' },
    });
    await answered(page);
    const { chart } = parts(page);
    await eventually(() => chart.locator('.legend .key').count()).toBe(4);
    const minutes = await parts(page).lines.count();
    await page.getByLabel('interval').selectOption('daily');
    await page.waitForFunction((count) => document.querySelectorAll('tr.line').length < count, minutes);
    await eventually(async () => question(page).get('p.interval')).toBe('daily');
    await eventually(() => page.getByLabel('Window', { exact: true }).isVisible()).toBe(false);
  });
});
