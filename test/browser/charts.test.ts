import { expect, test } from '@jest/globals';
import { useBrowser } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import { answered, DAY, parts } from './support/explorer.ts';

const open = useBrowser();

const LONG = `select timestamp_trunc(t.timestamp, hour) as hour, p.error_severity as severity, count(*) as n
  from postgres_logs t, unnest(metadata) m, unnest(m.parsed) p where p.error_severity is not null group by 1, 2 order by 1`;

test('time, category and number are a series for each category, drawn as one chooses', async () => {
  const { page } = await open({ question: { ...DAY, sql: LONG } });
  await answered(page);
  const { chart } = parts(page);
  const legend = await chart.locator('.legend').innerText();
  for (const name of ['LOG', 'ERROR', 'FATAL', 'WARNING']) expect(legend).toContain(name);
  await eventually(() => chart.locator('g.severity-error').count()).toBe(1);
  const kind = page.getByLabel('Kind of chart');
  await eventually(() => kind.inputValue()).toBe('lines');
  await kind.selectOption('stacked');
  await chart.locator('.series-bar').first().waitFor({ state: 'attached' });
  await eventually(() => page.evaluate(() => document.activeElement?.className)).toBe('chart-kind');
});

test('a few categories are bars, one below the other', async () => {
  const sql =
    'select r.method, count(*) as n from edge_logs, unnest(metadata) m, unnest(m.request) r group by 1 order by 2 desc';
  const { page } = await open({ question: { ...DAY, sql } });
  await answered(page);
  const { chart, lines } = parts(page);
  await eventually(() => chart.locator('svg rect').count()).toBe(await lines.count());
  await eventually(() => chart.locator('.legend').innerText()).toContain('total');
});
