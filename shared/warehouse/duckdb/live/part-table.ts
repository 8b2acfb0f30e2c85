import type { TableShape } from './table-shape.ts';

/** A table with a part of a source's entries. */
export interface PartTable {
  /** Its full name in DuckDB. */
  readonly name: string;
  readonly shape: TableShape;
  /** Whether its columns are those of entries that have a flat record twice. */
  readonly isRepeated: boolean;
  /** The records that are flat in the table: those of the shape, or fewer in the table of such entries. */
  readonly flat: readonly string[];
  /** The table beside a source's own that has the entries with a flat record twice; null where it has none. */
  readonly beside: Pick<PartTable, 'name' | 'flat'> | null;
}

/** The source's own table of a part, or the one beside it, of which `flat` are flat. */
export function partTable(
  names: { readonly own: string; readonly beside: string | null },
  shape: TableShape,
  isRepeated: boolean,
  flat: readonly string[] = [],
): PartTable {
  const beside = names.beside === null ? null : { name: names.beside, flat };
  if (!isRepeated) return { name: names.own, shape, isRepeated, flat: shape.flat, beside };
  return { name: beside?.name ?? '', shape, isRepeated, flat, beside: null };
}
