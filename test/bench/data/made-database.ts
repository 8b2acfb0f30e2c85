import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DuckDBConnection } from '@duckdb/node-api';
import { loadTableSchemas } from '../../../shared/schema/load-table-schemas.ts';
import { quoteLiteral } from '../../../shared/warehouse/duckdb/quote.ts';
import { columnDefinitions } from '../../../shared/warehouse/duckdb/store/column-type.ts';
import {
  NESTED_LAYOUT,
  physicalColumns,
  type TableLayout,
} from '../../../shared/warehouse/duckdb/store/layout.ts';
import { createTable, LOGS_CATALOG, tableName } from '../../../shared/warehouse/duckdb/store/log-tables.ts';
import { checkpointLogs, openStore, type Store } from '../../../shared/warehouse/duckdb/store/open-store.ts';
import { writeStoredSchemas } from '../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import { edgeEntries } from './edge-entries.ts';
import { copyByHand, copyFlat } from './flat-layout.ts';
import { authEntries, postgresEntries } from './other-entries.ts';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
const SOURCES = join(REPOSITORY, 'queries/sources');

/** Entries made by one INSERT; as many as fit into memory with all their nested values. */
const BATCH = 131_072;

/** The other sources are read by queries over a million entries only. */
const MOST_OF_OTHERS = 1_000_000;

const MAKERS = {
  edge_logs: edgeEntries,
  postgres_logs: postgresEntries,
  auth_logs: authEntries,
} as const;

/** Where what was made is kept. */
export const BENCH_FOLDER = join(tmpdir(), 'lqe-bench');

/** How the made entries lie in the file. */
export interface MadeForm {
  /**
   * `flat`: as the service lays them out. `lists`: with records as lists of structs, as the service did before. `by-hand`: a
   * column for each field, and nothing that the service could open.
   */
  readonly layout?: 'flat' | 'lists' | 'by-hand';
  /** How many of a thousand edge requests have two responses. */
  readonly twicePerMille?: number;
}

/** Of the entries that are made when nothing else is asked for. */
const TWICE_PER_MILLE = 10;

/**
 * A DuckDB file with this many made entries. It is made once and kept in the system's temporary folder, under a name that
 * changes with everything that its contents depend on.
 */
export async function madeDatabase(
  entries: number,
  say: (line: string) => void,
  { layout = 'flat', twicePerMille = TWICE_PER_MILLE }: MadeForm = {},
): Promise<string> {
  const file = join(BENCH_FOLDER, `${fingerprint()}-${entries}-${twicePerMille}-${layout}.duckdb`);
  if (existsSync(file)) return file;
  await mkdir(BENCH_FOLDER, { recursive: true, mode: 0o700 });
  const lists =
    layout === 'lists' ? null : await madeDatabase(entries, say, { layout: 'lists', twicePerMille });
  const unfinished = `${file}.${process.pid}`;
  const startMs = performance.now();
  try {
    const store = await openStore({ databaseFile: unfinished, memoryLimitMiB: 4096 });
    try {
      if (lists === null) await fillWithMadeEntries(store, entries, twicePerMille);
      else await fillFromLists(store, lists, layout);
    } finally {
      await store.close();
    }
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
    await rm(`${unfinished}.wal`, { force: true });
  }
  say(
    `made ${entries} entries, ${layout}, in ${Math.round((performance.now() - startMs) / 1000)} s: ${file}`,
  );
  return file;
}

/** Copies the entries of a file into another layout. */
async function fillFromLists(store: Store, file: string, layout: MadeForm['layout']): Promise<void> {
  const schemas = await loadTableSchemas(SOURCES);
  await store.use(async (connection) => {
    await connection.run(`ATTACH ${quoteLiteral(file)} AS lists (READ_ONLY)`);
    const layouts = new Map<string, TableLayout>();
    for (const [source, schema] of schemas) {
      const copy = { source, schema, from: 'lists', into: LOGS_CATALOG };
      if (layout === 'by-hand') await copyByHand(connection, copy);
      else layouts.set(source, await copyFlat(connection, copy));
    }
    if (layout === 'flat') await writeStoredSchemas(connection, schemas, layouts);
    await checkpointLogs(connection);
    await connection.run('DETACH lists');
  });
}

/** Puts made entries into an empty store: as many into edge_logs, up to a million into the other sources. */
async function fillWithMadeEntries(store: Store, entries: number, twicePerMille: number): Promise<void> {
  const schemas = await loadTableSchemas(SOURCES);
  await store.use(async (connection) => {
    for (const [source, schema] of schemas) {
      await createTable(connection, tableName(source), physicalColumns(schema, NESTED_LAYOUT));
    }
    for (const [source, make] of Object.entries(MAKERS)) {
      const metadata = schemas.get(source)?.find(({ name }) => name === 'metadata');
      if (metadata === undefined) throw new TypeError(`${source} has no metadata`);
      const count = source === 'edge_logs' ? entries : Math.min(entries, MOST_OF_OTHERS);
      await insert(connection, source, count, (from, to) =>
        make(count, from, to, columnDefinitions(metadata.fields), twicePerMille),
      );
    }
    await writeStoredSchemas(connection, schemas);
    await checkpointLogs(connection);
  });
}

async function insert(
  connection: DuckDBConnection,
  source: string,
  count: number,
  entries: (from: number, to: number) => string,
): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const to = Math.min(from + BATCH, count);
    await connection.run(`INSERT INTO ${tableName(source)} BY NAME ${entries(from, to)}`);
  }
}

/** Changes with the generator, the version of the layout and the schemas. */
function fingerprint(): string {
  const files = [
    ...['edge-entries', 'other-entries', 'made-time', 'made-values', 'made-database', 'flat-layout'].map(
      (name) => `test/bench/data/${name}.ts`,
    ),
    'shared/warehouse/duckdb/store/layout.ts',
    'shared/warehouse/duckdb/store/stored-schemas.ts',
    ...Object.keys(MAKERS).map((source) => `queries/sources/${source}.json`),
    'node_modules/@duckdb/node-api/package.json',
  ];
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(REPOSITORY, file)));
  return hash.digest('hex').slice(0, 12);
}
