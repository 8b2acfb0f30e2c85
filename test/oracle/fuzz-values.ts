import { randomFor } from '../fuzz/generate/random.ts';
import type { Answer } from './answer.ts';
import { compareAnswers, skeleton, type Verdict } from './compare.ts';
import { emptyCoverage, note, writeCoverage } from './coverage.ts';
import { openEngine } from './engine.ts';
import { startEvaluator } from './evaluator.ts';
import { CATALOGUE } from './generate/calls.ts';
import { queryFor } from './generate/queries.ts';
import { functionsIn, type GeneratedQuery, textOf } from './generate/query.ts';
import type { SqlTree } from './generate/sql-tree.ts';
import { judgeOpenError } from './open-errors.ts';
import { shrinkTree } from './shrink.ts';

export interface FuzzOptions {
  /** The number of the run's first query. */
  readonly first: number;
  readonly count: number;
  readonly seed: number;
  /** The functions that queries are made for, one after the other; null for all. */
  readonly only: readonly string[] | null;
  /** Whether what the engine refuses and what the evaluator cannot run is listed, with an example each. */
  readonly listOpen: boolean;
  /** Whether docs/googlesql-coverage.md is written anew. */
  readonly writeDocs: boolean;
  readonly print: (line: string) => void;
}

/** Queries in flight at a time, so that neither side waits for the other. */
const WORKERS = 4;
/** Failures of one cause that are shown; more are only counted. */
const SHOWN_PER_CAUSE = 2;

interface Judged {
  readonly verdict: Verdict;
  readonly ours: Answer;
  readonly theirs: Answer;
}

/** Makes queries, runs each on both sides, prints what differs; answers the number of queries that differ. */
export async function fuzzValues(options: FuzzOptions): Promise<number> {
  const { print, seed } = options;
  const engine = await openEngine();
  const evaluator = startEvaluator();
  const coverage = emptyCoverage();
  const causes = new Map<string, number>();
  const open: OpenCauses = new Map();
  const focus = options.only === null ? null : placesOf(options.only);
  let [agreed, differing, next] = [0, 0, options.first];

  const sides = { engine: (sql: string) => engine.run(sql), evaluator: (sql: string) => evaluator.run(sql) };
  const judge = async (query: GeneratedQuery): Promise<Judged> => {
    const sql = textOf(query);
    const [ours, theirs] = await Promise.all([engine.run(sql), evaluator.run(sql)]);
    const verdict = compareAnswers(query, functionsIn(query), ours, theirs);
    if (verdict.kind !== 'open') return { ours, theirs, verdict };
    return { ours, theirs, verdict: await judgeOpenError(query, verdict.how, sides) };
  };

  const show = async (query: GeneratedQuery, judged: Judged, name: string, index: number): Promise<void> => {
    const how = judged.verdict.kind === 'differs' ? judged.verdict.how : '';
    const tree: SqlTree = await shrinkTree(query.tree, async (candidate) => {
      const { verdict } = await judge({ ...query, tree: candidate });
      return verdict.kind === 'differs' && verdict.how === how;
    });
    const small = { ...query, tree };
    const { ours, theirs } = await judge(small);
    const functions = [...functionsIn(small)].sort().join(' ') || `(${name})`;
    const cause = how.includes(':') ? how : `${how}: ${functions}`;
    const seen = causes.get(cause) ?? 0;
    causes.set(cause, seen + 1);
    if (seen >= SHOWN_PER_CAUSE) return;
    const again = options.only === null ? '' : ` --function '${name}'`;
    print(`DIFFERS ${cause} (--seed ${seed} --only ${index}${again})`);
    print(`  ${textOf(small)}`);
    print(`  engine:    ${brief(ours)}`);
    print(`  evaluator: ${brief(theirs)}`);
  };

  const work = async () => {
    while (next < options.first + options.count) {
      const index = next++;
      const at = focus === null ? index : (focus[index % focus.length] ?? 0);
      const query = queryFor(at, randomFor(seed, index));
      const judged = await judge(query);
      const calls = functionsIn(query);
      note(coverage, calls, judged.verdict);
      if (judged.verdict.kind === 'differs') {
        differing++;
        await show(query, judged, CATALOGUE[at % CATALOGUE.length]?.name ?? '', index);
      } else agreed++;
      noteOpen(open, query, judged);
      if (options.count === 1)
        print(
          `${textOf(query)}\n  ${judged.verdict.kind}\n  engine:    ${brief(judged.ours)}\n  evaluator: ${brief(judged.theirs)}`,
        );
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  evaluator.close();
  await engine.close();
  for (const [cause, count] of [...causes].sort((a, b) => b[1] - a[1]))
    print(`${String(count).padStart(6)}  ${cause}`);
  if (options.listOpen)
    for (const [cause, { count, example }] of [...open].sort((a, b) => b[1].count - a[1].count))
      print(`${String(count).padStart(6)}  ${cause}\n        ${example}`);
  for (const line of coverage.summary()) print(line);
  if (options.writeDocs) await writeCoverage(coverage, options);
  print(`${agreed} passed, ${differing} failed`);
  return differing;
}

type OpenCauses = Map<string, { count: number; readonly example: string }>;

/** Counts a query that was not compared, under the beginning of the message that says why. */
function noteOpen(open: OpenCauses, query: GeneratedQuery, { verdict, ours, theirs }: Judged): void {
  if (verdict.kind !== 'refused' && verdict.kind !== 'unjudged') return;
  const answer = verdict.kind === 'refused' ? ours : theirs;
  const message = answer.kind === 'rows' ? 'the engine has an error' : skeleton(answer.message);
  const cause = `${verdict.kind}: ${message}`;
  const known = open.get(cause);
  if (known === undefined) open.set(cause, { count: 1, example: textOf(query) });
  else known.count++;
}

function placesOf(names: readonly string[]): readonly number[] {
  return names.map((wanted) => {
    const place = CATALOGUE.findIndex(({ name }) => name === wanted);
    if (place < 0) throw new TypeError(`no function ${wanted} in the catalogue`);
    return place;
  });
}

function brief(answer: Answer): string {
  if (answer.kind !== 'rows') return `${answer.kind}: ${answer.message.slice(0, 300)}`;
  return `${answer.columns.map(({ type }) => type).join(', ')} ${JSON.stringify(answer.rows).slice(0, 400)}`;
}
