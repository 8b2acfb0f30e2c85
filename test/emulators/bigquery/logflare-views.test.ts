import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { demoEntries } from '../../../shared/demo-logs/demo-entries.ts';
import { loadTableSchemas } from '../../../shared/schema/load-table-schemas.ts';
import type { FieldSchema, TableSchema, TableSchemas } from '../../../shared/schema/table-schema.ts';
import { runLqe } from '../../cli/support/run-lqe.ts';
import {
  type RealService,
  rowsOf,
  startRealService,
  startWithLogs,
} from '../../data/support/real-service.ts';
import { codeBlocks } from '../../docs/support/code-blocks.ts';
import { EMULATED_PROJECT } from '../support/bigquery-emulator.ts';
import {
  emulatorHost,
  forgetJobs,
  makeDataset,
  makeEmptyDataset,
  runStatement,
} from './support/emulated-dataset.ts';
import { readEntry } from './support/typed-literals.ts';

const PAGE = 'docs/deploy.md';
const NOW_MICROS = 1_769_861_400_000_000n;
/** Few enough for the emulator. */
const ENTRIES = 40;

/** The views of the page, by their source, with the name of Logflare's table that each is over. */
const VIEWS = new Map(
  codeBlocks(PAGE)
    .filter(({ info }) => info === 'sql view')
    .map(({ text }) => {
      const [, source = ''] = /^CREATE VIEW `acme-logs`\.`log_views`\.`(\w+)` AS$/m.exec(text) ?? [];
      const [, table = ''] = /^FROM `acme-logflare`\.`1_prod`\.`(\w+)`$/m.exec(text) ?? [];
      return [source, { text, table }] as const;
    }),
);

/** The tables of the page's last `log_tables`; those that are named are in `views`. */
function logTablesIn(views: string): Record<string, string | null> {
  const settings = codeBlocks(PAGE).filter(
    ({ info, text }) => info === 'hcl' && text.startsWith('log_tables'),
  );
  const lines = [...(settings.at(-1)?.text ?? '').matchAll(/^ {2}(\w+) += (?:null|"log_views\.(\w+)")$/gm)];
  return Object.fromEntries(
    lines.map(([, source, view]) => [source, view === undefined ? null : `${views}.${view}`]),
  );
}

/** A schema in which each field is changed, or left out where `change` answers null. Paths are such as `metadata.request.sb`. */
function changed(
  schema: TableSchema,
  change: (path: string, field: FieldSchema) => FieldSchema | null,
  prefix = '',
): TableSchema {
  return schema.flatMap((field) => {
    const path = `${prefix}${field.name}`;
    const own = change(path, field);
    return own === null ? [] : [{ ...own, fields: changed(own.fields, change, `${path}.`) }];
  });
}

const NOT_IN_LOGFLARE = new Set([
  'project',
  'metadata.request.sb',
  'metadata.load_balancer_redirect_identifier',
  'metadata.project_ref',
]);

/** As Logflare's tables of the page are. */
function logflareSchema(schema: TableSchema): TableSchema {
  return changed(schema, (path, field) => {
    if (NOT_IN_LOGFLARE.has(path)) return null;
    return path === 'metadata.response.origin_time' ? { ...field, type: 'FLOAT64' } : field;
  });
}

/** An entry with nothing but what a schema has. */
function fitted(schema: TableSchema, entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const values = schema.map(({ name, fields }) => {
    const value = entry[name];
    if (fields.length === 0 || !Array.isArray(value)) return [name, value] as const;
    return [
      name,
      value.map((element) => fitted(fields, element as Readonly<Record<string, unknown>>)),
    ] as const;
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null));
}

