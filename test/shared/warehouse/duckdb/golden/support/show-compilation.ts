import { loadEndpoints } from '../../../../../../shared/endpoints/load-endpoints.ts';
import { compileLql } from '../../../../../../shared/lql/compile.ts';
import { parseLql } from '../../../../../../shared/lql/parse.ts';
import { loadTableSchemas } from '../../../../../../shared/schema/load-table-schemas.ts';
import type { TableSchema } from '../../../../../../shared/schema/table-schema.ts';
import { analyze } from '../../../../../../shared/sql/analyzer/analyze.ts';
import { parseStatement } from '../../../../../../shared/sql/parser/parse-query.ts';
import type { ParameterName } from '../../../../../../shared/sql/resolved/expression.ts';
import type { ResolvedScan } from '../../../../../../shared/sql/resolved/scan.ts';
import { makeSandbox } from '../../../../../../shared/sql/sandbox/consumer-query.ts';
import { COMPOSED_LIMITS } from '../../../../../../shared/sql/text/sql-limits.ts';
import type { ParameterType, QueryParameter } from '../../../../../../shared/sql/types/query-parameter.ts';
import { compileQuery } from '../../../../../../shared/warehouse/duckdb/compile-query.ts';
import type { Presence } from '../../../../../../shared/warehouse/duckdb/store/layout.ts';
import type { KnownData } from '../../../../../../shared/warehouse/duckdb/translate/passes/known-data.ts';
import type { Translation } from '../../../../../../shared/warehouse/duckdb/translate/translate.ts';
import { STORED_DATASET } from '../../../../../../shared/warehouse/stored-dataset.ts';
import { PlanNames } from '../../../../sql/resolved/support/plan-names.ts';
import { printPlan } from '../../../../sql/resolved/support/print-plan.ts';
import { type PassedPlan, passAnalyzed } from '../../support/run-each-pass.ts';
import type { GoldenQuery } from './golden-query.ts';
import { renumber, wrapSql } from './wrap-sql.ts';

const PAGE_ROWS = 1000;
const NOW_MICROS = 1_769_861_400_000_000n;

const endpoints = await loadEndpoints('queries');
const TABLES = await loadTableSchemas('queries/sources');
const LOGS_ALL = endpoints.find('logs.all')!;

/** All tables have entries of two days. */
const TIME_RANGES: KnownData['timeRanges'] = new Map(
  [...TABLES.keys()].map((table) => [
    table,
    { firstMicros: NOW_MICROS - 172_800_000_000n, lastMicros: NOW_MICROS },
  ]),
);

/** All records are flat, as loads make them; some entries lack each, and those of auth_logs may have one twice. */
const LAYOUTS: KnownData['layouts'] = new Map(
  [...TABLES].map(([table, schema]) => [
    table,
    { flat: new Map(recordsOf(schema, '')), hasRepeated: table === 'auth_logs' },
  ]),
);

function recordsOf(fields: TableSchema, parent: string): readonly (readonly [string, Presence])[] {
  return fields
    .filter(({ type }) => type === 'STRUCT')
    .flatMap(({ name, fields: nested }) => {
      const path = `${parent}${name}`;
      return [[path, 'sometimes'] as const, ...recordsOf(nested, `${path}.`)];
    });
}

const sandbox = makeSandbox({
  endpointSql: LOGS_ALL.sql,
  parameterTypes: new Map(LOGS_ALL.parameters.map(({ name, type }) => [name, type])),
  tables: TABLES,
  dataset: STORED_DATASET,
  forbiddenNames: [],
});

/** Parameters that no query here is given; how they are bound does not matter to a compiled query. */
const BOUND: ReadonlyMap<string, QueryParameter> = new Map(
  LOGS_ALL.parameters.map(({ name, type }) => [name, { type, value: null }]),
);

interface ComposedQuery {
  readonly sql: string;
  readonly parameterTypes: ReadonlyMap<string, ParameterType>;
}

