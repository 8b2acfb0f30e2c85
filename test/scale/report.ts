import { formatCount } from '../../cli/cost/model.ts';
import { byteText } from '../../shared/warehouse/byte-text.ts';
import type { Limit, LimitName } from './limits.ts';
import type { Load } from './load.ts';
import { type Limits, type Outcome, secondsOf } from './simulate.ts';

/** A run at a size. */
export interface SizedRun {
  readonly multiple: number;
  readonly load: Load;
  readonly outcome: Outcome;
  /** What gives way one after the other, each once what gave way before was moved. */
  readonly steps: readonly Step[];
}

/** A limit that was moved. */
export interface Step {
  readonly name: LimitName;
  readonly value: number;
}

/** The names of the report's tables. */
export const TABLES = ['first', 'next', 'demand', 'load', 'limits'] as const;

export type TableName = (typeof TABLES)[number];

/**
 * The tables of the report, in Markdown: what gives way first, and next once that is moved; what was wanted of each
 * limit; the load; the limits.
 */
export function scaleTables(limits: Limits, runs: readonly SizedRun[]): Readonly<Record<TableName, string>> {
  return {
    first: firstTable(limits, runs),
    next: stepTable(limits, runs),
    demand: useTable(limits, runs),
    load: loadTable(runs),
    limits: limitTable(limits),
  };
}

/** The limits of which more was wanted than there is, the most exceeded first. */
export function exceeded({ uses }: Outcome): readonly LimitName[] {
  const names = Object.keys(uses) as LimitName[];
  return names
    .filter((name) => shareOf(uses[name]) > 1)
    .toSorted((a, b) => shareOf(uses[b]) - shareOf(uses[a]));
}

function firstTable(limits: Limits, runs: readonly SizedRun[]): string {
  const rows = runs.map(({ multiple, load, outcome }) => {
    const [first, ...others] = exceeded(outcome);
    const asked = formatCount(load.storedLogs + load.consumers + load.counts);
    const lost = [...outcome.refused.values()].reduce((sum, count) => sum + count, 0);
    const answered = `${Math.floor((1000 * Math.max(0, outcome.calls - lost)) / Math.max(1, outcome.calls)) / 10} %`;
    if (first === undefined) {
      const [nearest] = byShare(outcome);
      const hint = nearest === undefined ? '' : `; nearest: ${limits[nearest].what}`;
      return [formatCount(multiple), asked, answered, `nothing${hint}`, ''];
    }
    return [
      formatCount(multiple),
      asked,
      answered,
      `**${limits[first].what}**${others.length === 0 ? '' : `, and ${others.length} more`}`,
      limits[first].setting,
    ];
  });
  return table(
    ["times the docs' size", 'calls a second', 'answered', 'gives way first', 'what moves it'],
    rows,
  );
}

/** The last value of each limit that had to be moved, in the order in which they first gave way. */
function stepTable(limits: Limits, runs: readonly SizedRun[]): string {
  const rows = runs.flatMap(({ multiple, steps }) => {
    const last = new Map<LimitName, number>();
    for (const { name, value } of steps) last.set(name, value);
    return [...last].map(([name, value], index) => [
      index === 0 ? `× ${formatCount(multiple)}` : '',
      `${index + 1}. ${limits[name].what}`,
      amountOf(limits[name], limits[name].value),
      amountOf(limits[name], value),
    ]);
  });
  return table(
    ["times the docs' size", 'gives way, once those above have been moved', 'limit', 'moved to'],
    rows,
  );
}

function byShare({ uses }: Outcome): readonly LimitName[] {
  return (Object.keys(uses) as LimitName[]).toSorted((a, b) => shareOf(uses[b]) - shareOf(uses[a]));
}

function useTable(limits: Limits, runs: readonly SizedRun[]): string {
  const rows = (Object.keys(limits) as LimitName[]).map((name) => [
    limits[name].what,
    amountOf(limits[name], limits[name].value),
    ...runs.map(({ outcome }) => {
      const percent = `${formatCount(Number((100 * shareOf(outcome.uses[name])).toPrecision(2)))} %`;
      return shareOf(outcome.uses[name]) > 1 ? `**${percent}**` : percent;
    }),
  ]);
  return table(['demand for', 'limit', ...runs.map(({ multiple }) => `× ${formatCount(multiple)}`)], rows);
}

function loadTable(runs: readonly SizedRun[]): string {
  const row = (what: string, value: (load: Load) => string) => [what, ...runs.map(({ load }) => value(load))];
  return table(
    ['busiest minutes', ...runs.map(({ multiple }) => `× ${formatCount(multiple)}`)],
    [
      row('callers', ({ callers }) => formatCount(callers)),
      row('stored calls of logs.all a second', ({ storedLogs }) => formatCount(storedLogs)),
      row('queries in `sql` and `lql` a second', ({ consumers }) => formatCount(consumers)),
      row('calls of usage.api-counts a second', ({ counts }) => formatCount(counts)),
      row('sets kept warm', ({ sets }) => formatCount(sets)),
      row('a call of logs.all reads', ({ storedLogsBytes }) => byteText(storedLogsBytes)),
      row('a refresh reads', ({ refreshBytes }) => byteText(refreshBytes)),
      row('a cold set reads', ({ coldSetBytes }) => byteText(coldSetBytes)),
      row('and takes', ({ coldSetBytes }) => `${formatCount(secondsOf(coldSetBytes))} s`),
    ],
  );
}

function limitTable(limits: Limits): string {
  const rows = Object.values(limits).map((limit) => [
    limit.what,
    `${amountOf(limit, limit.value)}${limit.unit === 'bytes' ? '' : ` ${limit.unit}`}`,
    limit.source,
    limit.setting,
  ]);
  return table(['limit', 'value', 'from', 'what moves it'], rows);
}

function amountOf({ unit }: Limit, value: number): string {
  return unit === 'bytes' ? byteText(value) : formatCount(value);
}

function shareOf({ wanted, limit }: { readonly wanted: number; readonly limit: number }): number {
  return wanted / limit;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('');
}
