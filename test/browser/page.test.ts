import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useBrowser } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import { answered, columnTexts, DAY, parts, question, runQuery, write } from './support/explorer.ts';
import { startProxy } from './support/proxy.ts';
import { serviceUrl, TOKEN } from './support/service.ts';

const open = useBrowser();

describe('the access token', () => {
  test('is asked for, refused where it is wrong, and kept by the tab alone', async () => {
    const { page, context } = await open({ token: null, question: DAY, expects: [401] });
    const { tokenDialog } = parts(page);
    await tokenDialog.getByLabel('Token').fill('wrong');
    await page.keyboard.press('Enter');
    await tokenDialog.getByText('is unknown').waitFor();
    await tokenDialog.getByLabel('Token').fill(TOKEN);
    await page.keyboard.press('Enter');
    await answered(page, '100');
    await eventually(() => tokenDialog.isVisible()).toBe(false);
    expect(page.url()).not.toContain(TOKEN);
    const kept = await page.evaluate(() => [
      JSON.stringify(sessionStorage),
      JSON.stringify(localStorage),
      document.cookie,
    ]);
    expect(kept.map((text) => text.includes(TOKEN))).toEqual([true, false, false]);
    const other = await context.newPage();
    await other.goto(page.url());
    await parts(other).tokenDialog.waitFor();
  });

  test('that is refused later is asked for again', async () => {
    const { page } = await open({ question: DAY, expects: [401] });
    await answered(page);
    await page.evaluate(() => sessionStorage.setItem('lqe.token', 'revoked-meanwhile'));
    await parts(page).run.click();
    await parts(page).tokenDialog.waitFor();
    await eventually(() => parts(page).tokenDialog.innerText()).toContain('token is unknown');
  });

  test('can be forgotten', async () => {
    const { page } = await open({ question: DAY });
    await answered(page);
    await page.getByRole('button', { name: 'Token' }).click();
    await page.getByRole('button', { name: 'Forget it' }).click();
    await eventually(() => page.evaluate(() => sessionStorage.getItem('lqe.token'))).toBeNull();
    await parts(page).run.click();
    await parts(page).tokenDialog.waitFor();
  });
});

describe('the histogram', () => {
  test('zooms into what is dragged over, and the browser’s back leads out', async () => {
    const { page } = await open({ question: DAY });
    await answered(page);
    const { histogram } = parts(page);
    await histogram.waitFor();
    const box = await histogram.locator('.drawing svg').boundingBox();
    if (box === null) throw new Error('nothing is drawn');
    const y = box.y + 40;
    await page.mouse.move(box.x + box.width * 0.5, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, y, { steps: 5 });
    await page.mouse.up();
    await page.waitForFunction(() => location.hash.includes('from='));
    await answered(page);
    const [from, to] = [question(page).get('from') ?? '', question(page).get('to') ?? ''];
    expect(Date.parse(to) - Date.parse(from)).toBeLessThan(5 * 3_600_000);
    const isWithin = async () => {
      const times = (await columnTexts(page, 1)).map((text) => Date.parse(`${text.replace(' ', 'T')}Z`));
      return times.length > 0 && times.every((time) => time >= Date.parse(from) && time < Date.parse(to));
    };
    await eventually(isWithin).toBe(true);
    await eventually(() => page.getByLabel('From', { exact: true }).inputValue()).toBe(
      from.slice(0, 19).replace('T', ' '),
    );
    await page.goBack();
    await page.waitForFunction(() => location.hash.includes('last=24h'));
    await answered(page, '100');
  });

  test('zooms with the keyboard', async () => {
    const { page } = await open({ question: DAY });
    await answered(page);
    await parts(page).histogram.locator('.drawing').focus();
    for (const key of ['ArrowLeft', 'ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowLeft'])
      await page.keyboard.press(key);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.includes('from='));
    const [from, to] = [question(page).get('from') ?? '', question(page).get('to') ?? ''];
    expect(Date.parse(to) - Date.parse(from)).toBe(3 * 900_000);
    await answered(page);
  });

  test('spans from the first to the last entry where the window is all time', async () => {
    const { page } = await open({ question: { ...DAY, last: 'all' } });
    await answered(page);
    await parts(page).histogram.waitFor();
    await eventually(() => parts(page).histogram.locator('.bar-shape').count()).toBeGreaterThan(5);
  });
});

