import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { servicePaths } from '../../shared/openapi/service-paths.ts';
import { BEGINS, seriesOf, withOutage } from './support/made-metrics.ts';
import { LOGGED_RESOURCES, METRIC_TYPES, promqlName, selectorsOf } from './support/metric-types.ts';
import { CHECK_IDS, OUTAGES, quietDay } from './support/outages.ts';
import { minutesWithResult, type Series } from './support/promql-engine.ts';
import { instances } from './support/resources.ts';
import { applied, GIVEN, type Resource, terraformTest } from './support/terraform-test.ts';

const page = readFileSync('docs/operations.md', 'utf8');

/** The text below a heading, up to the next one of its level or above. */
function section(level: string, heading: string): string {
  const [, text = ''] = page.split(`\n${level} ${heading}\n`);
  return text.split(new RegExp(`^#{2,${level.length}} `, 'm'))[0] ?? '';
}

const policyValues = z.object({
  display_name: z.string(),
  conditions: z.array(
    z.object({
      condition_prometheus_query_language: z.tuple([z.object({ query: z.string(), duration: z.string() })]),
    }),
  ),
  documentation: z.tuple([z.object({ content: z.string(), links: z.array(z.object({ url: z.string() })) })]),
});

interface Alert {
  readonly key: string;
  readonly name: string;
  readonly content: string;
  readonly links: readonly string[];
  readonly queries: readonly { readonly query: string; readonly minutes: number }[];
}

function alertsOf(resources: readonly Resource[]): readonly Alert[] {
  return [...instances(resources, 'google_monitoring_alert_policy', 'alert')].map(([key, values]) => {
    const { display_name, conditions, documentation } = policyValues.parse(values);
    const [{ content, links }] = documentation;
    const queries = conditions.map(({ condition_prometheus_query_language: [{ query, duration }] }) => {
      return { query, minutes: Number.parseInt(duration, 10) / 60 };
    });
    return {
      key,
      name: display_name.replace('lqe: ', ''),
      content,
      links: links.map(({ url }) => url),
      queries,
    };
  });
}

const checkIds = Object.entries(CHECK_IDS).map(
  ([name, id]) => `override_resource {
  target = google_monitoring_uptime_check_config.public["${name}"]
  values = { uptime_check_id = "${id}" }
}`,
);

let resources: readonly Resource[];
let alerts: readonly Alert[];
beforeAll(async () => {
  const variables = `${GIVEN}\n  runbook_url = "https://example.com/operations.md"`;
  const outcomes = await terraformTest({
    ingest: applied(`${variables}\n  ingest = true`, checkIds.join('\n')),
  });
  resources = outcomes.get('ingest')?.resources ?? [];
  alerts = alertsOf(resources);
});

/** The names of the alerts that ring some time after the outage began; their conditions hold for as long as they say. */
async function ringing(series: readonly Series[]): Promise<readonly string[]> {
  const conditions = alerts.flatMap(({ name, queries }) => queries.map((one) => ({ name, ...one })));
  const found = await minutesWithResult(
    conditions.map(({ query }) => query),
    series,
    [BEGINS - 20, 180],
  );
  const rings = conditions.filter(({ minutes }, index) => {
    const held = new Set(found[index]);
    return [...held].some((minute) =>
      Array.from({ length: minutes + 1 }, (_, later) => minute + later).every((one) => held.has(one)),
    );
  });
  return [...new Set(rings.map(({ name }) => name))].sort();
}

