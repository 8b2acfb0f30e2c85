import type { AnsweredCase, ColumnSchema } from './cases.ts';

/** Columns without what is NULLABLE anyway. */
export function plainColumns(columns: readonly ColumnSchema[]): object[] {
  return columns.map(({ name, type, mode = 'NULLABLE', fields }) => ({
    name,
    type,
    mode,
    ...(fields === undefined ? {} : { fields: plainColumns(fields) }),
  }));
}

/** Rows as they compare: in their own order unless the case has one. */
export function comparableRows(
  { ordered }: Pick<AnsweredCase, 'ordered'>,
  rows: readonly (readonly unknown[])[],
): unknown[] {
  const plain = rows.map((cells) => cells.map((cell) => plainValue(cell)));
  if (ordered) return plain;
  return plain
    .map((row) => ({ row, key: JSON.stringify(row) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ row }) => row);
}

/**
 * NULL fields of records and missing ones count as equal, empty and missing arrays too; fractions have nine decimals;
 * the order of a record's fields does not count.
 */
function plainValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Number(value.toFixed(9));
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(plainValue);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, plainValue(field)] as const);
  const filled = fields.filter(([, field]) => field !== null);
  return Object.fromEntries(filled.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The pairs of neighbouring rows that a case's `sorted_by` does not allow. */
export function misplacedRows(
  { sorted_by: keys = [], columns }: Pick<AnsweredCase, 'sorted_by' | 'columns'>,
  rows: readonly (readonly unknown[])[],
): unknown[] {
  const order = keys.map((key) => {
    const [name, direction] = key.split(' ');
    return {
      index: columns.findIndex((column) => column.name === name),
      sign: direction === 'desc' ? -1 : 1,
    };
  });
  return rows.slice(1).flatMap((row, index) => {
    const before = rows[index] ?? [];
    for (const { index: cell, sign } of order) {
      const compared = compareCells(before[cell], row[cell]) * sign;
      if (compared !== 0) return compared > 0 ? [[before, row]] : [];
    }
    return [];
  });
}

/** NULL comes before everything, as in GoogleSQL. */
function compareCells(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return (a as number | string) < (b as number | string) ? -1 : 1;
}
