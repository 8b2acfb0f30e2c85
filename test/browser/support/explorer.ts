import type { Locator, Page } from 'playwright-core';

/** The last day of the demo logs' project. */
export const DAY = { endpoint: 'logs.all', project: 'demo', last: '24h' };

/** The parts of the page that tests look at. */
export const parts = (page: Page) => ({
  editor: page.locator('.cm-content'),
  run: page.getByRole('button', { name: /^Run/ }),
  facts: page.locator('#facts'),
  problem: page.locator('#problem .problem'),
  histogram: page.locator('#histogram:has(svg)'),
  lines: page.locator('tr.line'),
  headings: page.locator('thead th button'),
  chart: page.locator('#chart'),
  tokenDialog: page.getByRole('dialog', { name: 'Access token' }),
});

/** Waits until an answer with so many rows, or any, is shown. */
export async function answered(page: Page, rows: string | RegExp = /\d/): Promise<void> {
  const text = typeof rows === 'string' ? new RegExp(`^${rows} rows? `) : rows;
  await page.locator('#result[aria-busy="false"] #facts', { hasText: text }).waitFor();
}

/** Puts a query in place of what stands in the editor, and runs it with the keyboard. */
export async function runQuery(page: Page, query: string): Promise<void> {
  await write(page, query);
  await page.keyboard.press('Control+Enter');
}

/** Puts a query in place of what stands in the editor. */
export async function write(page: Page, query: string): Promise<void> {
  const { editor } = parts(page);
  await editor.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(query);
}

/** The texts of one column, counted from 0 after the button that unfolds the row. */
export async function columnTexts(page: Page, column: number): Promise<readonly string[]> {
  return cells(page, column).allInnerTexts();
}

function cells(page: Page, column: number): Locator {
  return page.locator(`tr.line td:nth-child(${column + 2})`);
}

/** Asks for what the request of the third row has left in all sources; answers once the rows are shown. */
export async function askSameRequest(page: Page): Promise<void> {
  await parts(page).lines.nth(2).locator('td').nth(2).click();
  await page.getByRole('button', { name: 'Same request in all sources' }).click();
  await page.waitForFunction(() => location.hash.includes('UNION'));
  await answered(page);
}

/** The state that stands in the address. */
export function question(page: Page): URLSearchParams {
  return new URLSearchParams(new URL(page.url()).hash.slice(1));
}
