import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useBrowser } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import { answered, parts } from './support/explorer.ts';
import { type ExplorerService, startExplorer } from './support/explorer-service.ts';

const open = useBrowser();
const services: ExplorerService[] = [];
const started = async () => {
  const service = await startExplorer();
  services.push(service);
  return service;
};
let first: ExplorerService;
beforeAll(async () => {
  first = await started();
});
afterAll(() => Promise.all(services.map(({ stop }) => stop())));

const hashOf = (link: string) => Object.fromEntries(new URLSearchParams(new URL(link).hash.slice(1)));
const tokenIn = (page: Page) => page.evaluate(() => sessionStorage.getItem('lqe.token'));

test('the link that a start prints opens the page signed in, once, and leaves no code behind', async () => {
  const { url, link } = first;
  const question = hashOf(link);
  const { code = '', project } = question;
  expect(code).toMatch(/^[\w-]{22}$/);
  const { page, context } = await open({ url, question, token: null });
  const seen: string[] = [];
  page.on('request', (request) => seen.push(request.url()));
  await answered(page);
  await eventually(() => parts(page).tokenDialog.isVisible()).toBe(false);
  await eventually(() => page.getByLabel('project').inputValue()).toBe(project);
  const token = (await tokenIn(page)) ?? '';
  expect(token).toMatch(/^lqe_/);
  expect([page.url(), ...seen].filter((text) => text.includes(code) || text.includes(token))).toEqual([]);
  await eventually(() =>
    page.evaluate(() => [history.length, JSON.stringify(localStorage), document.cookie]),
  ).toEqual([expect.any(Number), expect.not.stringContaining(token), '']);
  await page.reload();
  await answered(page);
  await eventually(() => tokenIn(page)).toBe(token);

  const other = await context.newPage();
  await other.goto(link);
  const { tokenDialog } = parts(other);
  await tokenDialog.getByText('This link no longer signs in').waitFor();
  expect(other.url()).not.toContain(code);
  await tokenDialog.getByLabel('Token').fill(token);
  await other.keyboard.press('Enter');
  await answered(other);
});

test('a link that was used leaves a tab with its token as it is', async () => {
  const { page } = await open({ question: hashOf(first.link), expects: [401] });
  await answered(page);
  await eventually(() => parts(page).tokenDialog.isVisible()).toBe(false);
  expect(page.url()).not.toContain('code=');
});

test('a page that is open already takes the code of a link that is put into its address', async () => {
  const { url, link } = await started();
  const { page } = await open({ url, token: null });
  await parts(page).tokenDialog.waitFor();
  await page.evaluate((hash) => location.assign(hash), new URL(link).hash);
  await answered(page);
  await eventually(() => parts(page).tokenDialog.isVisible()).toBe(false);
  expect(page.url()).not.toContain('code=');
  const addresses: string[] = [];
  for (let step = 0; step < 2; step++) {
    await page.goBack();
    addresses.push(page.url());
  }
  expect(addresses.join()).not.toContain('code=');
});
