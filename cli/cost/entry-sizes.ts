import { DEMO_SOURCES, demoEntries } from '../../shared/demo-logs/demo-entries.ts';
import { ConfigurationError } from '../../shared/errors/configuration-error.ts';
import { type LeafBytes, leafMeter } from '../../shared/schema/leaf-bytes.ts';
import type { TableSchema, TableSchemas } from '../../shared/schema/table-schema.ts';
import { MICROS_PER_MS } from '../../shared/time/units.ts';
import { readLines } from '../../shared/warehouse/duckdb/loading/read-lines.ts';
import { findSourceFiles, type SourceFile } from '../../shared/warehouse/duckdb/loading/source-files.ts';

/** Where the demo logs' clock stands, so that they are the same in every run. */
const DEMO_NOW_MICROS = BigInt(Date.UTC(2026, 0, 31, 12)) * MICROS_PER_MS;

/** What entries take by source and leaf. */
export type EntrySizes = ReadonlyMap<string, LeafBytes>;

/** Measures the demo logs; sources that have none are left out. */
export function measureDemoLogs(schemas: TableSchemas): EntrySizes {
  return new Map(
    [...schemas].flatMap(([source, schema]) => {
      if (!DEMO_SOURCES.includes(source)) return [];
      const meter = leafMeter(schema);
      for (const line of demoEntries(source, DEMO_NOW_MICROS)) meter.add(JSON.parse(line));
      return [[source, meter.total()] as const];
    }),
  );
}

/**
 * Measures the NDJSON files of a folder, named as `lqe load` takes them; sources without a file are left out. Throws a
 * ConfigurationError that names the file and line.
 */
export async function measureLogs(directory: string, schemas: TableSchemas): Promise<EntrySizes> {
  const ignored: string[] = [];
  const files = await findSourceFiles(directory, [...schemas.keys()], (line) => void ignored.push(line));
  const sizes = new Map<string, LeafBytes>();
  for (const [source, schema] of schemas) {
    const found = files.get(source) ?? [];
    if (found.length > 0) sizes.set(source, await measureFiles(found, schema));
  }
  if (sizes.size > 0) return sizes;
  throw new ConfigurationError(
    [`${directory}: there are no logs to measure, such as edge_logs.ndjson`, ...ignored].join('\n'),
  );
}

async function measureFiles(files: readonly SourceFile[], schema: TableSchema): Promise<LeafBytes> {
  const meter = leafMeter(schema);
  for (const file of files) {
    if (file.format === 'parquet')
      throw new ConfigurationError(`${file.path}: only .ndjson and .ndjson.gz files can be measured`);
    for await (const lines of readLines(file, () => {})) {
      for (const line of lines) {
        const at = `${file.path}:${line.position}`;
        if ('problem' in line) throw new ConfigurationError(`${at}: ${line.problem}`);
        meter.add(entryOf(line.text, at));
      }
    }
  }
  const total = meter.total();
  if (total.entries === 0) throw new ConfigurationError(`${files[0]?.path}: it has no entries to measure`);
  return total;
}

function entryOf(text: string, at: string): unknown {
  try {
    const entry: unknown = JSON.parse(text);
    if (typeof entry === 'object' && entry !== null && !Array.isArray(entry)) return entry;
  } catch {
    // What is wrong is said below.
  }
  throw new ConfigurationError(`${at}: it is not a JSON object`);
}
