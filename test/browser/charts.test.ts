import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
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

test.each([1280, 1400, 400])('nothing moves while a chart is pointed at, %d pixels wide', async (width) => {
  const question = { endpoint: 'usage.api-counts', project: 'demo', 'p.interval': 'daily' };
  const { page } = await open({ question, viewport: { width, height: 860 } });
  await answered(page);
  const places = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('#chart svg, #chart .key, #chart select, #rows')].map((part) => {
        const { x, y } = part.getBoundingClientRect();
        return [Math.round(x), Math.round(y)];
      }),
    );
  const before = await places();
  const time = page.locator('.legend-end .readout');
  const drawing = await page.locator('#chart > svg').boundingBox();
  for (const share of [0.3, 0.6, 0.95]) {
    await page.mouse.move((drawing?.x ?? 0) + (drawing?.width ?? 0) * share, (drawing?.y ?? 0) + 60);
    await eventually(() => time.innerText()).toMatch(/^01-\d\d 00:00:00$/);
    expect(await places()).toEqual(before);
  }
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

const STATUSES = `select r.status_code as status, count(*) as n from edge_logs, unnest(metadata) m, unnest(m.response) r
  group by 1 order by 2 desc`;

test.each([1280, 400])(
  'categories are bars, columns or shares, as one chooses, %d pixels wide',
  async (width) => {
    const { page } = await open({ question: { ...DAY, sql: STATUSES }, viewport: { width, height: 860 } });
    await answered(page);
    const { chart, lines } = parts(page);
    const count = await lines.count();
    const kind = page.getByLabel('Kind of chart');
    await eventually(() => kind.inputValue()).toBe('bars');
    const sides = async () => {
      const boxes = await chart
        .locator('svg rect')
        .evaluateAll((bars) =>
          bars.map((bar) => [bar.getBoundingClientRect().left, bar.getBoundingClientRect().bottom]),
        );
      return [0, 1].map((side) => new Set(boxes.map((box) => Math.round(box[side] ?? 0))).size);
    };
    // Bars begin at one line at the left, columns at one line at the bottom.
    await eventually(sides).toEqual([1, count]);
    await kind.selectOption('Columns');
    await eventually(sides).toEqual([count, 1]);
    await eventually(() => chart.locator('svg rect.part-error').count()).toBeGreaterThan(0);
    await kind.selectOption('Shares of the total');
    const percents = async () =>
      (await chart.locator('svg').innerHTML())
        .matchAll(/>([\d.]+)% \(/g)
        .reduce((sum, [, text]) => sum + Number(text), 0);
    await eventually(async () => Math.abs((await percents()) - 100) < 2).toBe(true);
    await eventually(() => page.evaluate(() => document.activeElement?.className)).toBe('chart-kind');
  },
);

test('warnings are striped where no histogram is drawn', async () => {
  const question = {
    endpoint: 'usage.api-counts',
    project: 'demo',
    'p.interval': 'daily',
    sql: STATUSES,
  };
  const { page } = await open({ question });
  await answered(page);
  const { chart } = parts(page);
  const warning = chart.locator('rect.part-warning').first();
  await warning.waitFor();
  await eventually(() => page.locator('#histogram').isVisible()).toBe(false);
  await eventually(() => page.locator('svg:not(#histogram svg) #stripes').count()).toBe(1);
});

/** What is wrong with the labels of times below the histogram. */
async function labelFaults(page: Page): Promise<readonly string[]> {
  const labels = await page.locator('#histogram svg text[text-anchor="middle"]').evaluateAll((texts) =>
    texts.map((text) => {
      const { left, right } = text.getBoundingClientRect();
      return { text: text.textContent, left, right };
    }),
  );
  const width = page.viewportSize()?.width ?? 0;
  return [
    ...(labels.length > 1 ? [] : ['there are too few']),
    ...(/^(2026-)?01-\d\d/.test(labels[0]?.text ?? '') ? [] : ['the first has no day']),
    ...labels.flatMap(({ text, left }, index) =>
      left > (labels[index - 1]?.right ?? 0) ? [] : [`${text} overlaps`],
    ),
    ...((labels.at(-1)?.right ?? 0) < width ? [] : ['the last one is cut off']),
  ];
}

test.each(['15m', '6h', '24h', '7d', '30d'])(
  'times on an axis name their first day and do not overlap: %s',
  async (last) => {
    const { page } = await open({ question: { ...DAY, last } });
    await answered(page);
    await page.locator('#histogram[aria-busy="false"] .drawing').waitFor();
    for (const width of [1400, 560, 400]) {
      await page.setViewportSize({ width, height: 860 });
      await eventually(() => labelFaults(page)).toEqual([]);
    }
  },
);
