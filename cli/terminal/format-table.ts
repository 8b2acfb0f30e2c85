const GAP = '  ';

/** Cells in columns under their headings, two spaces between them; a heading is written as it is. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...table.map((row) => (row[column] ?? '').length)));
  return table
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join(GAP)
          .trimEnd()}\n`,
    )
    .join('');
}
