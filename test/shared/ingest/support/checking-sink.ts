import { malformedEntry } from '../../../../shared/errors/refused-entry.ts';
import type { LogSink } from '../../../../shared/ingest/log-sink.ts';
import type { TableSchemas } from '../../../../shared/schema/table-schema.ts';
import { columnTree } from '../../../../shared/warehouse/duckdb/loading/column-tree.ts';
import { entryWriter } from '../../../../shared/warehouse/duckdb/loading/entry-writer.ts';

/** A sink that checks entries as the loader of log files does, and remembers those that it took. */
export interface CheckingSink extends LogSink {
  readonly taken: Map<string, string[]>;
}

/** Makes a sink for the sources with these schemas. `before` is awaited before a batch is taken. */
export function checkingSink(
  schemas: TableSchemas,
  before: () => Promise<void> = async () => {},
): CheckingSink {
  const taken = new Map<string, string[]>();
  return {
    taken,
    async append(source, entries) {
      await before();
      const writer = entryWriter(columnTree(schemas.get(source) ?? [], 'flat'), { unknownFields: 'add' });
      for (const [index, text] of entries.entries()) {
        const written = writer.write(text);
        if ('reason' in written) throw malformedEntry(index, written.path, written.reason);
      }
      taken.set(source, [...(taken.get(source) ?? []), ...entries]);
      return { taken: entries.length, duplicates: 0 };
    },
  };
}