describe('rows', () => {
  test('unfold with all that is nested in them', async () => {
    const { page } = await open({ question: DAY });
    await answered(page);
    const button = page.getByRole('button', { name: 'All of row 1', exact: true });
    await button.press('Enter');
    await eventually(() => button.getAttribute('aria-expanded')).toBe('true');
    const detail = page.locator('.detail').first();
    await eventually(() => detail.innerText()).toMatch(/request[\s\S]*method/);
    await eventually(() => detail.innerText()).not.toContain('tlsVersion');
    await detail.locator('summary', { hasText: /^cf / }).click();
    // The browser reports after the click that a record has been unfolded, and only then it is filled.
    await detail.getByText('tlsVersion').first().waitFor();
  });

  test('sort by a column, numbers as numbers', async () => {
    const sql = 'select n from unnest([10, 9, null, 100]) as n';
    const { page } = await open({ question: { ...DAY, sql } });
    await answered(page, '4');
    await page.getByRole('button', { name: 'n', exact: true }).press('Enter');
    await eventually(() => columnTexts(page, 0)).toEqual(['9', '10', '100', 'null']);
    await page.keyboard.press('Enter');
    await eventually(() => columnTexts(page, 0)).toEqual(['100', '10', '9', 'null']);
    await eventually(() => page.locator('th[aria-sort="descending"]').innerText()).toContain('n');
  });

  test('come as CSV in which nothing is a formula', async () => {
    const sql = `select '=1+1' as a, timestamp_micros(1500000) as t, [1, 2] as list, null as nothing, -1 as n`;
    const { page } = await open({ question: { ...DAY, sql } });
    await answered(page, '1');
    const waiting = page.waitForEvent('download');
    await page.locator('#export summary').click();
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toBe('logs.all.csv');
    const text = await readFile(await download.path(), 'utf8');
    expect(text).toBe(`a,t,list,nothing,n\r\n'=1+1,1970-01-01T00:00:01.500000Z,"[1,2]",,-1\r\n`);
  });

  test('are asked for by a curl command without the token', async () => {
    const sql = `select 'it''s' "x"`.replace(`''`, `\\'`).replace(' "x"', ' as x');
    const { page, context } = await open({ question: { ...DAY, sql } });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await answered(page, '1');
    await page.locator('#share summary').click();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    expect(command).toContain(`${serviceUrl()}api/endpoints/query/logs.all`);
    expect(command).toContain('"X-API-KEY: $LQE_TOKEN"');
    expect(command).not.toContain(TOKEN);
  });

  test('show their times in the zone that is chosen', async () => {
    const sql = 'select timestamp_micros(1500000) as t';
    const { page } = await open({ question: { ...DAY, sql }, timezoneId: 'Asia/Kolkata' });
    await answered(page, '1');
    await eventually(() => columnTexts(page, 0)).toEqual(['1970-01-01 00:00:01.500']);
    await page.getByLabel('Times in').selectOption('local');
    await eventually(() => columnTexts(page, 0)).toEqual(['1970-01-01 05:30:01.500']);
  });
});

describe('what to do is said', () => {
  test('where nothing is found: further windows', async () => {
    const { page } = await open({ question: { ...DAY, project: 'nobody', last: '1h' } });
    await answered(page, '0');
    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await page.waitForFunction(() => location.hash.includes('last=7d'));
    await answered(page, '0');
  });

  test('where a parameter is missing', async () => {
    const { page } = await open({ question: { endpoint: 'logs.all' } });
    await parts(page).problem.waitFor();
    await eventually(() => parts(page).problem.innerText()).toContain('Fill in project');
    const project = page.getByLabel('project');
    await eventually(() => project.getAttribute('aria-invalid')).toBe('true');
    await project.fill('demo');
    await project.press('Enter');
    await answered(page);
  });

  test('where the service cannot be reached: try again', async () => {
    const { page, context } = await open({ question: DAY });
    await answered(page);
    page.removeAllListeners('console');
    await context.setOffline(true);
    await parts(page).run.click();
    await parts(page).problem.waitFor();
    await eventually(() => parts(page).problem.innerText()).toContain('cannot be reached');
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await answered(page, '100');
    await eventually(() => parts(page).problem.count()).toBe(0);
  });

  test('where the service is away from the start: try again', async () => {
    const { page } = await open({ question: DAY, token: null });
    await parts(page).tokenDialog.waitFor();
    await page.evaluate((token) => sessionStorage.setItem('lqe.token', token), TOKEN);
    await page.route('**/catalogue.json', (route) => route.fulfill({ status: 503, body: 'away' }));
    page.removeAllListeners('console');
    await page.reload();
    await parts(page).problem.waitFor();
    await eventually(() => parts(page).tokenDialog.isVisible()).toBe(false);
    await page.unroute('**/catalogue.json');
    await page.getByRole('button', { name: 'Try again' }).click();
    await answered(page, '100');
  });

  test('while a query runs: it can be cancelled, which ends the request', async () => {
    const { page } = await open({ question: DAY });
    await answered(page);
    const failed = page.waitForEvent('requestfailed');
    await page.route('**/api/**', () => {});
    await runQuery(page, 'select 1 as slow');
    await eventually(() => parts(page).facts.innerText()).toBe('Running…');
    await page.keyboard.press('Escape');
    expect((await failed).failure()?.errorText).toBe('net::ERR_ABORTED');
    await eventually(() => parts(page).facts.innerText()).toContain('Cancelled');
    await page.unroute('**/api/**');
    await parts(page).run.click();
    await answered(page, '1');
  });
});

