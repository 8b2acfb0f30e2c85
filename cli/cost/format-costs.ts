import { formatTable } from '../terminal/format-table.ts';
import type { CostRow, CostSection } from './model.ts';
import { PRICES_OF } from './prices.ts';

/** The sum of all sections, in US dollars. */
export function totalOf(sections: readonly CostSection[]): number {
  return sections.reduce((total, section) => total + sumOf(section.rows), 0);
}

/** A paragraph a section, with its sum, and the sum of all. */
export function costText(sections: readonly CostSection[]): string {
  const width = Math.max(...sections.flatMap(({ rows }) => rows.map(({ item }) => item.length)));
  const paragraphs = sections.map(({ title, rows }) => {
    const table = formatTable(
      [title.padEnd(width), PRICES_OF.currency.padStart(AMOUNT_WIDTH), 'arithmetic'],
      rows.map(({ item, usd, arithmetic }) => [item, amountOf(usd).padStart(AMOUNT_WIDTH), arithmetic]),
    );
    return table;
  });
  const total = `${'Together'.padEnd(width)}  ${amountOf(totalOf(sections)).padStart(AMOUNT_WIDTH)}\n`;
  return [...paragraphs, total].join('\n');
}

/** The same as one table in Markdown. */
export function costMarkdown(sections: readonly CostSection[]): string {
  const lines = sections.flatMap(({ title, rows }) => [
    `| **${title}** | | **${amountOf(sumOf(rows))}** |`,
    ...rows.map(({ item, arithmetic, usd }) => `| ${item} | ${arithmetic} | ${amountOf(usd)} |`),
  ]);
  const head = [`| | arithmetic | ${PRICES_OF.currency} a month |`, '| --- | --- | ---: |'];
  return [...head, ...lines, `| **Together** | | **${amountOf(totalOf(sections))}** |`, ''].join('\n');
}

const AMOUNT_WIDTH = 12;

function sumOf(rows: readonly CostRow[]): number {
  return rows.reduce((sum, { usd }) => sum + usd, 0);
}

function amountOf(usd: number): string {
  return usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}