let folder: string;
let schemas: TableSchemas;
let logTables: Record<string, string | null>;
/** The dataset of Logflare's tables. */
let logflare: string;
let overViews: RealService;
let onDuckDb: RealService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logflare-'));
  schemas = await loadTableSchemas('queries/sources');
  const tables = new Map<string, TableSchema>();
  const lines = new Map<string, readonly string[]>();
  const expected: Record<string, object[]> = {};
  for (const [source, { table }] of VIEWS) {
    const schema = logflareSchema(schemas.get(source) ?? []);
    const entries = [...demoEntries(source, NOW_MICROS)]
      .filter((line) => source === 'edge_logs' || line.includes('"project":"default"'))
      .slice(-ENTRIES)
      .map((line) => readEntry(line));
    tables.set(table, schema);
    lines.set(
      table,
      entries.map((entry) => JSON.stringify(entry)),
    );
    expected[source] = entries.map((entry) => {
      const { metadata, ...own } = fitted(schema, entry) as { metadata: object[] };
      const scoped = source === 'function_logs' ? { project_ref: 'default' } : {};
      return { ...own, project: entry.project, metadata: metadata.map((one) => ({ ...one, ...scoped })) };
    });
  }
  logflare = await makeDataset(tables, lines);
  const views = await makeEmptyDataset();
  for (const { text } of VIEWS.values()) {
    await runStatement(
      text
        .replace('`acme-logs`.`log_views`', `\`${EMULATED_PROJECT}\`.\`${views}\``)
        .replace('`acme-logflare`.`1_prod`', `\`${EMULATED_PROJECT}\`.\`${logflare}\``),
    );
  }
  logTables = logTablesIn(views);
  overViews = await startRealService(
    ...['--warehouse', 'bigquery', '--google-project', EMULATED_PROJECT],
    ...['--log-tables', JSON.stringify(logTables)],
  );
  onDuckDb = await startWithLogs(expected);
  overViews.nowMicros = NOW_MICROS;
  onDuckDb.nowMicros = NOW_MICROS;
});
afterAll(async () => {
  await overViews.close();
  await onDuckDb.close();
  await rm(folder, { recursive: true });
});
afterEach(forgetJobs);

/** Asks both; expects one answer, with rows where `hasRows`. */
async function expectSame(endpoint: string, parameters: Readonly<Record<string, string>>): Promise<number> {
  const query = new URLSearchParams(parameters);
  const there = rowsOf<object>(await overViews.ask(endpoint, query));
  expect(there).toEqual(rowsOf<object>(await onDuckDb.ask(endpoint, query)));
  return there.length;
}

describe("the page's views over Logflare's tables", () => {
  test('are there for sources of each kind, and settings name every source', () => {
    expect([...VIEWS.keys()]).toEqual(['edge_logs', 'postgres_logs', 'function_logs']);
    expect(Object.keys(logTables)).toEqual([...schemas.keys()]);
  });

  test('answer logs.all, for each project', async () => {
    for (const project of ['demo', 'default']) {
      expect(await expectSame('logs.all', { project })).toBeGreaterThan(0);
    }
    expect(await expectSame('logs.all', { project: 'nobody' })).toBe(0);
  });

  test.each(['minutely', 'hourly', 'daily'])('answer usage.api-counts, %s', async (interval) => {
    expect(await expectSame('usage.api-counts', { interval, project: 'demo|default' })).toBeGreaterThan(0);
  });

  test.each([...VIEWS.keys()])("answer consumers' queries over %s", async (source) => {
    const project = 'default';
    const sql = `select id, timestamp, event_message, metadata from ${source} order by timestamp desc, id`;
    expect(await expectSame('logs.all', { project, sql })).toBeGreaterThan(0);
    const count = `select count(*) as n from ${source} as t cross join unnest(t.metadata) as m`;
    expect(await expectSame('logs.all', { project, sql: count })).toBe(1);
    expect(await expectSame('logs.all', { project, lql: `f:${source} s:timestamp s:id` })).toBeGreaterThan(0);
  });

  test('answer what Studio asks of fields that the tables lack', async () => {
    const sql =
      'select id, m.load_balancer_redirect_identifier as lb, array_length(r.sb) as sb, o.origin_time from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r cross join unnest(m.response) as o order by id';
    expect(await expectSame('logs.all', { project: 'default', sql })).toBeGreaterThan(0);
  });
});