describe('drafts', () => {
  const language = (page: Page, name: 'SQL' | 'LQL') => page.getByRole('radio', { name, exact: true });
  const choose = (page: Page, name: 'SQL' | 'LQL') => language(page, name).check({ force: true });
  const text = async (page: Page) => {
    const { editor } = parts(page);
    return (await editor.locator('.cm-placeholder').count()) > 0 ? '' : editor.innerText();
  };
  const SQL = 'select id from auth_logs limit 3';
  const LQL = 'f:auth_logs m.status:>=400';

  test('are separate: what is written in SQL is not there in LQL, nor can it be undone into it', async () => {
    const { page } = await open({ question: DAY });
    await answered(page);
    await write(page, SQL);
    await choose(page, 'LQL');
    await eventually(() => text(page)).toBe('');
    await parts(page).editor.focus();
    await page.keyboard.press('Control+z');
    await eventually(() => text(page)).toBe('');
    await write(page, LQL);
    await choose(page, 'SQL');
    await eventually(() => text(page)).toBe(SQL);
    await parts(page).run.click();
    await answered(page, '3');
    await eventually(async () => [question(page).get('sql'), question(page).has('lql')]).toEqual([
      SQL,
      false,
    ]);
    await choose(page, 'LQL');
    await eventually(() => text(page)).toBe(LQL);
  });

  test('outlive a reload, those that have not run yet as well, while the page shows what its address says', async () => {
    const { page } = await open({ question: { ...DAY, sql: SQL } });
    await answered(page, '3');
    await write(page, `${SQL} -- unfinished where`);
    await choose(page, 'LQL');
    await write(page, LQL);
    await page.reload();
    await answered(page, '3');
    await eventually(() => language(page, 'LQL').isChecked()).toBe(true);
    await eventually(() => text(page)).toBe(LQL);
    await eventually(async () => question(page).get('sql')).toBe(SQL);
    await choose(page, 'SQL');
    await eventually(() => text(page)).toBe(`${SQL} -- unfinished where`);
    await page.reload();
    await answered(page, '3');
    await eventually(() => text(page)).toBe(`${SQL} -- unfinished where`);
    await parts(page).run.click();
    await page.waitForFunction(() => location.hash.includes('unfinished'));
  });

  test('of a shared link are its own in its language alone', async () => {
    const { page, context } = await open({ question: { ...DAY, lql: LQL } });
    await answered(page);
    await eventually(async () => [await language(page, 'LQL').isChecked(), await text(page)]).toEqual([
      true,
      LQL,
    ]);
    await choose(page, 'SQL');
    await eventually(() => text(page)).toBe('');
    await write(page, SQL);
    const other = await context.newPage();
    await other.goto(page.url());
    await parts(other).tokenDialog.waitFor();
    await eventually(() => text(other)).toBe(LQL);
    await page.evaluate(() => location.assign('#endpoint=logs.all&project=demo&last=24h&lql=f:edge_logs'));
    await page.waitForFunction(() => location.hash.includes('edge_logs'));
    await answered(page);
    await eventually(async () => [await language(page, 'LQL').isChecked(), await text(page)]).toEqual([
      true,
      'f:edge_logs',
    ]);
    await choose(page, 'SQL');
    await eventually(() => text(page)).toBe(SQL);
    await page.goBack();
    await page.waitForFunction(() => location.hash.includes('auth_logs'));
    await answered(page);
    await eventually(() => text(page)).toBe(LQL);
  });

  test('are walked through in their own language', async () => {
    const { page } = await open({ question: DAY });
    await answered(page);
    await runQuery(page, SQL);
    await answered(page, '3');
    await choose(page, 'LQL');
    await runQuery(page, LQL);
    await page.waitForFunction(() => location.hash.includes('lql='));
    await write(page, 'f:edge_logs');
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Alt+ArrowUp');
    await eventually(async () => [await language(page, 'LQL').isChecked(), await text(page)]).toEqual([
      true,
      LQL,
    ]);
    await page.keyboard.press('Alt+ArrowDown');
    await eventually(() => text(page)).toBe('f:edge_logs');
  });

  test('go on by themselves where an error is shown in the other one', async () => {
    const { page } = await open({ question: DAY, expects: [400] });
    await answered(page);
    await runQuery(page, 'select id,\n  nope from edge_logs');
    await parts(page).problem.waitFor();
    await choose(page, 'LQL');
    await eventually(() => page.locator('.cm-lintRange-error').count()).toBe(0);
    await page.getByRole('button', { name: 'Go to the place' }).click();
    await eventually(() => language(page, 'SQL').isChecked()).toBe(true);
    await page.keyboard.insertText('timestamp -- ');
    await eventually(() => parts(page).editor.innerText()).toContain('  timestamp -- nope');
  });

  test('written before there is a token are run once there is one', async () => {
    const { page } = await open({ question: DAY, token: null });
    const { tokenDialog, run } = parts(page);
    await tokenDialog.getByRole('button', { name: 'Cancel' }).click();
    await write(page, SQL);
    await run.click();
    await tokenDialog.getByLabel('Token').fill(TOKEN);
    await page.keyboard.press('Enter');
    await answered(page, '3');
    await eventually(async () => question(page).get('sql')).toBe(SQL);
  });
});

