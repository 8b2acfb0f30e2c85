import { elementsTable, sourceOfRepeated, type TableLayout, type TableLayouts } from './layout.ts';

/** The flat records of a table: a source's own, the one beside it, or one of elements. */
export interface TableRecords {
  readonly flat: TableLayout['flat'];
  /** Whether the table has the text of a column of the schema. */
  hasText(column: string): boolean;
  /** The one record that entries beside the table have twice, and of which their columns have nothing; null for several. */
  readonly repeated: string | null;
  /** The record that the table has a row for each element of; null for a table of entries. */
  readonly elementsOf: string | null;
}

/** The flat records of a table by its name; null for one of a source that has none. */
export function tableRecords(layouts: TableLayouts, table: string): TableRecords | null {
  const own = layouts.get(table);
  const source = own === undefined ? sourceOfRepeated(table) : null;
  const layout = own ?? (source === null ? undefined : layouts.get(source));
  if (layout === undefined) return elementRecords(layouts, table);
  if (layout.flat.size === 0) return null;
  const { flat, flatRepeated = new Map(), onlyRepeated = null } = layout;
  const hasText = (column: string) => flat.has(column);
  return own === undefined
    ? { flat: flatRepeated, hasText, repeated: null, elementsOf: null }
    : { flat, hasText, repeated: onlyRepeated, elementsOf: null };
}

function elementRecords(layouts: TableLayouts, table: string): TableRecords | null {
  for (const [source, { elements }] of layouts) {
    for (const [record, flat] of elements ?? []) {
      if (elementsTable(source, record) !== table) continue;
      return { flat, hasText: () => false, repeated: null, elementsOf: record };
    }
  }
  return null;
}
