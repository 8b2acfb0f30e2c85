import type { BenchContext, Benchmark } from './benchmark.ts';
import { madeDatabase } from './data/made-database.ts';
import { PROJECTS } from './data/made-time.ts';
import { ENDPOINT_CASES } from './endpoint-cases.ts';
import { EXPLORER_QUERIES } from './explorer-queries.ts';
import { compare } from './measure.ts';
import { type Measured, milliseconds, ratio } from './report.ts';
import { serveLogs } from './support/served-logs.ts';

/** How many of a thousand entries have a record twice, and the goal: the time as a part of that without. */
const TWICE_PER_MILLE = 100;
const MOST = 1.5;
const MOST_ENTRIES = 1_000_000;

/** The same questions to the service over entries of which none, and of which a tenth, has a record twice. */
export const REPEATED: Benchmark = { name: 'repeated', run };

async function run({ entries, budgetMs, say }: BenchContext): Promise<readonly Measured[]> {
  const count = entries.findLast((size) => size <= MOST_ENTRIES) ?? MOST_ENTRIES;
  const once = await serveLogs('once', await madeDatabase(count, say, { twicePerMille: 0 }));
  const twice = await serveLogs('twice', await madeDatabase(count, say, { twicePerMille: TWICE_PER_MILLE }));
  const ofExplorer = EXPLORER_QUERIES.map(({ name, sql }) => ({
    name,
    path: `/api/endpoints/query/logs.all?project=${PROJECTS[0]}&sql=${encodeURIComponent(sql)}`,
  }));
  try {
    const lines: Measured[] = [];
    for (const { name, path } of [...ENDPOINT_CASES, ...ofExplorer]) {
      say(`repeated: ${name}`);
      const timings = await compare(
        [
          { name: 'once', run: () => once.client.get(path) },
          { name: 'twice', run: () => twice.client.get(path) },
        ],
        budgetMs,
      );
      const [onceMs = NaN, twiceMs = NaN] = timings.map(({ p50 }) => p50);
      const [onceCpu = NaN, twiceCpu = NaN] = timings.map(({ leastCpu }) => leastCpu);
      lines.push({
        benchmark: 'A tenth of the entries with a record twice, p50',
        what: name,
        entries: count,
        figures: {
          'none twice': milliseconds(onceMs),
          'a tenth twice': milliseconds(twiceMs),
          ratio: ratio(twiceMs / onceMs),
          'none, CPU': milliseconds(onceCpu),
          'a tenth, CPU': milliseconds(twiceCpu),
        },
        goal: { text: `≤ ${ratio(MOST)}`, isMet: twiceMs / onceMs <= MOST },
      });
    }
    return lines;
  } finally {
    await twice.close();
    await once.close();
  }
}
