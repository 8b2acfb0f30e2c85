import type { TableSchemas } from '../../../schema/table-schema.ts';
import { repeatedTable, type TableLayout } from '../store/layout.ts';
import type { KnownTables, TablePart } from '../translate/passes/known-data.ts';
import { liveParts } from './live-parts.ts';
import type { LiveSnapshot } from './live-view.ts';
import type { TableShape } from './table-shape.ts';

/** What is known of the tables as they are loaded. */
export interface LoadedTables extends KnownTables {
  readonly tables: TableSchemas;
}

/** What is known of the tables with the entries that arrived, but for where these lie. */
export function knownWith(loaded: LoadedTables, { tables: live }: LiveSnapshot): LoadedTables {
  if (live.size === 0) return loaded;
  const tables = new Map(loaded.tables);
  const timeRanges = new Map(loaded.timeRanges);
  const layouts = new Map(loaded.layouts);
  for (const [source, { shape, hasRepeated }] of live) {
    tables.set(source, shape.schema);
    // An entry of any time may be the next.
    timeRanges.delete(source);
    layouts.set(source, liveLayout(shape, hasRepeated));
  }
  return { tables, timeRanges, layouts };
}

/** Where the entries of the sources lie that have more than the loaded ones. */
export function partsOf({ tables, oldestMicros }: LiveSnapshot): NonNullable<KnownTables['parts']> {
  const parts = new Map<string, readonly TablePart[]>();
  for (const [source, table] of tables) {
    parts.set(source, liveParts(source, table, { isRepeated: false, oldestMicros }));
    if (!table.hasRepeated) continue;
    parts.set(repeatedTable(source), liveParts(source, table, { isRepeated: true, oldestMicros }));
  }
  return parts;
}

function liveLayout({ flat }: TableShape, hasRepeated: boolean): TableLayout {
  return { flat: new Map(flat.map((path) => [path, 'sometimes'])), hasRepeated };
}
