import {
  type DuckDBConnection,
  DuckDBListType,
  DuckDBStructType,
  type DuckDBType,
  DuckDBTypeId,
} from '@duckdb/node-api';
import { ConfigurationError } from '../../../errors/configuration-error.ts';
import { quoteIdentifier, quoteLiteral } from '../quote.ts';
import type { RawEntries, RawEntry } from './raw-entry.ts';
import type { SourceFile } from './source-files.ts';

/**
 * The rows of a Parquet file as JSON text, numbered from 1, so that they pass the same checks as lines do.
 * Timestamps become microseconds, BYTES base64. Throws a ConfigurationError when the file is not Parquet.
 */
export async function* readParquet(
  connection: DuckDBConnection,
  file: SourceFile,
  onBytes: (bytes: number) => void,
): RawEntries {
  try {
    const input = `read_parquet(${quoteLiteral(withoutGlob(file.path))}, hive_partitioning = false)`;
    const columns = await connection.stream(`SELECT * FROM ${input} LIMIT 0`);
    const fields = columns.columnNames().map((name, index) => {
      const value = jsonValue(columns.columnType(index), `r.${quoteIdentifier(name)}`, 0);
      return `${quoteIdentifier(name)} := ${value}`;
    });
    const rowCount = await countRows(connection, input);
    const rows = await connection.stream(
      `SELECT to_json(struct_pack(${fields.join(', ')})) FROM ${input} AS r`,
    );
    let row = 0;
    for (
      let chunk = await rows.fetchChunk();
      chunk !== null && chunk.rowCount > 0;
      chunk = await rows.fetchChunk()
    ) {
      const entries: RawEntry[] = [];
      for (const text of chunk.getColumnValues(0)) {
        row += 1;
        entries.push({ position: row, text: String(text) });
      }
      onBytes(Math.round((file.bytes * row) / Math.max(row, rowCount)));
      yield entries;
    }
  } catch {
    throw new ConfigurationError(`${file.path}: it cannot be read as a Parquet file`);
  }
}

async function countRows(connection: DuckDBConnection, input: string): Promise<number> {
  const reader = await connection.runAndReadAll(`SELECT count(*) FROM ${input}`);
  return Number(reader.getRowsJS()[0]?.[0] ?? 0);
}

/** DuckDB reads a path as a pattern; a character in brackets stands for itself. */
function withoutGlob(path: string): string {
  return path.replace(/[*?[]/g, '[$&]');
}

/** The expression of a column's value in which to_json writes everything as the loader reads it. */
function jsonValue(type: DuckDBType, expression: string, depth: number): string {
  if (type instanceof DuckDBListType) {
    const element = quoteIdentifier(`e${depth}`);
    const mapped = jsonValue(type.valueType, element, depth + 1);
    return mapped === element ? expression : `list_transform(${expression}, lambda ${element}: ${mapped})`;
  }
  if (type instanceof DuckDBStructType) {
    const fields = type.entryNames.map((name, index) => {
      const nested = type.entryTypes[index];
      const access = `struct_extract(${expression}, ${quoteLiteral(name)})`;
      return `${quoteIdentifier(name)} := ${nested === undefined ? access : jsonValue(nested, access, depth + 1)}`;
    });
    return `CASE WHEN ${expression} IS NOT NULL THEN struct_pack(${fields.join(', ')}) END`;
  }
  switch (type.typeId) {
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_TZ:
    case DuckDBTypeId.TIMESTAMP_S:
    case DuckDBTypeId.TIMESTAMP_MS:
    case DuckDBTypeId.TIMESTAMP_NS:
      return `epoch_us(${expression})`;
    case DuckDBTypeId.BLOB:
      return `base64(${expression})`;
    default:
      return expression;
  }
}
