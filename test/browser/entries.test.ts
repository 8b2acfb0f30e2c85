import { describe, expect, test } from '@jest/globals';
import { useBrowser } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import { answered, askSameRequest, columnTexts, DAY, parts, question } from './support/explorer.ts';

const open = useBrowser();
const FEW = {
  ...DAY,
  sql: 'select id, timestamp, event_message from auth_logs order by timestamp desc limit 20',
};

test('live shows new entries, and pauses while a row is open', async () => {
  const { page } = await open({ question: FEW });
  await answered(page, '20');
  let message = 'first';
  await page.route('**/api/**', async (route) => {
    const answer = await route.fetch();
    const { result } = (await answer.json()) as { result: Record<string, unknown>[] };
    const isRows = result?.[0]?.event_message !== undefined;
    const changed = isRows ? { result: [{ ...result[0], event_message: message }, ...result] } : { result };
    await route.fulfill({ response: answer, json: changed });
  });
  const live = page.locator('#live');
  await live.click();
  await eventually(() => live.getAttribute('aria-pressed')).toBe('true');
  await answered(page, '21');
  await eventually(async () => (await columnTexts(page, 2))[0]).toBe('first');
  await parts(page).lines.first().click();
  await page.locator('#live', { hasText: 'paused, a row is open' }).waitFor();
  message = 'second';
  await parts(page).lines.first().click();
  await page.locator('tr.line', { hasText: 'second' }).waitFor();
  await live.click();
  await eventually(() => live.getAttribute('aria-pressed')).toBe('false');
});

describe('an entry', () => {
  test('is shown among those before and after it', async () => {
    const { page } = await open({ question: DAY });
    await answered(page, '100');
    const line = parts(page).lines.nth(60);
    const id = await line.locator('td.id').innerText();
    await line.locator('td').nth(2).click();
    await page.getByRole('button', { name: 'Before and after' }).click();
    await page.waitForFunction(() => location.hash.includes('UNION'));
    await answered(page, '100');
    const marked = page.locator('tr[aria-current="true"]');
    await eventually(() => marked.locator('td.id').innerText()).toBe(id);
    await eventually(async () => question(page).get('sql')).toContain('FROM edge_logs');
    // The page wrote the query, and nobody needs advice on it.
    await eventually(() => page.locator('.notice').count()).toBe(0);
    const colour = () =>
      marked
        .locator('td')
        .nth(2)
        .evaluate((cell) => getComputedStyle(cell).backgroundColor);
    await page.mouse.move(0, 0);
    const apart = await colour();
    await marked.hover();
    await eventually(colour).toBe(apart);
  });

  test('leads to what its request left in all sources', async () => {
    const { page } = await open({ question: DAY });
    await answered(page, '100');
    await askSameRequest(page);
    await eventually(() => columnTexts(page, 0)).toContain('edge_logs');
  });

  test('has its details as JSON too', async () => {
    const { page } = await open({ question: FEW });
    await answered(page, '20');
    await parts(page).lines.first().click();
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    const json = JSON.parse(await page.locator('pre.json').innerText());
    expect(Object.keys(json)).toEqual(['id', 'timestamp', 'event_message']);
  });
});

test('columns are chosen, moved, resized and wrapped, which outlives a reload', async () => {
  const { page } = await open({ question: FEW });
  await answered(page, '20');
  const headings = () =>
    page
      .locator('thead th button')
      .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.column));
  await page.locator('#columns summary').click();
  await page.getByLabel('id', { exact: true }).uncheck();
  await page.getByRole('button', { name: 'Move event_message left' }).click();
  await page.getByLabel('Wrap lines').check();
  await page.keyboard.press('Escape');
  await eventually(() => headings()).toEqual(['event_message', 'timestamp']);
  const handle = page.getByRole('separator', { name: 'Width of timestamp' });
  const before = await page.locator('thead th').last().boundingBox();
  await handle.press('ArrowRight');
  const after = await page.locator('thead th').last().boundingBox();
  expect(after?.width ?? 0).not.toBe(before?.width);
  await page.reload();
  await answered(page, '20');
  await eventually(() => headings()).toEqual(['event_message', 'timestamp']);
  await eventually(() => page.locator('table.wrap').count()).toBe(1);
});

test('wrapped lines are as many as the message needs, whatever else a row holds', async () => {
  const { page } = await open({ question: { ...DAY, lql: 'f:auth_logs' } });
  await answered(page, '100');
  const heightOf = (selector: string) =>
    parts(page)
      .lines.first()
      .locator(selector)
      .evaluate((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getBoundingClientRect().height;
      });
  const line = await heightOf('td.moment');
  await page.locator('#columns summary').click();
  await page.getByLabel('Wrap lines').check();
  await page.keyboard.press('Escape');
  await eventually(() => heightOf('td.grow')).toBeGreaterThan(1.5 * line);
  for (const cell of ['td.id', 'td.moment', 'td.nested']) {
    await eventually(async () => (await heightOf(cell)) < 1.5 * line).toBe(true);
  }
});