/** A golden query as the warehouse is given it. */
function composed({ name, language, text }: GoldenQuery): ComposedQuery {
  if (language === 'stored') {
    const endpoint = endpoints.all.find(({ sql }) => sql.trim() === text);
    if (endpoint === undefined) throw new TypeError(`no endpoint has the query of ${name}`);
    return { sql: text, parameterTypes: new Map(endpoint.parameters.map((one) => [one.name, one.type])) };
  }
  const { sql, parameters } =
    language === 'sql' ? sandbox.compile(text, new Map(), BOUND) : sandboxedLql(text);
  return { sql, parameterTypes: new Map([...parameters].map(([key, { type }]) => [key, type])) };
}

function sandboxedLql(text: string) {
  const options = { sources: sandbox.schemas, nowMicros: NOW_MICROS, parameterPrefix: 'lql_' };
  const { tree, parameters } = compileLql(text, parseLql(text), options);
  return sandbox.compile(tree, new Map(), BOUND, parameters);
}

/** The DuckDB SQL of a golden query: of its rows, and of what finds the end of a slice. */
export function translationsOf(query: GoldenQuery): readonly Translation[] {
  const { sql, parameterTypes } = composed(query);
  const compiled = compileQuery(sql, TABLES, parameterTypes, PAGE_ROWS, knownOf(query));
  return compiled.paging.kind === 'slices' ? [compiled, compiled.paging.search] : [compiled];
}

function knownOf({ nullParameters }: GoldenQuery): KnownData {
  return { timeRanges: TIME_RANGES, layouts: LAYOUTS, nullParameters: new Set(nullParameters) };
}

/** The text of a golden file: the query, its plan after analysis and after the passes, and what DuckDB runs. */
export function showCompilation(query: GoldenQuery): string {
  const { sql, parameterTypes } = composed(query);
  const known = knownOf(query);
  const parameters = new Map([...parameterTypes].map(([name, kind]) => [name, { kind }]));
  const catalog = { dataset: STORED_DATASET, tables: TABLES, parameters };
  const analyzed = analyze(parseStatement(sql, COMPOSED_LIMITS), sql, catalog);
  const { scan } = analyzed.query;
  const passed = passAnalyzed(analyzed, PAGE_ROWS, known);
  const [compiled, search] = translationsOf(query);

  const names = new PlanNames();
  const sections = [
    section(`Query (${query.language})`, query.text),
    section('Plan after analysis', printPlan(scan, names)),
    `Pages: ${PAGES[passed.paging.kind]}`,
    afterPasses(scan, passed, names),
  ];
  if (compiled !== undefined) sections.push(section('DuckDB SQL', sqlText(compiled, names)));
  if (search !== undefined) {
    sections.push(section('DuckDB SQL that finds the end of a slice', sqlText(search, names)));
  }
  const nulls = query.nullParameters ?? [];
  if (nulls.length > 0) sections.unshift(`NULL: ${nulls.map((name) => `@${name}`).join(', ')}`);
  return `${sections.join('\n\n')}\n`;
}

const PAGES = {
  'one-page': 'one',
  stream: 'from a stream',
  slices: 'from slices of time',
} as const;

/** The plan after the passes, with the names of those that changed it; nothing where it stayed as it was. */
function afterPasses(scan: ResolvedScan, { plan, changedBy }: PassedPlan, names: PlanNames): string {
  if (printPlan(plan) === printPlan(scan)) return 'No pass changes the plan.';
  const title = changedBy.length === 0 ? 'Plan of a page' : `Plan after passes: ${changedBy.join(', ')}`;
  return section(title, printPlan(plan, names));
}

function sqlText({ sql, parameters }: Translation, names: PlanNames): string {
  const list = parameters.map((name, index) => `$${index + 1} = ${parameterText(name)}`).join(', ');
  return `${list === '' ? '' : `-- ${list}\n`}${wrapSql(renumber(sql, names))}`;
}

function parameterText(name: ParameterName): string {
  return typeof name === 'symbol' ? `<${name.description ?? ''}>` : name;
}

function section(title: string, text: string): string {
  return `${title}\n${'-'.repeat(title.length)}\n${text}`;
}
