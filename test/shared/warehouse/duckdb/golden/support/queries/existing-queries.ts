import { loadEndpoints } from '../../../../../../../shared/endpoints/load-endpoints.ts';
import { STUDIO_QUERIES } from '../../../../../../studio/support/studio-queries.ts';
import type { GoldenQuery } from '../golden-query.ts';

/** The requests of Supabase Studio that each stand for others of their shape. */
const STUDIO = [
  'api-reports/network-traffic',
  'api-reports/requests-by-country',
  'api-reports/top-error-routes',
  'auth-reports/active-users',
  'auth-reports/sign-in-latency-by-grant',
  'auth-reports/usage',
  'explorer-templates/auth-endpoints',
  'explorer-templates/busiest-paths',
  'explorer-templates/callers-addresses',
  'explorer-templates/rest-requests',
  'explorer-templates/storage-egress',
  'function-reports/lines-of-failed-calls',
  'guides/calls-by-role',
  'guides/data-api-errors-by-hour',
  'guides/either-source-of-functions',
  'log-pages/auth-chart',
  'log-pages/auth-list',
  'log-pages/edge-older-page',
  'log-pages/one-entry-edge',
  'request-flow/postgres',
];

/** Where Studio puts a value of an entry. */
const PLACEHOLDER = /\{\{.*?\}\}/g;

/** What this file asks of the explorer's module, which is checked as a browser's. */
interface ExplorerExamples {
  examplesFor(
    language: GoldenQuery['language'],
    sources: readonly { readonly name: string; readonly columns: readonly unknown[] }[],
  ): readonly { readonly title: string; readonly query: string }[];
}
const EXAMPLES = new URL('../../../../../../../explorer/page/examples.js', import.meta.url).href;

export async function existingQueries(): Promise<readonly GoldenQuery[]> {
  return [...(await storedQueries()), ...studioQueries(), ...explorerExamples(await import(EXAMPLES))];
}

async function storedQueries(): Promise<GoldenQuery[]> {
  const { all } = await loadEndpoints('queries');
  return all.flatMap(({ name, sql, parameters }) => {
    const optional = parameters.filter(({ required }) => !required).map((parameter) => parameter.name);
    const given: GoldenQuery = { name: `stored ${name}`, language: 'stored', text: sql.trim() };
    if (optional.length === 0) return [given];
    return [given, { ...given, name: `${given.name} without bounds`, nullParameters: optional }];
  });
}

function studioQueries(): GoldenQuery[] {
  return STUDIO.map((path) => {
    const query = STUDIO_QUERIES.find(({ kind, name }) => `${kind}/${name}` === path);
    if (query === undefined) throw new TypeError(`no query of Studio is called ${path}`);
    const text = query.sql.replace(PLACEHOLDER, 'f1000000-aaaa-4bbb-8ccc-000000000001').trim();
    return { name: `studio ${path.replace('/', ' ')}`, language: 'sql', text };
  });
}

function explorerExamples({ examplesFor }: ExplorerExamples): GoldenQuery[] {
  const sources = ['edge_logs', 'postgres_logs', 'auth_logs'].map((name) => ({ name, columns: [] }));
  return (['sql', 'lql'] as const).flatMap((language) =>
    examplesFor(language, sources).map(({ title, query }): GoldenQuery => {
      return { name: `explorer ${language} ${title}`, language, text: query };
    }),
  );
}
