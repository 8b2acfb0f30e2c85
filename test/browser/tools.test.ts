import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useBrowser } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import { answered, DAY, parts, question, runQuery, write } from './support/explorer.ts';

const open = useBrowser();
const LQL = { ...DAY, lql: 'f:auth_logs m.status:>=400' };
const text = (page: Page) => parts(page).editor.innerText();

describe('a query', () => {
  test('in LQL becomes GoogleSQL, which finds the same', async () => {
    const { page } = await open({ question: LQL });
    await answered(page);
    const [count] = (await parts(page).facts.innerText()).split(' ');
    await page.getByRole('button', { name: 'As SQL' }).click();
    await page.waitForFunction(() => document.querySelector('input[value="sql"]:checked') !== null);
    await eventually(() => text(page)).toContain('FROM auth_logs AS t');
    await parts(page).run.click();
    await page.waitForFunction(() => location.hash.includes('sql='));
    await answered(page, count ?? '');
  });

  test('is laid out, and says where it cannot be', async () => {
    const { page } = await open({ question: DAY, expects: [400] });
    await answered(page);
    await write(page, 'select id from auth_logs where id is not null -- all');
    await page.getByRole('button', { name: 'Format' }).click();
    await page.locator('.cm-line', { hasText: /^FROM auth_logs$/ }).waitFor();
    await eventually(() => text(page)).toBe('SELECT id\nFROM auth_logs\nWHERE id IS NOT NULL -- all');
    await write(page, 'select id from');
    await page.getByRole('button', { name: 'Format' }).click();
    await parts(page).problem.waitFor();
  });

  test('is checked while it is written', async () => {
    const { page } = await open({ question: DAY, expects: [400] });
    await answered(page);
    await write(page, 'select nope from auth_logs');
    await page.locator('.cm-lintRange-error', { hasText: 'nope' }).waitFor();
    await eventually(() => parts(page).problem.count()).toBe(0);
    await eventually(() => parts(page).lines.count()).toBe(100);
  });

  test('is saved under a name, and found in the history', async () => {
    const { page } = await open({ question: DAY });
    await answered(page);
    await runQuery(page, 'select id from auth_logs limit 4');
    await answered(page, '4');
    const menu = page.locator('#queries');
    await menu.locator('summary').click();
    await menu.getByLabel('Name for this query').fill('Four entries');
    await page.keyboard.press('Enter');
    await menu.getByRole('button', { name: 'Four entries', exact: false }).first().waitFor();
    await page.reload();
    await answered(page, '4');
    await write(page, '');
    await menu.locator('summary').click();
    await eventually(() => menu.locator('.query-list').innerText()).toContain('History');
    await menu.locator('.query-line', { hasText: 'Four entries' }).click();
    await eventually(() => text(page)).toBe('select id from auth_logs limit 4');
    await menu.locator('summary').click();
    await menu.getByRole('button', { name: 'Remove Four entries' }).click();
    await eventually(() => menu.locator('.query-line', { hasText: 'Four entries' }).count()).toBe(0);
  });
});

test('LQL is explained on one screen', async () => {
  const { page } = await open({ question: LQL });
  await answered(page);
  await page.getByRole('button', { name: 'LQL help' }).click();
  const dialog = page.getByRole('dialog', { name: 'LQL' });
  await eventually(() => dialog.innerText()).toContain('t:last@15m');
  await dialog.getByRole('button', { name: 'Close' }).click();
});

describe('the window', () => {
  test('is any number of minutes, hours or days', async () => {
    const { page } = await open({ question: DAY });
    await answered(page);
    await page.getByLabel('Window').selectOption({ label: 'Last …' });
    await page.getByLabel('Last', { exact: true }).fill('90m');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.includes('last=90m'));
    await answered(page);
  });

  test('is from one time to another, in ISO 8601 and 24 hours', async () => {
    const { page } = await open({ question: DAY });
    await answered(page);
    await page.getByLabel('Window').selectOption({ label: 'From … to …' });
    await page.getByLabel('From', { exact: true }).fill('2026-01-31 09:30');
    await page.getByLabel('To', { exact: true }).fill('2026-01-31T14:00:00+02:00');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.includes('from=2026-01-31T09%3A30%3A00.000Z'));
    await answered(page);
    await eventually(async () => question(page).get('to')).toBe('2026-01-31T12:00:00.000Z');
  });

  test('is around the newest entry', async () => {
    const { page } = await open({
      question: { ...DAY, last: '5m', sql: 'select id from auth_logs limit 3' },
    });
    await answered(page);
    await page.getByLabel('Window').selectOption({ label: 'Around the newest entry' });
    await page.waitForFunction(() => location.hash.includes('from='));
    await answered(page, '3');
    const [from, to] = ['from', 'to'].map((name) => Date.parse(question(page).get(name) ?? ''));
    expect((to ?? 0) - (from ?? 0)).toBe(3_600_000);
  });

  test('stays relative in a link, or becomes the times that it stands for', async () => {
    const { page } = await open({ question: DAY, permissions: ['clipboard-read', 'clipboard-write'] });
    await answered(page);
    await page.locator('#share summary').click();
    const copied = async (button: string) => {
      await page.locator(button).click();
      await page.locator(button, { hasText: 'Copied' }).waitFor();
      return new URLSearchParams(
        new URL(await page.evaluate(() => navigator.clipboard.readText())).hash.slice(1),
      );
    };
    expect((await copied('#copy-link')).get('last')).toBe('24h');
    const fixed = await copied('#copy-fixed');
    expect(Date.parse(fixed.get('to') ?? '') - Date.parse(fixed.get('from') ?? '')).toBeCloseTo(
      86_400_000,
      -2,
    );
  });
});
