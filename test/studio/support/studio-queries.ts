import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type RealService, rowsOf } from '../../data/support/real-service.ts';

const FOLDER = new URL('../queries/', import.meta.url).pathname;

/** A query as Supabase Studio sends one. */
export interface StudioQuery {
  /** The page or report that sends it: the folder. */
  readonly kind: string;
  readonly name: string;
  /** GoogleSQL with `{{source.field}}`, or `{{source.id of /path/}}`, where the value of an entry stands. */
  readonly sql: string;
}

/** The queries of each kind; one is added by a file. */
export const STUDIO_QUERIES: readonly StudioQuery[] = readdirSync(FOLDER, {
  recursive: true,
  encoding: 'utf8',
})
  .filter((path) => path.endsWith('.sql'))
  .sort()
  .map((path) => ({
    kind: dirname(path),
    name: basename(path, '.sql'),
    sql: readFileSync(join(FOLDER, path), 'utf8'),
  }));

const PLACEHOLDER = /\{\{(\w+)\.(\w+)(?: of (\S+))?\}\}/g;

/** Sends a query as Studio does, with the parameters it sends besides; answers its rows. Throws on any other answer. */
export async function sendAsStudio(
  service: RealService,
  project: string,
  { sql }: StudioQuery,
): Promise<readonly object[]> {
  const given: string[] = [];
  for (const [, source = '', field = '', path] of sql.matchAll(PLACEHOLDER))
    given.push(await valueIn(service, project, { source, field, path }));
  const filled = sql.replace(PLACEHOLDER, () => given.shift() ?? '');
  return ask(service, project, filled);
}

async function ask(service: RealService, project: string, sql: string): Promise<readonly object[]> {
  const parameters = {
    project,
    key: 'studio',
    hash: 'af3',
    iso_timestamp_start: '2026-01-24T12:10:00.000Z',
    iso_timestamp_end: '2026-01-31T12:10:00.000Z',
    sql,
  };
  return rowsOf(await service.ask('logs.all', new URLSearchParams(parameters)));
}

/** A value of the newest entry that has one, and a request below a path where one is asked for. */
async function valueIn(
  service: RealService,
  project: string,
  { source, field, path }: { source: string; field: string; path: string | undefined },
): Promise<string> {
  const column = field === 'id' ? 't.id' : `m.${field}`;
  const isBelow = path === undefined ? 'true' : `r.path like '${path}%'`;
  const requests = path === undefined ? '' : 'cross join unnest(m.request) as r';
  const sql = `select ${column} as value from ${source} as t cross join unnest(t.metadata) as m ${requests}
    where ${column} is not null and ${isBelow} order by t.timestamp desc limit 1`;
  const [row] = (await ask(service, project, sql)) as { value: string }[];
  if (row === undefined) throw new Error(`no entry of ${source} has ${field}`);
  return row.value;
}
