import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import sqlParser from 'node-sql-parser';
import { z } from 'zod';
import { functionName } from '../../shared/endpoints/function-name.ts';
import { instances } from './support/resources.ts';
import { accountOverride, applied, GIVEN, type Resource, terraformTest } from './support/terraform-test.ts';

const settings = z.object({ name: z.string(), warmEverySeconds: z.number().nullable() });
const endpoints = readdirSync('queries')
  .filter((file) => file.endsWith('.json'))
  .map((file) => settings.parse(JSON.parse(readFileSync(`queries/${file}`, 'utf8'))));

/** The log tables of a stored query, as another parser than Terraform's expression finds them. */
function tablesOf(endpoint: string): string[] {
  const sql = readFileSync(`queries/${endpoint}.sql`, 'utf8');
  const found = new sqlParser.Parser().tableList(sql, { database: 'bigquery' });
  return found.flatMap((entry) => {
    const [, dataset, table] = entry.split('::');
    return dataset === 'logs' && table !== undefined ? [table] : [];
  });
}

const iam = z.object({
  role: z.string(),
  member: z.string().optional(),
  members: z.array(z.string()).optional(),
  project: z.string(),
  name: z.string().optional(),
  table_id: z.string().optional(),
  secret_id: z.string().optional(),
  condition: z.array(z.object({ expression: z.string() })).optional(),
});

/** Each grant as `who role on what`. */
function grants(resources: readonly Resource[]): string[] {
  const people = new Map(
    [...instances(resources, 'google_service_account')].map(([name, { member }]) => [String(member), name]),
  );
  return resources
    .filter(({ type }) => /_iam_(member|binding|policy|audit_config)$/.test(type))
    .flatMap(({ type, values }) => {
      const { role, member, members = [], condition = [], ...target } = iam.parse(values);
      const on = {
        google_project_iam_member: 'project',
        google_bigquery_table_iam_member: `table ${target.table_id}`,
        google_cloud_run_v2_service_iam_binding: `function ${target.name}`,
        google_secret_manager_secret_iam_binding: `secret ${target.secret_id}`,
      }[type];
      const where = condition.map(({ expression }) => ` if ${expression}`).join('');
      return [...members, ...(member === undefined ? [] : [member])].map(
        (who) => `${people.get(who) ?? who} ${role} on ${on}${where}`,
      );
    });
}

const database = (name: string) => `resource.name == "projects/acme-logs/databases/lqe-${name}"`;

/** What a function needs: to run queries, to read its tables, to write results. */
function rightsOf(name: string, tables: readonly string[]): string[] {
  return [
    `${name} roles/bigquery.jobUser on project`,
    `${name} roles/datastore.user on project if ${database('results')}`,
    ...tables.map((table) => `${name} roles/bigquery.dataViewer on table ${table}`),
  ];
}

/** The buckets with the functions' code: that of the bundles, and the platform's copies. */
const SOURCES = ['acme-logs-lqe-source', 'gcf-v2-sources-123456789012-europe-west1']
  .map((bucket) => `resource.name.startsWith("projects/_/buckets/${bucket}/")`)
  .join(' || ');

let resources: readonly Resource[];
beforeAll(async () => {
  const functions = [...endpoints.map(({ name }) => functionName(name)), 'gateway', 'warm'];
  const identities = [
    ...functions.map((name) => accountOverride(`google_service_account.function["${name}"]`, name)),
    ...['build', 'scheduler'].map((name) => accountOverride(`google_service_account.${name}`, name)),
  ];
  const outcomes = await terraformTest({ all: applied(GIVEN, identities.join('\n')) });
  resources = outcomes.get('all')?.resources ?? [];
});

describe('who may do what', () => {
  test('is what each function needs, and no other account has any', () => {
    const called = [...endpoints.map(({ name }) => functionName(name)), 'gateway'];
    const warmed = endpoints.filter(({ warmEverySeconds }) => warmEverySeconds !== null);
    const expected = [
      ...endpoints.flatMap(({ name }) => rightsOf(functionName(name), tablesOf(name))),
      ...rightsOf('warm', [...new Set(warmed.flatMap(({ name }) => tablesOf(name)))]),
      ...rightsOf('gateway', [...new Set(endpoints.flatMap(({ name }) => tablesOf(name)))]),
      ...called.map((name) => `${name} roles/datastore.viewer on project if ${database('tokens')}`),
      ...called.map((name) => `allUsers roles/run.invoker on function lqe-${name}`),
      'scheduler roles/run.invoker on function lqe-warm',
      ...called.map((name) => `${name} roles/secretmanager.secretAccessor on secret lqe-cursor-key`),
      'build roles/artifactregistry.writer on project',
      'build roles/logging.logWriter on project',
      `build roles/storage.objectViewer on project if ${SOURCES}`,
    ];
    expect(grants(resources).sort()).toEqual(expected.sort());
  });

  test('is not shared: each function runs as its own account', () => {
    const accounts = instances(resources, 'google_service_account', 'function');
    const emails = resources
      .filter(({ type }) => type === 'google_cloudfunctions2_function')
      .map(({ values }) =>
        z
          .object({
            name: z.string(),
            service_config: z.array(z.object({ service_account_email: z.string() })),
          })
          .parse(values),
      );
    for (const { name, service_config } of emails) {
      expect(service_config.map((config) => config.service_account_email)).toEqual([
        accounts.get(name.replace('lqe-', ''))?.email,
      ]);
    }
    expect(new Set(emails.map(({ service_config }) => service_config[0]?.service_account_email)).size).toBe(
      emails.length,
    );
  });

  test('reads all nine tables for logs.all and one for usage.api-counts', () => {
    expect(tablesOf('logs.all')).toHaveLength(9);
    expect(tablesOf('usage.api-counts')).toEqual(['edge_logs']);
  });
});
