import { runCost } from '../../../cli/cost.ts';
import { runHere } from '../../cli/support/run-here.ts';
import { scaleTables, type TableName } from '../../scale/report.ts';
import { docsSize, MULTIPLES, runSizes } from '../../scale/run-scale.ts';

/** The pages with tables that commands make. */
export const GENERATED_PAGES = ['docs/deploy.md', 'docs/scale.md'] as const;

/** A command of a page right above its table. */
const COMMAND_AND_TABLE = /(```sh\nnpx lqe cost (.*?)\n```\n\n)((?:\|.*\n)+)/g;
/** The same for a table of `npm run scale`. */
const SCALE_TABLE = /(```sh\nnpm run scale -- --table (\w+)\n```\n\n)((?:\|.*\n)+)/g;
/** A table with options of `lqe cost` in its first column. */
const OPTIONS_TABLE = /(\| `lqe cost` with \|.*\n\|.*\n)((?:\| .*\n)+)/g;

interface Report {
  readonly usdPerMonth: number;
  readonly sections: readonly {
    readonly title: string;
    readonly rows: readonly { readonly usd: number }[];
  }[];
}

/** A page's text with every table as its command makes it now. */
export async function regenerate(page: string): Promise<string> {
  const whole = await replaceEach(page, COMMAND_AND_TABLE, async ([, head = '', options = '']) => {
    return `${head}${await lqeCost(options)}`;
  });
  const scaled = await replaceEach(whole, SCALE_TABLE, async ([, head = '', name = '']) => {
    return `${head}${(await tablesOfScale())[name as TableName]}`;
  });
  return replaceEach(scaled, OPTIONS_TABLE, async ([, head = '', rows = '']) => {
    const titles = columnsOf(head.split('\n')[0] ?? '').slice(1, -1);
    const made = rows
      .trimEnd()
      .split('\n')
      .map((row) => optionsRow(columnsOf(row)[0] ?? '', titles));
    return `${head}${(await Promise.all(made)).join('')}`;
  });
}

/** How many tables a page has that a command makes. */
export function countGenerated(page: string): number {
  return [COMMAND_AND_TABLE, SCALE_TABLE, OPTIONS_TABLE].reduce(
    (count, pattern) => count + [...page.matchAll(pattern)].length,
    0,
  );
}

/** The page with a wrong number in each row that a command makes; options in the first column of a row stay. */
export function withWrongNumbers(page: string): string {
  return [COMMAND_AND_TABLE, SCALE_TABLE, OPTIONS_TABLE].reduce(
    (text, pattern) => text.replaceAll(pattern, (table) => table.replace(/^(\| .*)\d(.*\|)$/gm, '$1X$2')),
    page,
  );
}

let scale: Promise<Readonly<Record<TableName, string>>> | null = null;

/** All tables of one run. */
function tablesOfScale(): Promise<Readonly<Record<TableName, string>>> {
  scale ??= docsSize().then(({ model, limits }) =>
    scaleTables(limits, runSizes(model, limits, 1, MULTIPLES)),
  );
  return scale;
}

async function optionsRow(cell: string, titles: readonly string[]): Promise<string> {
  const options = cell.startsWith('`') ? cell.slice(1, -1) : '';
  const { usdPerMonth, sections }: Report = JSON.parse(await lqeCost(`${options} --json`.trim()));
  const sums = titles.map((title) => {
    const section = sections.find((one) => one.title === title);
    if (section === undefined) throw new TypeError(`no section ${title}`);
    return section.rows.reduce((sum, { usd }) => sum + usd, 0);
  });
  const amounts = [...sums, usdPerMonth].map((usd) =>
    usd.toLocaleString('en-US', { maximumFractionDigits: 0 }),
  );
  return `| ${[cell, ...amounts].join(' | ')} |\n`;
}

async function lqeCost(options: string): Promise<string> {
  const { code, stdout } = await runHere(runCost, options.split(' '));
  if (code !== 0) throw new TypeError(`lqe cost ${options} ended with ${code}`);
  return stdout;
}

function columnsOf(row: string): readonly string[] {
  return row.slice(2, -2).split(' | ');
}

async function replaceEach(
  text: string,
  pattern: RegExp,
  make: (match: RegExpExecArray) => Promise<string>,
): Promise<string> {
  const parts: string[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(end, match.index), await make(match));
    end = match.index + match[0].length;
  }
  return parts.join('') + text.slice(end);
}