describe('an absent source', () => {
  const project = 'default';

  test.each([
    'select id, timestamp, event_message, metadata from auth_logs',
    'select m.level, m.auth_event from auth_logs cross join unnest(metadata) as m',
    'select auth_logs.id from auth_logs left join unnest(auth_logs.metadata) as m on true',
  ])('answers no rows: %s', async (sql) => {
    expect(rowsOf(await overViews.ask('logs.all', new URLSearchParams({ project, sql })))).toEqual([]);
  });

  test('counts as nothing beside one that is there', async () => {
    const sql =
      'select count(*) as entries, countif(source = "auth") as auth from (select "auth" as source from auth_logs union all select "edge" from edge_logs)';
    const [row] = rowsOf<{ entries: number; auth: number }>(
      await overViews.ask('logs.all', new URLSearchParams({ project, sql })),
    );
    expect(row?.auth).toBe(0);
    expect(row?.entries).toBeGreaterThan(0);
  });

  test('is refused what it has no column for, as any source', async () => {
    const sql = 'select nope from auth_logs';
    const answer = await overViews.ask('logs.all', new URLSearchParams({ project, sql }));
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('nope')]);
  });

  test.each([
    ['sql', 'select id from auth_logs'],
    ['lql', 'f:auth_logs'],
  ])('is named by an explanation of %s', async (language, text) => {
    const query = new URLSearchParams({ project, explain: 'true', [language]: text });
    const { explain } = (await overViews.ask('logs.all', query)).json() as {
      explain: { warnings: string[]; sources: string[]; columns: object[] };
    };
    expect(explain.warnings).toContain(
      'The source auth_logs is absent here: it has no table, and so no entries.',
    );
    expect(explain.sources).toEqual(['auth_logs']);
    expect(explain.columns.length).toBeGreaterThan(0);
  });

  test('is not named where another is read', async () => {
    const query = new URLSearchParams({ project, explain: 'true', sql: 'select id from edge_logs' });
    const answer = await overViews.ask('logs.all', query);
    expect([answer.status, answer.text]).toEqual([200, expect.not.stringContaining('absent')]);
  });
});

describe('lqe check', () => {
  async function check(
    tables: Readonly<Record<string, string | null>>,
    more: Readonly<Record<string, string>> = {},
  ) {
    const env = {
      BIGQUERY_EMULATOR_HOST: emulatorHost(),
      METADATA_SERVER_DETECTION: 'none',
      LQE_WAREHOUSE: 'bigquery',
      LQE_GOOGLE_PROJECT: EMULATED_PROJECT,
      LQE_LOG_TABLES: JSON.stringify(tables),
      ...more,
    };
    const { stdout } = await runLqe(['check'], { cwd: folder, env }).ended;
    return stdout
      .split('\n')
      .filter((line) => line.includes('  BigQuery: ') || line.includes('LQE_LOG_TABLES'));
  }

  test('finds nothing wrong with the views, and names the absent sources', async () => {
    const absent = Object.keys(logTables).filter((source) => logTables[source] === null);
    expect((await check(logTables)).sort()).toEqual(
      absent
        .map((source) => expect.stringContaining(`warning  BigQuery: the source ${source} is absent`))
        .sort(),
    );
  });

  test("reports what Logflare's table lacks and has otherwise, by path", async () => {
    const raw = `${logflare}.${VIEWS.get('edge_logs')?.table}`;
    const lines = (await check({ ...logTables, edge_logs: raw })).filter((line) => line.startsWith('error'));
    const table = `the table ${EMULATED_PROJECT}.${raw} (edge_logs)`;
    expect(lines.sort()).toEqual([
      expect.stringContaining(
        `${table} has the column metadata.response.origin_time as FLOAT64 in place of INT64; name a view`,
      ),
      expect.stringContaining(
        `${table} lacks the column metadata.load_balancer_redirect_identifier (STRING); add it`,
      ),
      expect.stringContaining(`${table} lacks the column metadata.request.sb (ARRAY<STRUCT>); add it`),
      expect.stringContaining(`${table} lacks the column project (STRING); add it`),
    ]);
  });

  test('reports missing tables, and sources that nothing names', async () => {
    const [gone] = (await check({ ...logTables, edge_logs: 'no_such.table' })).filter((line) =>
      line.startsWith('error'),
    );
    expect(gone).toContain(
      `there is no table or view ${EMULATED_PROJECT}.no_such.table, which LQE_LOG_TABLES names for edge_logs; create it`,
    );
    const { auth_logs: _, ...others } = logTables;
    expect(await check({ ...others, egde_logs: null })).toEqual([
      expect.stringContaining('LQE_LOG_TABLES names "egde_logs", which is no source'),
      expect.stringContaining('LQE_LOG_TABLES has no table for auth_logs; name their tables'),
    ]);
  });
});
