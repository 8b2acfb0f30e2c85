import type { DuckDBConnection } from '@duckdb/node-api';
import { ConfigurationError } from '../../../errors/configuration-error.ts';
import type { TableSchema } from '../../../schema/table-schema.ts';
import { TIME_COLUMN } from '../../stored-dataset.ts';
import { createTable, tableName } from '../store/log-tables.ts';
import { addedFields, type ColumnTree, columnTree, treeSchema } from './column-tree.ts';
import type { EntryInput } from './entry-input.ts';
import { type EntryWriterOptions, entryWriter } from './entry-writer.ts';
import type { LoadProgress } from './load-progress.ts';
import type { SkippedFile, SourceReport } from './load-report.ts';
import { problemLog } from './problem-log.ts';
import type { Staging } from './staging.ts';
import { openTableSink, type TableSink } from './table-sink.ts';

export interface TableJob extends EntryWriterOptions {
  readonly connection: DuckDBConnection;
  readonly staging: Staging;
  readonly source: string;
  readonly schema: TableSchema;
  readonly inputs: readonly EntryInput[];
  readonly skipInvalid: boolean;
  readonly progress: (progress: LoadProgress) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface LoadedTable {
  readonly schema: TableSchema;
  readonly report: SourceReport;
}

/** Text that is handed to DuckDB at once, in characters: enough to make a statement's cost small. */
const BATCH_CHARS = 2 * 1024 * 1024;

/**
 * Makes a source's table from its entries, sorted by time. An entry that brings a new column when a part of the
 * table is filled already makes all be read once more. Throws a ConfigurationError at a malformed entry unless
 * they are skipped.
 */
export async function loadTable(job: TableJob): Promise<LoadedTable> {
  checkTimeColumn(job.source, job.schema);
  const tree = columnTree(job.schema);
  const totalBytes = job.inputs.reduce((sum, input) => sum + input.bytes, 0);
  let readBefore = 0;
  for (;;) {
    const reading = await readAll(job, tree, { readBefore, totalBytes: readBefore + totalBytes });
    readBefore = reading.bytesRead;
    if (reading.columnsGrew) continue;
    const { rows, skippedFiles } = reading;
    const skipped = skippedFiles.reduce((sum, file) => sum + file.skipped, 0);
    return {
      schema: treeSchema(tree.root),
      report: { rows, skipped, skippedFiles, addedFields: addedFields(tree.root) },
    };
  }
}

interface Reading {
  readonly columnsGrew: boolean;
  readonly rows: number;
  readonly bytesRead: number;
  readonly skippedFiles: readonly SkippedFile[];
}

async function readAll(
  job: TableJob,
  tree: ColumnTree,
  { readBefore, totalBytes }: { readonly readBefore: number; readonly totalBytes: number },
): Promise<Reading> {
  const { version } = tree;
  const writer = entryWriter(tree, job);
  const problems = problemLog(job.skipInvalid);
  let sink: TableSink | null = null;
  let batch: string[] = [];
  let batchChars = 0;
  let rows = 0;
  let bytesRead = readBefore;
  let isSorted = true;
  let lastMicros: bigint | null = null;
  const columnsGrew = () => tree.version !== version;
  const report = (phase: LoadProgress['phase']) =>
    job.progress({ source: job.source, phase, bytesRead, totalBytes, rows });

  const flush = async () => {
    if (!columnsGrew() && batch.length > 0) {
      sink ??= await openTableSink({ ...job, schema: treeSchema(tree.root), sorted: isSorted });
      await sink.insert(batch);
    }
    batch = [];
    batchChars = 0;
  };

  const readInput = async (input: EntryInput) => {
    const before = bytesRead;
    const onBytes = (bytes: number) => {
      bytesRead = before + bytes;
    };
    for await (const entries of input.read(onBytes)) {
      job.signal?.throwIfAborted();
      for (const entry of entries) {
        const written = 'text' in entry ? writer.write(entry.text) : { path: '', reason: entry.problem };
        if ('reason' in written) {
          problems.refuse(input, entry.position, written);
          continue;
        }
        rows += 1;
        if (lastMicros !== null && written.micros < lastMicros) isSorted = false;
        lastMicros = written.micros;
        batch.push(written.text);
        batchChars += written.text.length;
        if (batchChars < BATCH_CHARS) continue;
        // Nothing is stored yet: to start anew is cheaper than to look for further columns first.
        if (sink === null && columnsGrew()) return;
        await flush();
      }
      report('reading');
    }
    bytesRead = before + input.bytes;
  };

  try {
    for (const input of job.inputs) {
      await readInput(input);
      if (sink === null && columnsGrew()) break;
    }
    await flush();
    if (!columnsGrew()) {
      if (!isSorted) report('sorting');
      if (sink === null) await createTable(job.connection, tableName(job.source), treeSchema(tree.root));
      else await (sink as TableSink).finish(isSorted);
      report('done');
    }
    return { columnsGrew: columnsGrew(), rows, bytesRead, skippedFiles: problems.files() };
  } finally {
    await (sink as TableSink | null)?.settle();
  }
}

function checkTimeColumn(source: string, schema: TableSchema): void {
  const column = schema.find(({ name }) => name === TIME_COLUMN);
  if (column?.type === 'TIMESTAMP' && column.mode !== 'REPEATED') return;
  throw new ConfigurationError(`the schema of ${source} needs a column "${TIME_COLUMN}" of type TIMESTAMP`);
}
