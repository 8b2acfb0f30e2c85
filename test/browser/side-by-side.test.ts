import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useBrowser } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import {
  answered,
  askSameRequest,
  columnTexts,
  DAY,
  parts,
  question,
  runQuery,
  write,
} from './support/explorer.ts';
import { TOKEN } from './support/service.ts';

/*
 * What people do in other log tools, done in the page: a line each.
 */

const open = useBrowser();
const HOUR = { ...DAY, last: '1h' };
const drawn = (page: Page) => page.locator('#histogram[aria-busy="false"] .drawing').waitFor();
const ids = (page: Page) =>
  page.locator('td.id').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('title')));
const sql = (page: Page) => question(page).get('sql') ?? '';

describe('as in Grafana’s log views, one', () => {
  test('finds the first error of the last hour, and sees what came before it', async () => {
    const { page } = await open({
      question: { ...HOUR, lql: 'f:postgres_logs m.parsed.error_severity:ERROR' },
    });
    await answered(page);
    await page.getByRole('button', { name: 'timestamp', exact: true }).click();
    await eventually(() => page.locator('th[aria-sort="ascending"]').innerText()).toContain('timestamp');
    const first = parts(page).lines.first();
    await eventually(() => first.locator('.tag').innerText()).toBe('ERR');
    const [id] = await ids(page);
    await first.locator('td').nth(2).click();
    await page.getByRole('button', { name: 'Before and after' }).click();
    await page.waitForFunction(() => location.hash.includes('UNION'));
    await answered(page);
    const marked = page.locator('tr.line[aria-current="true"]');
    await eventually(() => marked.locator('td.id').getAttribute('title')).toBe(id);
    // The newest stands first: what came before it is below.
    await eventually(
      async () => (await ids(page)).length - (await ids(page)).indexOf(id ?? ''),
    ).toBeGreaterThan(10);
    await eventually(async () => (await ids(page)).indexOf(id ?? '')).toBeGreaterThan(10);
  });

  test('goes into the peak of the histogram, and back', async () => {
    const { page } = await open({ question: DAY });
    await answered(page, '100');
    await drawn(page);
    await page.locator('.drawing').focus();
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowLeft');
    const whole = await page.locator('.caption .readout').innerText();
    expect(whole).toMatch(/^01-31 \d\d:\d\d – \d\d:\d\d: \d+$/);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.includes('from='));
    await answered(page);
    await page.goBack();
    await page.waitForFunction(() => location.hash.includes('last=24h'));
    await answered(page, '100');
  });

  test('points at bars without anything moving, on wide screens and narrow ones', async () => {
    for (const width of [1280, 400]) {
      const { page } = await open({ question: DAY, viewport: { width, height: 860 } });
      await answered(page, '100');
      await drawn(page);
      const places = () =>
        page.evaluate(() =>
          ['.drawing', '.severities', '.zoom-out', '#result'].map((selector) => {
            const { x, y } = document.querySelector(selector)?.getBoundingClientRect() ?? { x: 0, y: 0 };
            return [selector, Math.round(x), Math.round(y)];
          }),
        );
      const before = await places();
      const box = await page.locator('.drawing svg').boundingBox();
      for (const share of [0.2, 0.5, 0.97]) {
        await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) * share, (box?.y ?? 0) + 40);
        await eventually(() => page.locator('.caption .readout').innerText()).toContain('–');
        expect(await places()).toEqual(before);
      }
    }
  });

  test('counts by status over time, in the colours of what failed', async () => {
    const { page } = await open({ question: DAY });
    await answered(page, '100');
    await runQuery(
      page,
      'select timestamp_trunc(timestamp, hour) as hour, cast(r.status_code as string) as status, count(*) as n from edge_logs cross join unnest(metadata) as m cross join unnest(m.response) as r group by 1, 2 order by 1',
    );
    const legend = parts(page).chart.locator('.legend .key');
    await eventually(async () => (await legend.allInnerTexts()).join(' ')).toMatch(
      /200\s+[\d,]+[\s\S]*503\s+\d+/,
    );
    await eventually(() => parts(page).chart.locator('g.severity-error').count()).toBeGreaterThan(1);
    await page.getByLabel('Kind of chart').selectOption('Stacked bars');
    await parts(page).chart.locator('g.severity-error .series-bar').first().waitFor({ state: 'attached' });
  });
});

describe('as in Supabase Studio, one', () => {
  test('takes a template and runs it', async () => {
    const { page } = await open({ question: DAY });
    await answered(page, '100');
    await page.locator('#examples').selectOption({ label: 'Failed requests (5xx)' });
    await parts(page).run.click();
    await page.waitForFunction(() => location.hash.includes('status_code'));
    await answered(page);
    const codes = await columnTexts(page, 3);
    expect(codes.length).toBeGreaterThan(10);
    expect(codes.filter((code) => Number(code) < 500)).toEqual([]);
  });

  test('puts a field’s name into the query from the list of fields', async () => {
    const { page } = await open({ question: DAY });
    await answered(page, '100');
    await write(page, 'select ');
    await page.locator('.source-list summary', { hasText: /^auth_logs/ }).click();
    await page.getByRole('button', { name: 'Put event_message into the query' }).click();
    await eventually(() => parts(page).editor.innerText()).toBe('select event_message');
  });
});