const outageRows = (section('##', 'Outages and alerts').split('\n### ')[0] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => line.slice(2, -2).split(' | '))
  .map(
    ([outage = '', names = '']) =>
      [
        outage,
        [...names.matchAll(/\[([^\]]+)\]\(#([a-z-]+)\)/g)].map(
          ([, name = '', anchor = '']) => [name, anchor] as const,
        ),
      ] as const,
  );

describe('the table of outages in docs/operations.md', () => {
  test('has the outages that are tried here, twelve at least', () => {
    expect(outageRows.map(([outage]) => outage)).toEqual(Object.keys(OUTAGES));
    expect(outageRows.length).toBeGreaterThanOrEqual(12);
  });

  test('names alerts that there are, and each of them', () => {
    const named = new Map(outageRows.flatMap(([, links]) => links));
    expect([...named.keys()].sort()).toEqual(alerts.map(({ name }) => name).sort());
    expect([...named].filter(([name, anchor]) => anchor !== name.toLowerCase().replaceAll(' ', '-'))).toEqual(
      [],
    );
  });
});

describe('on a quiet day', () => {
  test('no alert rings', async () => {
    expect(await ringing(seriesOf(quietDay()))).toEqual([]);
  });
});

describe('in an outage', () => {
  test.each(Object.keys(OUTAGES))('those alerts ring that the table says: %s', async (outage) => {
    const [, links = []] = outageRows.find(([name]) => name === outage) ?? [];
    const series = seriesOf(withOutage(quietDay(), OUTAGES[outage] ?? []));
    expect(await ringing(series)).toEqual(links.map(([name]) => name).sort());
  });
});

describe('each alert', () => {
  test('has a section that says what it means, where to look first, what to do and how to silence it', () => {
    for (const { key, name, content } of alerts) {
      const text = section('###', name);
      const [meaning = ''] = content.split(' What to do: ');
      expect([name, text.includes(`**What it means.** ${meaning}`)]).toEqual([name, true]);
      const parts = ['**First look.**', '**What to do.**', '**To silence it.**'];
      expect([name, parts.filter((part) => !text.includes(part))]).toEqual([name, []]);
      expect([name, text.includes(`\`${key}\``)]).toEqual([name, true]);
    }
  });

  test('leads to its section, in words and by its link', () => {
    for (const { name, content, links } of alerts) {
      const anchor = `operations.md#${name.toLowerCase().replaceAll(' ', '-')}`;
      expect(content).toContain(`docs/${anchor}.`);
      expect(links).toEqual([`https://example.com/${anchor}`]);
    }
  });

  test('is one that a section is about, and no section is about another', () => {
    const headings = [...section('##', 'Alerts').matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
    expect(headings.sort()).toEqual(alerts.map(({ name }) => name).sort());
  });
});

describe('docs/operations.md', () => {
  test('has headings with unique anchors, which its links and the alerts name', () => {
    const anchors = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    );
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([]);
    const named = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(named.filter((anchor) => !anchors.includes(anchor ?? ''))).toEqual([]);
    expect(alerts.filter(({ key }) => !anchors.includes(key))).toEqual([]);
  });

  test('names every threshold, and none that there is not', () => {
    const variables = readFileSync('terraform/variables.tf', 'utf8');
    const [, object = ''] =
      /variable "alert_thresholds" \{[\s\S]*?object\(\{([\s\S]*?)\}\)/.exec(variables) ?? [];
    const thresholds = [...object.matchAll(/^ +(\w+) += optional/gm)].map(([, name]) => name);
    const text = section('##', 'Alerts');
    expect(thresholds.length).toBeGreaterThan(5);
    expect(thresholds.filter((name) => !text.includes(`${name}`))).toEqual([]);
    const named = [...text.matchAll(/alert_thresholds\.(\w+)/g)].map(([, name]) => name);
    expect(named.filter((name) => !thresholds.includes(name))).toEqual([]);
  });
});

describe('the checks from outside', () => {
  test('want what the service answers on their pages', () => {
    const checks = [...instances(resources, 'google_monitoring_uptime_check_config', 'public').values()];
    expect(checks).toHaveLength(2);
    for (const { http_check, content_matchers } of checks) {
      const [{ path }] = z.tuple([z.object({ path: z.string() })]).parse(http_check);
      const [{ content }] = z.tuple([z.object({ content: z.string() })]).parse(content_matchers);
      const { status } = z.object({ status: z.string() }).parse(JSON.parse(content));
      expect(JSON.stringify(servicePaths()[path])).toContain(`"properties":{"status":{"const":"${status}"}}`);
    }
  });
});

describe('the queries of alerts and dashboard', () => {
  const queries = () => {
    const dashboard = String(
      instances(resources, 'google_monitoring_dashboard').get('service')?.dashboard_json,
    );
    const tiles = [...dashboard.matchAll(/"prometheusQuery":("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) =>
      String(JSON.parse(text)),
    );
    return { alerts: alerts.flatMap((alert) => alert.queries.map(({ query }) => query)), tiles };
  };

  test('are over metrics that exist, of resources and with labels that they have', () => {
    const logged = [...instances(resources, 'google_logging_metric').values()];
    for (const query of [...queries().alerts, ...queries().tiles]) {
      const selectors = selectorsOf(query);
      expect([query, selectors.length > 0]).toEqual([query, true]);
      for (const { metric, suffix, matchers } of selectors) {
        const known = METRIC_TYPES.find(({ type }) => promqlName(type) === metric);
        const own = logged.find(({ name }) => promqlName(`logging.googleapis.com/user/${name}`) === metric);
        expect([metric, known !== undefined || own !== undefined]).toEqual([metric, true]);
        if (known !== undefined)
          expect([metric, suffix !== '']).toEqual([metric, known.kind === 'distribution']);
        const ofOwn = Object.keys((own?.label_extractors as object | null) ?? {});
        const resource = matchers.get('monitored_resource') ?? Object.keys(known?.resources ?? {})[0] ?? '';
        const ofResource = (known?.resources ?? LOGGED_RESOURCES)[resource] ?? [];
        const labels = ['monitored_resource', ...ofResource, ...(known?.labels ?? ofOwn)];
        expect([metric, [...matchers.keys()].filter((label) => !labels.includes(label))]).toEqual([
          metric,
          [],
        ]);
      }
    }
  });

  test('of alerts name the resource that they are about', () => {
    const unnamed = queries()
      .alerts.flatMap(selectorsOf)
      .filter(({ matchers }) => !matchers.has('monitored_resource'));
    expect(unnamed).toEqual([]);
  });

  test('read all that the table of metrics in docs/operations.md has, and nothing else', () => {
    const rows = section('###', 'What alerts read')
      .split('\n')
      .flatMap((line) => /^\| `([^`]+)`/.exec(line)?.[1] ?? []);
    const read = new Set(
      queries()
        .alerts.flatMap(selectorsOf)
        .map(({ metric }) => metric),
    );
    expect(new Set(rows.map((type) => promqlName(type.replace('/user/PREFIX', '/user/lqe'))))).toEqual(read);
  });
});
