/** One line of the table at the end. */
export interface Measured {
  readonly benchmark: string;
  readonly what: string;
  readonly entries: number;
  /** What was measured, in the order of the columns: milliseconds, or ratios. */
  readonly figures: Readonly<Record<string, string>>;
  /** The goal in words, and whether it was reached; null without one. */
  readonly goal: { readonly text: string; readonly isMet: boolean } | null;
}

export function milliseconds(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`;
}

export function ratio(value: number): string {
  return `${value.toFixed(2)} ×`;
}

/** The lines as text, with one table for each benchmark. */
export function tables(lines: readonly Measured[]): string {
  const byBenchmark = Map.groupBy(lines, ({ benchmark }) => benchmark);
  return [...byBenchmark].map(([name, group]) => `${name}\n${table(group)}`).join('\n');
}

function table(lines: readonly Measured[]): string {
  const figures = [...new Set(lines.flatMap((line) => Object.keys(line.figures)))];
  const rows = lines.map((line) => [
    line.what,
    line.entries.toLocaleString('en'),
    ...figures.map((name) => line.figures[name] ?? ''),
    line.goal === null ? '' : `${line.goal.isMet ? 'met' : 'MISSED'}: ${line.goal.text}`,
  ]);
  const all = [['', 'entries', ...figures, 'goal'], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length))) ?? [];
  return all
    .map((row) => {
      const cells = row.map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 || column === row.length - 1 ? cell.padEnd(width) : cell.padStart(width);
      });
      return `  ${cells.join('  ').trimEnd()}\n`;
    })
    .join('');
}
