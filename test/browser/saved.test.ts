import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { useBrowser } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import { answered, DAY, parts, question, write } from './support/explorer.ts';
import { type ExplorerService, startExplorer } from './support/explorer-service.ts';
import { TOKEN } from './support/service.ts';

const open = useBrowser();
const services: ExplorerService[] = [];
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'team-'));
  await writeFile(
    join(folder, 'Server errors.sql'),
    '-- description: What failed last week\n-- window: 7d\nselect id, timestamp from edge_logs limit 3\n',
  );
  await writeFile(join(folder, 'Logins.lql'), 'f:auth_logs login\n');
  services.push(await startExplorer({ LQE_TOKEN: TOKEN, LQE_SAVED: folder }));
});
afterAll(async () => {
  for (const service of services) await service.stop();
  await rm(folder, { recursive: true });
});

test('the team’s queries stand in the menu, and bring their window', async () => {
  const { page } = await open({ url: services[0]?.url ?? '', question: DAY });
  await answered(page);
  const menu = page.locator('#queries');
  await menu.locator('summary').click();
  const lines = menu.locator('.query-list section').first().locator('.query-line');
  await eventually(() => lines.allInnerTexts()).toEqual([
    expect.stringMatching(/LQL\s+Logins/),
    expect.stringMatching(/SQL\s+Server errors\s+What failed last week/),
  ]);
  await lines.nth(1).click();
  await eventually(() => parts(page).editor.innerText()).toBe('select id, timestamp from edge_logs limit 3');
  await eventually(() => page.locator('#preset').inputValue()).toBe('7d');
  await parts(page).run.click();
  await answered(page, '3');
  expect(question(page).get('last')).toBe('7d');

  await writeFile(join(folder, 'Newer.sql'), 'select 1 as n');
  await write(page, '');
  await menu.locator('summary').click();
  await eventually(() => lines.allInnerTexts()).toContain('SQL\nNewer');
  await lines.filter({ hasText: 'Logins' }).click();
  await eventually(() => parts(page).editor.innerText()).toBe('f:auth_logs login');
  await eventually(() => page.getByRole('radio', { name: 'LQL' }).isChecked()).toBe(true);
});
