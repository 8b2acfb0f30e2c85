import { beforeAll, describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { makeTableCheck } from '../../../shared/warehouse/bigquery/jobs/table-check.ts';
import { makeRestApi } from '../../../shared/warehouse/bigquery/rest/rest-api.ts';
import { locateSources, tableName } from '../../../shared/warehouse/bigquery/source-tables.ts';
import { CONTRACT_TABLES } from '../../shared/warehouse/contract/contract-logs.ts';
import { EMULATED_PROJECT } from '../support/bigquery-emulator.ts';
import { emulatorHost, makeDataset, makeEmptyDataset, runStatement } from './support/emulated-dataset.ts';

const schemas = CONTRACT_TABLES;
const names = { raw: '', views: '', secret: '' };

beforeAll(async () => {
  names.raw = await makeDataset(schemas, new Map());
  names.views = await makeEmptyDataset();
  names.secret = await makeDataset(schemas, new Map());
  const { raw, views, secret } = names;
  await runStatement(
    `CREATE VIEW ${views}.inner_edge AS SELECT * FROM ${raw}.edge_logs WHERE id != 'hidden'`,
  );
  await runStatement(`CREATE VIEW ${views}.edge AS SELECT e.* FROM ${views}.inner_edge AS e`);
  await runStatement(`CREATE VIEW ${views}.secrets AS SELECT * FROM ${secret}.edge_logs`);
});

/** Asks the check about a text in which the service's own analyzer has found these sources and no others. */
async function outcomeOf(text: string, sources: readonly string[]): Promise<'allowed' | 'refused'> {
  const { raw, views, secret } = names;
  const tables = locateSources({
    sources: schemas.keys(),
    project: EMULATED_PROJECT,
    dataset: raw,
    logTables: new Map([['edge_logs', `${views}.edge`]]),
  });
  const api = makeRestApi({ project: EMULATED_PROJECT, emulatorHost: emulatorHost() });
  const warnings: unknown[] = [];
  const warn = (_: string, fields?: unknown) => warnings.push(fields);
  const check = makeTableCheck({ api, schemas, tables, warn, nowMs: () => 0 });
  const query = text.replaceAll('{raw}', raw).replaceAll('{views}', views).replaceAll('{secret}', secret);
  const places = sources.flatMap((source) => tables.get(source) ?? []);
  const prepared = {
    ...{ query, queryParameters: [], labels: {}, columns: [] },
    sources: new Set(sources),
    tables: new Set(places.map(tableName)),
  };
  const options = { location: null, signal: new AbortController().signal, delayMs: () => 1 };
  try {
    await check(prepared, options);
    expect(warnings).toEqual([]);
    return 'allowed';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    expect(error.message).toBe('The query may only read the sources of the endpoint.');
    expect(warnings).toHaveLength(1);
    return 'refused';
  }
}

describe("the check of tables, by Google's analyzer, allows", () => {
  test.each<[string, string, string[]]>([
    ['a table', 'SELECT id FROM {raw}.auth_logs', ['auth_logs']],
    ['a view over a view', 'SELECT id FROM {views}.edge', ['edge_logs']],
    [
      'both',
      'WITH e AS (SELECT * FROM {views}.edge) SELECT e.id FROM e JOIN {raw}.auth_logs AS a USING (id)',
      ['edge_logs', 'auth_logs'],
    ],
    ['nothing', 'SELECT x FROM UNNEST([1, 2]) AS x WHERE FALSE', ['edge_logs']],
    [
      'elements of what a view has',
      'SELECT r.path FROM {views}.edge AS e, e.metadata AS m, m.request AS r',
      ['edge_logs'],
    ],
  ])('%s', async (_, text, sources) => {
    expect(await outcomeOf(text, sources)).toBe('allowed');
  });
});

describe("the check of tables, by Google's analyzer, refuses what our own has not found:", () => {
  test.each<[string, string, string[]]>([
    ['another table', 'SELECT id FROM {secret}.edge_logs', ['edge_logs']],
    ['a source that the query does not name', 'SELECT id FROM {raw}.auth_logs', ['edge_logs']],
    ['a view over another table', 'SELECT id FROM {views}.secrets', ['edge_logs']],
    ['a join', 'SELECT e.id FROM {views}.edge AS e CROSS JOIN {secret}.auth_logs', ['edge_logs']],
    ['a comma', 'SELECT 1 FROM {views}.edge, {secret}.auth_logs', ['edge_logs']],
    ['a subquery', 'SELECT (SELECT MAX(id) FROM {secret}.auth_logs) FROM {views}.edge', ['edge_logs']],
    ['EXISTS', 'SELECT 1 FROM {views}.edge WHERE EXISTS (SELECT 1 FROM {secret}.auth_logs)', ['edge_logs']],
    ['IN', 'SELECT 1 FROM {views}.edge WHERE id IN (SELECT id FROM {secret}.auth_logs)', ['edge_logs']],
    ['ARRAY', 'SELECT ARRAY(SELECT id FROM {secret}.auth_logs) FROM {views}.edge', ['edge_logs']],
    ['a union', 'SELECT id FROM {views}.edge UNION ALL SELECT id FROM {secret}.auth_logs', ['edge_logs']],
    ['a CTE', 'WITH edge AS (SELECT id FROM {secret}.edge_logs) SELECT id FROM edge', ['edge_logs']],
    [
      'pipe syntax',
      'FROM {views}.edge |> JOIN {secret}.auth_logs AS a ON TRUE |> AGGREGATE COUNT(*)',
      ['edge_logs'],
    ],
    [
      'a raw string that ends earlier than it looks',
      String.raw`SELECT r'\'' AS a, id FROM {secret}.auth_logs -- '`,
      ['edge_logs'],
    ],
    ['three quotes', `SELECT '''a' , ''' AS b, id FROM {secret}.auth_logs -- '''`, ['edge_logs']],
    ['a path in one pair of backquotes', 'SELECT id FROM `{secret}.auth_logs`', ['edge_logs']],
  ])('%s', async (_, text, sources) => {
    expect(await outcomeOf(text, sources)).toBe('refused');
  });
});
