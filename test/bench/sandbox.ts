import { makeSandbox } from '../../shared/sql/sandbox/consumer-query.ts';
import { compileQuery } from '../../shared/warehouse/duckdb/compile-query.ts';
import type { BenchContext, Benchmark } from './benchmark.ts';
import { madeDatabase } from './data/made-database.ts';
import { PROJECTS } from './data/made-time.ts';
import { EXPLORER_QUERIES } from './explorer-queries.ts';
import { compare } from './measure.ts';
import { type Measured, milliseconds } from './report.ts';
import { openBenchService } from './support/bench-service.ts';

/** Goal: what the sandbox adds to a query. */
const SANDBOX_MS = 0.5;

const FEWEST_ENTRIES = 10_000;

/** What checking and translating a consumer's query costs, before anything runs. */
export const SANDBOX: Benchmark = { name: 'sandbox', run };

async function run({ budgetMs, say }: BenchContext): Promise<readonly Measured[]> {
  const service = await openBenchService(await madeDatabase(FEWEST_ENTRIES, say));
  try {
    say('sandbox');
    const endpoint = service.deps.endpoints.find('logs.all');
    if (endpoint === undefined) throw new TypeError('there is no logs.all');
    const parameterTypes = new Map(endpoint.parameters.map(({ name, type }) => [name, type]));
    const values = new Map([
      ['project', { type: 'STRING' as const, value: PROJECTS[0] }],
      ['iso_timestamp_start', { type: 'TIMESTAMP' as const, value: null }],
      ['iso_timestamp_end', { type: 'TIMESTAMP' as const, value: null }],
    ]);
    const sandbox = makeSandbox({
      endpointSql: endpoint.sql,
      parameterTypes,
      tables: service.schemas,
      dataset: 'logs',
      forbiddenNames: [],
    });
    const request = new Map([['project', [PROJECTS[0]]]]);
    const texts = EXPLORER_QUERIES.map(({ sql }) => sql);
    const count = { runs: 0 };
    const next = () => {
      count.runs += 1;
      return texts[count.runs % texts.length] ?? '';
    };
    const unseen = () => `select * from (${next()}) as unseen_${count.runs}`;
    const compile = (sql: string) => sandbox.compile(sql, request, values);
    const timings = await compare(
      [
        { name: 'a query seen before', run: async () => compile(next()) },
        { name: 'a new query', run: async () => compile(unseen()) },
        {
          name: 'a new query, translated for DuckDB too',
          run: async () => {
            const { sql } = compile(unseen());
            return compileQuery(sql, service.schemas, parameterTypes, endpoint.maxRows);
          },
        },
      ],
      budgetMs,
    );
    return timings.map(({ name, p50, p99 }, index) => ({
      benchmark: 'Sandbox, before anything runs',
      what: name,
      entries: FEWEST_ENTRIES,
      figures: { p50: milliseconds(p50), p99: milliseconds(p99) },
      goal: index === 0 ? { text: `≤ ${SANDBOX_MS} ms`, isMet: p50 <= SANDBOX_MS } : null,
    }));
  } finally {
    await service.close();
  }
}