test('the browser’s back leads out of a link that says less than the page does', async () => {
  const { page } = await open({ question: DAY });
  await answered(page, '100');
  await page.evaluate(() => location.assign('#project=shop'));
  await page.waitForFunction(() => location.hash.includes('endpoint=logs.all&project=shop'));
  await page.goBack();
  await page.waitForFunction(() => location.hash.includes('project=demo'));
  await answered(page, '100');
});

test('an address with invalid parts opens the page too', async () => {
  const nonsense = {
    project: 'demo',
    last: '-1h',
    from: 'x',
    'p.__proto__': '1',
    sql: '',
  };
  const { page } = await open({ question: nonsense });
  await answered(page, /rows/);
  await eventually(() => page.getByLabel('Endpoint').inputValue()).toBe('logs.all');
});

test.each(['__proto__', 'logs.gone'])(
  'an address with the endpoint %s asks no other one',
  async (endpoint) => {
    const { page } = await open({ question: { ...DAY, endpoint } });
    const { problem, lines, run } = parts(page);
    await problem.waitFor();
    await eventually(() => problem.innerText()).toContain(
      `There is no endpoint ${endpoint} for this access token`,
    );
    await eventually(() => lines.count()).toBe(0);
    await run.click();
    await answered(page, '100');
    await eventually(async () => question(page).get('endpoint')).toBe('logs.all');
  },
);

test('the page works below a path of another server', async () => {
  const proxy = await startProxy('/tools/logs/');
  try {
    const { page } = await open({ url: proxy.url, question: DAY });
    await answered(page, '100');
    await parts(page).histogram.waitFor();
    await page.reload();
    await answered(page, '100');
  } finally {
    proxy.close();
  }
});

test('the page’s policy lets it ask no other server and run no code from strings', async () => {
  const { page } = await open({ question: DAY });
  await answered(page);
  page.removeAllListeners('console');
  const blocked = await page.evaluate(async () => {
    const violation = new Promise<string>((resolve) => {
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
        resolve(effectiveDirective),
      );
    });
    const isFetched = await fetch('https://other.example/').then(
      () => true,
      () => false,
    );
    const directive = await violation;
    try {
      document.body.innerHTML = '<b>x</b>';
      return [isFetched, directive, 'innerHTML is let through'];
    } catch (error) {
      return [isFetched, directive, error instanceof TypeError];
    }
  });
  expect(blocked).toEqual([false, 'connect-src', true]);
});
