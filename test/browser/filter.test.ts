import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useBrowser } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import { answered, columnTexts, DAY, parts, question } from './support/explorer.ts';

const open = useBrowser();
/** The histogram is another request: drawn, it moves what is below the mouse no more. */
const counted = (page: Page) => page.locator('#histogram[aria-busy="false"] .drawing').waitFor();

describe('a value', () => {
  test('of a row is asked for in the SQL that is written, which runs', async () => {
    const sql =
      'select r.method, r.path -- where\nfrom edge_logs, unnest(metadata) m, unnest(m.request) r\nlimit 50';
    const { page } = await open({ question: { ...DAY, sql } });
    await answered(page);
    await counted(page);
    const [method] = await columnTexts(page, 0);
    await parts(page).lines.first().locator('td').nth(1).hover();
    await page.getByRole('button', { name: `Only method = ${method}` }).click();
    await page.waitForFunction(() => location.hash.includes('where+r.method'));
    await answered(page);
    await eventually(async () => question(page).get('sql')).toBe(
      `select r.method, r.path -- where\nfrom edge_logs, unnest(metadata) m, unnest(m.request) r\nwhere r.method = '${method}'\nlimit 50`,
    );
    // The row below the mouse has its buttons.
    await page.locator('h1').hover();
    await eventually(async () => new Set(await columnTexts(page, 0))).toEqual(new Set([method]));
  });

  test('of the details is left out of the LQL that is written', async () => {
    const { page } = await open({ question: { ...DAY, lql: 'f:edge_logs' } });
    await answered(page);
    await parts(page).lines.first().click();
    const out = page.getByRole('button', { name: /^Without metadata\.request\.method = / }).first();
    const [, method = ''] = /= (\w+)$/.exec((await out.getAttribute('aria-label')) ?? '') ?? [];
    await out.click();
    await page.waitForFunction(() => location.hash.includes('method'));
    await answered(page);
    await eventually(async () => question(page).get('lql')).toBe(`f:edge_logs -m.request.method:${method}`);
  });

  test('that the query cannot name is explained', async () => {
    const { page } = await open({
      question: { ...DAY, lql: 'f:edge_logs c:count(*) c:group_by(t::hour)' },
      expects: [400],
    });
    await answered(page);
    await counted(page);
    await parts(page).lines.first().locator('td').nth(2).hover();
    await page.getByRole('button', { name: /^Only count/ }).click();
    await parts(page).problem.waitFor();
    await eventually(() => parts(page).problem.innerText()).toContain('no field of the source');
  });
});

test('a field of a source shows its most frequent values, one click from a query for them', async () => {
  const { page } = await open({ question: DAY });
  await answered(page, '100');
  const sources = page.locator('#source-tree');
  const unfold = (name: RegExp) => sources.locator('summary', { hasText: name }).first().click();
  await unfold(/^auth_logs/);
  await unfold(/^metadata/);
  await unfold(/^status INTEGER/);
  const values = sources.locator('.facet-value');
  await values.first().waitFor();
  const counts = (await sources.locator('.facet-value .count').allInnerTexts()).map((text) =>
    Number(text.replaceAll(',', '')),
  );
  expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  const status = await values.first().locator('.text').innerText();
  await values.first().click();
  await page.waitForFunction(() => location.hash.includes('auth_logs'));
  await answered(page);
  await eventually(async () => question(page).get('sql')).toContain(`= ${status}`);
  await page.locator('#histogram strong', { hasText: /^auth_logs$/ }).waitFor();
});
