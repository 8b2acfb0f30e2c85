import type { DuckDBConnection } from '@duckdb/node-api';
import { ConfigurationError } from '../../../errors/configuration-error.ts';
import type { TableSchema } from '../../../schema/table-schema.ts';
import { TIME_COLUMN } from '../../stored-dataset.ts';
import type { TableLayout } from '../store/layout.ts';
import {
  addedFields,
  type ColumnTree,
  columnTree,
  makeNested,
  mostRepeated,
  startReading,
  treeSchema,
} from './column-tree.ts';
import type { EntryInput } from './entry-input.ts';
import { type EntryWriterOptions, entryWriter } from './entry-writer.ts';
import type { LoadProgress } from './load-progress.ts';
import type { SkippedFile, SourceReport } from './load-report.ts';
import { packRows, type WrittenRow } from './packed-columns.ts';
import { problemLog } from './problem-log.ts';
import type { WrittenEntry } from './record-writer.ts';
import type { Staging } from './staging.ts';
import { openTableSink, type TableSink } from './table-sink.ts';

/** As columns of the table, or as lists in the columns of the schema. */
export type RecordForm = 'flat' | 'nested';

/** How to load the entries of one source. */
export interface TableJob extends EntryWriterOptions {
  readonly connection: DuckDBConnection;
  readonly staging: Staging;
  readonly source: string;
  readonly schema: TableSchema;
  /** How records are kept to begin with. */
  readonly records: RecordForm;
  readonly inputs: readonly EntryInput[];
  readonly skipInvalid: boolean;
  readonly progress: (progress: LoadProgress) => void;
  readonly signal?: AbortSignal | undefined;
}

/** How a table is stored after its load, and what became of its entries. */
export interface LoadedTable {
  readonly schema: TableSchema;
  readonly layout: TableLayout;
  readonly report: SourceReport;
}

/** Text that is handed to DuckDB at once, in characters: enough to make a statement's cost small. */
const BATCH_CHARS = 2 * 1024 * 1024;

/** With a greater part of repeated entries, one record more is kept as a list; with fewer of them it does not matter. */
const MOST_REPEATED = 0.2;
const LEAST_REPEATED = 1_000;
/** Before the end, so many entries have to agree: the first ones may be of one kind. */
const ENTRIES_TO_JUDGE = 50_000;

/**
 * Makes a source's tables from its entries, sorted by time. An entry that brings a new column when a part of the
 * tables is filled already makes all be read once more, as do many entries that have a flat record twice. Throws a ConfigurationError at a malformed entry unless
 * they are skipped.
 */
export async function loadTable(job: TableJob): Promise<LoadedTable> {
  checkTimeColumn(job.source, job.schema);
  const tree = columnTree(job.schema, job.records);
  const totalBytes = job.inputs.reduce((sum, input) => sum + input.bytes, 0);
  let readBefore = 0;
  for (;;) {
    const reading = await readAll(job, tree, { readBefore, totalBytes: readBefore + totalBytes });
    readBefore = reading.bytesRead;
    if (reading.layout === null) continue;
    const { rows, skippedFiles, layout } = reading;
    const skipped = skippedFiles.reduce((sum, file) => sum + file.skipped, 0);
    return {
      schema: treeSchema(tree.root),
      layout,
      report: { rows, skipped, skippedFiles, addedFields: addedFields(tree.root) },
    };
  }
}

interface Reading {
  /** Null where the columns have changed, so that all has to be read once more. */
  readonly layout: TableLayout | null;
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
  startReading(tree.root);
  const writer = entryWriter(tree, job);
  const problems = problemLog(job.skipInvalid);
  const canRepeat = job.inputs.every((input) => input.canRepeat);
  const [main, repeated] = [batchOf(false), batchOf(true)];
  let sink: TableSink | null = null;
  let rows = 0;
  let repeatedRows = 0;
  let bytesRead = readBefore;
  let isSorted = true;
  let lastMicros: bigint | null = null;
  const hasChanged = () => tree.version !== version;
  const report = (phase: LoadProgress['phase']) =>
    job.progress({ source: job.source, phase, bytesRead, totalBytes, rows });

  const openSink = async () => {
    sink ??= await openTableSink({ ...job, tree, sorted: isSorted });
    return sink;
  };

  const flush = async (batch: Batch) => {
    if (!hasChanged() && batch.rows.length > 0) {
      const packed = packRows(batch.rows, batch.mayHaveSeparator ? 'json' : 'plain');
      await (await openSink()).insert(packed, batch.areRepeated);
    }
    batch.rows = [];
    batch.chars = 0;
    batch.mayHaveSeparator = false;
  };

  const judgeRecords = () => {
    if (!canRepeat || repeatedRows < LEAST_REPEATED || repeatedRows <= rows * MOST_REPEATED) return;
    const record = mostRepeated(tree.root);
    if (record !== null) makeNested(tree, record);
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
        addTo(main, written.row, written);
        if (written.repeatedRow !== null) {
          repeatedRows += 1;
          addTo(repeated, written.repeatedRow, written);
        }
        for (const batch of [main, repeated]) {
          if (batch.chars < BATCH_CHARS) continue;
          // Nothing is stored yet: to start anew is cheaper than to look for further columns first.
          if (sink === null && hasChanged()) return;
          if (rows >= ENTRIES_TO_JUDGE && !hasChanged()) judgeRecords();
          await flush(batch);
        }
      }
      report('reading');
    }
    bytesRead = before + input.bytes;
  };

  try {
    for (const input of job.inputs) {
      await readInput(input);
      if (sink === null && hasChanged()) break;
    }
    if (!hasChanged()) judgeRecords();
    for (const batch of [main, repeated]) await flush(batch);
    let layout: TableLayout | null = null;
    if (!hasChanged()) {
      if (!isSorted) report('sorting');
      layout = await (await openSink()).finish(isSorted);
      report('done');
    }
    return { layout, rows, bytesRead, skippedFiles: problems.files() };
  } finally {
    await (sink as TableSink | null)?.settle();
  }
}

/** Rows that are handed to DuckDB together. */
interface Batch {
  readonly areRepeated: boolean;
  rows: WrittenRow[];
  chars: number;
  mayHaveSeparator: boolean;
}

function batchOf(areRepeated: boolean): Batch {
  return { areRepeated, rows: [], chars: 0, mayHaveSeparator: false };
}

function addTo(batch: Batch, row: WrittenRow, { length, mayHaveSeparator }: WrittenEntry): void {
  batch.rows.push(row);
  batch.chars += length;
  batch.mayHaveSeparator ||= mayHaveSeparator;
}

function checkTimeColumn(source: string, schema: TableSchema): void {
  const column = schema.find(({ name }) => name === TIME_COLUMN);
  if (column?.type === 'TIMESTAMP' && column.mode !== 'REPEATED') return;
  throw new ConfigurationError(`the schema of ${source} needs a column "${TIME_COLUMN}" of type TIMESTAMP`);
}