describe('as in Axiom, one', () => {
  test('leaves a noisy path out from the details of an entry', async () => {
    const { page } = await open({ question: { ...DAY, lql: 'f:edge_logs' } });
    await answered(page, '100');
    await parts(page).lines.first().locator('td').nth(2).click();
    const out = page.getByRole('button', { name: /^Without metadata\.request\.path = / }).first();
    const [, path = ''] = /= (.+)$/.exec((await out.getAttribute('aria-label')) ?? '') ?? [];
    await out.click();
    await page.waitForFunction(() => location.hash.includes('path'));
    await answered(page, '100');
    await eventually(() => parts(page).editor.innerText()).toContain(`-m.request.path:`);
    const messages = await columnTexts(page, 2);
    expect(messages.filter((message) => message.includes(`.co${path} `))).toEqual([]);
  });

  test('sees what a query cost', async () => {
    const { page } = await open({ question: DAY });
    await answered(page, '100');
    await runQuery(page, 'select count(*) as n from edge_logs');
    await answered(page, '1');
    await eventually(() => parts(page).facts.innerText()).toMatch(/ m?s\s.*\s[\d,]+ rows scanned/s);
  });

  test('opens a row with a click anywhere in it, also where buttons come up below the pointer', async () => {
    const { page } = await open({ question: DAY });
    await answered(page, '100');
    await drawn(page);
    const box = await parts(page).lines.nth(3).locator('td').nth(3).boundingBox();
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) - 12, (box?.y ?? 0) + 8);
    await page.locator('tr.details:not([hidden])').waitFor();
    expect(sql(page)).toBe('');
  });
});

describe('as in Better Stack, one', () => {
  test('follows a request through all sources', async () => {
    const { page } = await open({ question: DAY });
    await answered(page, '100');
    await askSameRequest(page);
    await eventually(() => columnTexts(page, 0)).toContain('edge_logs');
  });

  test('shares a link that shows others the same entries', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, context } = await open({
      question: { ...HOUR, lql: 'f:auth_logs m.status:>=400' },
      permissions,
    });
    await answered(page);
    const shown = await ids(page);
    await page.locator('#share summary').click();
    await page.getByRole('button', { name: 'Copy link with fixed times' }).click();
    await page.locator('#share button', { hasText: 'Copied' }).waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const other = await context.newPage();
    await other.addInitScript((text) => sessionStorage.setItem('lqe.token', text), TOKEN);
    await other.goto(link);
    await answered(other);
    await eventually(() => ids(other)).toEqual(shown);
    expect(link).not.toContain(TOKEN);
  });
});

describe('as in Datasette, one', () => {
  test('counts the values of a field, asks for one, and exports what is left as CSV', async () => {
    const { page } = await open({ question: DAY });
    await answered(page, '100');
    await page.locator('.source-list > li > details > summary', { hasText: /^auth_logs/ }).click();
    await page
      .locator('.source-list summary', { hasText: /^metadata/ })
      .first()
      .click();
    await page
      .locator('.source-list summary', { hasText: /^level/ })
      .first()
      .click();
    const values = page.locator('.facet-value');
    const [value = '', count = ''] = (await values.last().innerText()).split(/\s+/);
    await values.last().click();
    await answered(page, count);
    await eventually(() => parts(page).editor.innerText()).toContain(value);
    await page.locator('#export summary').click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const csv = await readFile(await (await downloading).path(), 'utf8');
    expect(csv.split('\r\n')[0]).toContain('timestamp');
    expect(csv.match(/^[0-9a-f]{8}-[0-9a-f]{4}-/gm)).toHaveLength(Number(count));
  });

  test('finds the query in the address, and goes back to the one before', async () => {
    const { page } = await open({ question: { ...DAY, sql: 'select 1 as n' } });
    await answered(page, '1');
    await runQuery(page, 'select id from auth_logs limit 2');
    await answered(page, '2');
    expect(sql(page)).toBe('select id from auth_logs limit 2');
    await page.goBack();
    await answered(page, '1');
    await eventually(() => parts(page).editor.innerText()).toBe('select 1 as n');
  });
});

describe('as in Tinybird, one', () => {
  test('takes the query to a shell', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page } = await open({
      question: { ...DAY, sql: 'select id from auth_logs order by id limit 3' },
      permissions,
    });
    await answered(page, '3');
    await page.locator('#share summary').click();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.locator('#share button', { hasText: 'Copied' }).waitFor();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    const { stdout } = await promisify(execFile)('sh', ['-c', command], {
      env: { ...process.env, LQE_TOKEN: TOKEN },
    });
    const { result } = JSON.parse(stdout) as { result: { id: string }[] };
    expect(result.map(({ id }) => id)).toEqual(await ids(page));
  });

  test('learns of an error while writing', async () => {
    const { page } = await open({ question: DAY, expects: [400] });
    await answered(page, '100');
    await write(page, 'select count(*) as n from auth_log');
    await page.locator('.cm-lintRange-error', { hasText: 'auth_log' }).waitFor();
  });
});

test('with the keyboard alone one writes a query, runs it, reads a row and asks for the keys', async () => {
  const { page } = await open({ question: DAY });
  await answered(page, '100');
  await page.keyboard.press('/');
  await page.keyboard.insertText(
    'select id, timestamp, event_message from auth_logs order by timestamp desc limit 5',
  );
  await page.keyboard.press('Control+Enter');
  await answered(page, '5');
  await drawn(page);
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
  for (let tabs = 0; tabs < 40 && (await focused()) !== 'All of row 1'; tabs++)
    await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await eventually(focused).toBe('All of row 2');
  await page.keyboard.press('Enter');
  await page.locator('#row-1:not([hidden]) .tree').waitFor();
  await eventually(focused).toBe('All of row 2');
  await page.keyboard.press('ArrowUp');
  await eventually(focused).toBe('All of row 1');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await eventually(() => page.getByRole('dialog', { name: 'Keys' }).isVisible()).toBe(false);
});
