import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DuckDBConnection } from '@duckdb/node-api';
import { loadTableSchemas } from '../../../shared/schema/load-table-schemas.ts';
import type { TableSchemas } from '../../../shared/schema/table-schema.ts';
import { columnDefinitions } from '../../../shared/warehouse/duckdb/store/column-type.ts';
import { NESTED_LAYOUT, physicalColumns } from '../../../shared/warehouse/duckdb/store/layout.ts';
import { createTable, tableName } from '../../../shared/warehouse/duckdb/store/log-tables.ts';
import { checkpointLogs, openStore, type Store } from '../../../shared/warehouse/duckdb/store/open-store.ts';
import { writeStoredSchemas } from '../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import { edgeEntries } from './edge-entries.ts';
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

/**
 * A DuckDB file with this many made entries, as the service lays it out. It is made once and kept in the system's
 * temporary folder, under a name that changes with everything that its contents depend on.
 */
export async function madeDatabase(entries: number, say: (line: string) => void): Promise<string> {
  const folder = join(tmpdir(), 'lqe-bench');
  const file = join(folder, `${fingerprint()}-${entries}.duckdb`);
  if (existsSync(file)) return file;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${process.pid}`;
  const startMs = performance.now();
  try {
    const store = await openStore({ databaseFile: unfinished, memoryLimitMiB: 4096 });
    try {
      await fillWithMadeEntries(store, entries);
    } finally {
      await store.close();
    }
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
    await rm(`${unfinished}.wal`, { force: true });
  }
  say(`made ${entries} entries in ${Math.round((performance.now() - startMs) / 1000)} s: ${file}`);
  return file;
}

/** Puts made entries into an empty store: as many into edge_logs, up to a million into the other sources. */
export async function fillWithMadeEntries(store: Store, entries: number): Promise<TableSchemas> {
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
        make(count, from, to, columnDefinitions(metadata.fields)),
      );
    }
    await writeStoredSchemas(connection, schemas);
    await checkpointLogs(connection);
  });
  return schemas;
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
    ...['edge-entries', 'other-entries', 'made-time', 'made-values', 'made-database'].map(
      (name) => `test/bench/data/${name}.ts`,
    ),
    'shared/warehouse/duckdb/store/stored-schemas.ts',
    ...Object.keys(MAKERS).map((source) => `queries/sources/${source}.json`),
    'node_modules/@duckdb/node-api/package.json',
  ];
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(REPOSITORY, file)));
  return hash.digest('hex').slice(0, 12);
}
