import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Verdict } from './compare.ts';
import { DIFFERENCES } from './differences.ts';
import { CATALOGUE } from './generate/calls.ts';

type Counts = Record<Verdict['kind'], number>;

/** How queries with each function of the catalogue ended. */
export interface Coverage {
  readonly byFunction: ReadonlyMap<string, Counts>;
  readonly total: Counts;
  /** Lines for the end of a run. */
  summary(): readonly string[];
}

const PAGE = fileURLToPath(new URL('../../docs/googlesql-coverage.md', import.meta.url));

const noCounts = (): Counts => ({ 'rows-agree': 0, 'errors-agree': 0, refused: 0, unjudged: 0, differs: 0 });

/** No query yet, for any function. */
export function emptyCoverage(): Coverage {
  const byFunction = new Map(CATALOGUE.map(({ name }) => [name, noCounts()]));
  const total = noCounts();
  return {
    byFunction,
    total,
    summary: () => {
      const missing = [...byFunction].filter(([, counts]) => sum(counts) === 0).map(([name]) => name);
      return [
        `rows agree ${total['rows-agree']}, errors agree ${total['errors-agree']}, refused ${total.refused}, not judged ${total.unjudged}, differ ${total.differs}`,
        `never generated: ${missing.length === 0 ? 'none' : missing.join(', ')}`,
      ];
    },
  };
}

/** Counts a query for the functions that it calls. */
export function note(coverage: Coverage, functions: ReadonlySet<string>, { kind }: Verdict): void {
  coverage.total[kind]++;
  for (const name of functions) {
    const counts = coverage.byFunction.get(name);
    if (counts !== undefined) counts[kind]++;
  }
}

/** Writes docs/googlesql-coverage.md. */
export async function writeCoverage(
  coverage: Coverage,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<void> {
  const rows = [...coverage.byFunction].map(
    ([name, counts]) =>
      `| \`${name}\` | ${counts['rows-agree']} | ${counts['errors-agree']} | ${counts.refused} | ${counts.unjudged} | ${counts.differs} |`,
  );
  const missing = [...coverage.byFunction]
    .filter(([, counts]) => sum(counts) === 0)
    .map(([name]) => `\`${name}\``);
  const { total } = coverage;
  const text = `# GoogleSQL on the embedded engine, held against Google's evaluator

\`npm run fuzz:values -- --docs\` writes this page. It makes random queries, runs each with Google's reference implementation of
GoogleSQL and with the embedded engine, and compares rows, types, and whether the query is an error. Names with \`$\` are operators.

This page is of ${count} queries with seed ${seed}: ${total['rows-agree']} with the same rows, ${total['errors-agree']} that are errors
on both sides, ${total.refused} that the engine refuses by name, ${total.unjudged} that the evaluator cannot run, ${total.differs} that differ.
A query counts for each function in it.

## Differences that do not count

${Object.values(DIFFERENCES)
  .map((text) => `- ${text}`)
  .join('\n')}

## By function

Never generated: ${missing.length === 0 ? 'none' : missing.join(', ')}.

| function | rows agree | errors agree | refused by name | not judged | differ |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
  await writeFile(PAGE, text);
}

function sum(counts: Counts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
