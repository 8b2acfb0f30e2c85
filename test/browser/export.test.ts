import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useBrowser } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import { answered, DAY } from './support/explorer.ts';

const open = useBrowser();
const ALL = { ...DAY, sql: 'select id, event_message from edge_logs' };
const status = (page: Page) => page.locator('#export-status').innerText();

/** The page with its menu open. `pick` stands in place of the browser's own dialog, which no test can answer. */
async function openMenu(pick: 'none' | 'file' | 'dismissed', expects: readonly number[] = []): Promise<Page> {
  const { page } = await open({ question: ALL, expects });
  await answered(page, '1,000');
  await page.evaluate((choice) => {
    const own = {
      none: undefined,
      file: async () => (await navigator.storage.getDirectory()).getFileHandle('picked', { create: true }),
      dismissed: () => Promise.reject(new DOMException('', 'AbortError')),
    };
    Object.defineProperty(window, 'showSaveFilePicker', { value: own[choice] });
  }, pick);
  await page.locator('#export summary').click();
  await eventually(() => page.getByLabel('All pages').isChecked()).toBe(true);
  return page;
}

const press = (page: Page, format: string) =>
  page.getByRole('button', { name: `Download ${format}`, exact: true }).click();

const picked = (page: Page) =>
  page.evaluate(async () => {
    const handle = await (await navigator.storage.getDirectory()).getFileHandle('picked');
    return (await handle.getFile()).text();
  });

describe('all pages are exported', () => {
  test.each(['NDJSON', 'JSON', 'CSV'])('as a download of %s', async (format) => {
    const page = await openMenu('none');
    const downloading = page.waitForEvent('download');
    await press(page, format);
    const file = await (await downloading).path();
    const content = await readFile(file, 'utf8');
    const rows =
      format === 'JSON'
        ? JSON.parse(content).length
        : content.trim().split('\n').length - (format === 'CSV' ? 1 : 0);
    expect(rows).toBeGreaterThan(2000);
    const size = `${(Buffer.byteLength(content) / 1000).toFixed(1)} KB`;
    await eventually(() => status(page)).toBe(`${rows.toLocaleString('en-US')} rows exported, ${size}.`);
  });

  test('into the file that was chosen, page by page', async () => {
    const page = await openMenu('file');
    await press(page, 'NDJSON');
    await eventually(() => status(page)).toMatch(/^[\d,]+ rows exported/);
    const lines = (await picked(page)).trim().split('\n');
    expect(await status(page)).toContain(`${lines.length.toLocaleString('en-US')} rows exported`);
    expect(new Set(lines.map((line) => JSON.parse(line).id)).size).toBe(lines.length);
  });

  test('only where a file was chosen', async () => {
    const page = await openMenu('dismissed');
    await press(page, 'CSV');
    await eventually(() => status(page)).toBe('Nothing was exported: no file was chosen.');
  });

  test.each(['none', 'file'] as const)('until they are cancelled, which leaves nothing: %s', async (pick) => {
    const page = await openMenu(pick);
    const downloads: unknown[] = [];
    page.on('download', (one) => downloads.push(one));
    // The next page waits for as long as somebody needs to cancel.
    await page.route(/[?&]cursor=/, () => {});
    await press(page, 'NDJSON');
    await eventually(() => status(page)).toMatch(/^Loading… 1,000 rows, [\d.]+ KB$/);
    await page.getByRole('button', { name: 'Cancel the export' }).click();
    await eventually(() => status(page)).toBe('Cancelled: nothing was exported.');
    await eventually(() => page.getByRole('button', { name: 'Cancel the export' }).isVisible()).toBe(false);
    if (pick === 'file') await eventually(() => picked(page)).toBe('');
    expect(downloads).toEqual([]);
  });

  test('or say why not', async () => {
    const page = await openMenu('none', [400]);
    await page.route(/[?&]cursor=/, (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/cursor=[^&]*/, 'cursor=none'),
      }),
    );
    await press(page, 'NDJSON');
    await eventually(() => status(page)).toMatch(/^Nothing was exported: /);
  });
});
