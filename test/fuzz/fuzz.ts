import type { Sandbox } from '../../shared/sql/sandbox/consumer-query.ts';
import { lexicalQuery } from './generate/lexemes.ts';
import { mutate, reblank } from './generate/mutate.ts';
import { operatorQuery } from './generate/operators.ts';
import { query } from './generate/queries.ts';
import { type Random, randomFor } from './generate/random.ts';
import { scopedQuery } from './generate/scopes.ts';
import { type Oracle, startOracle } from './oracle/oracle.ts';
import type { OracleVersion } from './oracle/server.ts';
import { NEWER, parserAgrees } from './properties/parser-agrees.ts';
import { sandboxAgrees } from './properties/sandbox-agrees.ts';
import type { Verdict } from './properties/verdict.ts';
import { sandboxUnderTest } from './sandbox-under-test.ts';
import { readSeeds } from './seeds.ts';
import { shrink } from './shrink.ts';

export interface FuzzOptions {
  /** The number of the run's first query. */
  readonly first: number;
  readonly count: number;
  readonly seed: number;
  readonly version: OracleVersion;
  /** Whether to list what the oracle takes and we refuse. */
  readonly showRefusals: boolean;
  readonly print: (line: string) => void;
}

/** Queries in flight at a time; the oracle works on several at once. */
const WORKERS = 16;
/** Failures that are shrunk and shown; more are only counted. */
const MAX_SHOWN = 25;

/** The seeds themselves, before anything is made of them. */
const UNCHANGED = 'seeds as they are';

/** A run of as many queries compares some of each class. */
const ENOUGH = 2_000;
/** Queries of one class that may bring the oracle down, besides one in a thousand. */
const MAX_BROKEN = 5;

type Generator = (random: Random, seeds: readonly string[]) => string;

/** How queries are made, with how many of a hundred. */
const CLASSES: readonly { readonly name: string; readonly share: number; readonly make: Generator }[] = [
  { name: 'lexical', share: 15, make: lexicalQuery },
  { name: 'operators', share: 5, make: operatorQuery },
  { name: 'scopes', share: 30, make: scopedQuery },
  { name: 'grammar', share: 20, make: (random) => reblank(query(random, 2 + random.below(3), true), random) },
  {
    name: 'grammar mutated',
    share: 10,
    make: (random, seeds) => mutate(query(random, 2, true), seeds, random),
  },
  { name: 'seeds mutated', share: 20, make: (random, seeds) => mutate(random.pick(seeds), seeds, random) },
];

type Reasons = Map<string, { count: number; example: string }>;

interface Tally {
  broken: number;
  inside: number;
  passed: number;
  accepted: number;
  refused: number;
  unjudged: number;
  failed: number;
}

/** Makes queries, asks the oracle about each, prints what differs and a summary; answers the number of failures. */
export async function fuzz(options: FuzzOptions): Promise<number> {
  const { print } = options;
  const oracle = await startOracle(options.version);
  const sandbox = await sandboxUnderTest();
  const seeds = readSeeds();
  const names = [UNCHANGED, ...CLASSES.map(({ name }) => name)];
  const tallies = new Map<string, Tally>(names.map((name) => [name, emptyTally()]));
  const reasons: Reasons = new Map();
  const sandboxReasons: Reasons = new Map();
  let next = options.first;
  let shown = 0;
  let brokenShown = 0;
  const check = async (sql: string, name: string, again: string) => {
    const judgement = await judge(sql, oracle, sandbox);
    count(tallies.get(name), judgement);
    const { parser } = judgement;
    if (parser.kind === 'refused') note(reasons, parser.reason, sql);
    if (judgement.sandbox?.kind === 'refused') note(sandboxReasons, judgement.sandbox.reason, sql);
    const broken = brokenBy(judgement);
    if (broken !== null && brokenShown++ < MAX_BROKEN) print(`not judged: ${broken} (${again})`);
    const failure = failureOf(judgement);
    if (failure !== null && shown++ < MAX_SHOWN)
      await show(sql, failure, (text) => judge(text, oracle, sandbox), again, print);
  };
  const work = async () => {
    while (next < options.first + options.count) {
      const index = next++;
      const random = randomFor(options.seed, index);
      const { name, make } = classOf(random);
      const again = `--seed ${options.seed} --only ${index} --oracle ${options.version}`;
      await check(make(random, seeds).toWellFormed(), name, again);
    }
  };
  if (options.count > 1) for (const seed of seeds) await check(seed, UNCHANGED, 'a seed as it is');
  await Promise.all(Array.from({ length: WORKERS }, work));
  oracle.close();
  if (options.showRefusals) {
    print('What the oracle reads and our parser refuses:');
    printRefusals(reasons, print);
    print('What our parser reads and the sandbox refuses:');
    printRefusals(sandboxReasons, print);
  }
  return summarize(options.count > 1 ? tallies : onlyUsed(tallies), options.count, print);
}

/** The parser's verdict, and where that is good the sandbox's. */
async function judge(sql: string, oracle: Oracle, sandbox: Sandbox): Promise<Judgement> {
  const parser = await parserAgrees(sql, oracle);
  if (parser.kind !== 'passed' || !parser.accepted) return { parser, sandbox: null };
  return { parser, sandbox: await sandboxAgrees(sql, sandbox, oracle) };
}

interface Judgement {
  readonly parser: Verdict;
  /** Null where the parser refuses the query already. */
  readonly sandbox: Verdict | null;
}

function failureOf({ parser, sandbox }: Judgement): Failure | null {
  if (parser.kind === 'failed') return parser;
  return sandbox?.kind === 'failed' ? sandbox : null;
}

type Failure = Extract<Verdict, { kind: 'failed' }>;

function onlyUsed(tallies: ReadonlyMap<string, Tally>): ReadonlyMap<string, Tally> {
  return new Map([...tallies].filter(([, tally]) => Object.values(tally).some((amount) => amount > 0)));
}

function classOf(random: Random): (typeof CLASSES)[number] {
  let at = random.below(CLASSES.reduce((sum, { share }) => sum + share, 0));
  for (const entry of CLASSES) {
    at -= entry.share;
    if (at < 0) return entry;
  }
  throw new RangeError('the shares add up');
}

function emptyTally(): Tally {
  return { broken: 0, inside: 0, passed: 0, accepted: 0, refused: 0, unjudged: 0, failed: 0 };
}

function count(tally: Tally | undefined, judgement: Judgement): void {
  if (tally === undefined) return;
  const { parser, sandbox } = judgement;
  tally[failureOf(judgement) === null ? parser.kind : 'failed']++;
  if (parser.kind === 'passed' && parser.accepted) tally.accepted++;
  if (brokenBy(judgement) !== null) tally.broken++;
  if (sandbox?.kind === 'passed') tally.inside++;
}

/** Why the oracle could not judge a query that it should know. */
function brokenBy({ parser, sandbox }: Judgement): string | null {
  for (const verdict of [parser, sandbox])
    if (verdict?.kind === 'unjudged' && verdict.reason !== NEWER) return verdict.reason;
  return null;
}

function note(reasons: Reasons, message: string, sql: string): void {
  const reason = message
    .replace(/ \(line \d+, column \d+\)$/, '')
    .replace(/"(?:[^"\\]|\\.)*"(?=$| )/g, (quoted) => (quoted.length > 12 ? '"…"' : quoted));
  const known = reasons.get(reason);
  const example = known === undefined || sql.length < known.example.length ? sql : known.example;
  reasons.set(reason, { count: (known?.count ?? 0) + 1, example });
}

async function show(
  sql: string,
  failure: Failure,
  judgeAgain: (text: string) => Promise<Judgement>,
  again: string,
  print: (line: string) => void,
): Promise<void> {
  const small = await shrink(
    sql,
    async (candidate) => failureOf(await judgeAgain(candidate))?.property === failure.property,
  );
  const smallest = failureOf(await judgeAgain(small)) ?? failure;
  print(`FAILED ${failure.property} (${again})`);
  print(`  ${JSON.stringify(small)}`);
  print(`  ${smallest.detail}`);
}

function printRefusals(reasons: Reasons, print: (line: string) => void): void {
  for (const [reason, { count, example }] of [...reasons]
    .sort((a, b) => b[1].count - a[1].count)
    .slice(0, 80))
    print(`${String(count).padStart(6)}  ${reason}\n        ${JSON.stringify(example)}`);
}

/** A line a class of queries, and one that counts classes: one passes when nothing failed and something was compared. */
function summarize(
  tallies: ReadonlyMap<string, Tally>,
  queries: number,
  print: (line: string) => void,
): number {
  let [passed, failed] = [0, 0];
  for (const [name, tally] of tallies) {
    const share = (100 * tally.refused) / Math.max(1, tally.refused + tally.accepted);
    print(
      `${name}: ${tally.accepted} read alike, ${tally.inside} of them taken by the sandbox, ${tally.passed - tally.accepted} refused by both, ${tally.refused} refused by us alone (${share.toFixed(1)} %), ${tally.unjudged} not judged, ${tally.broken} broke the oracle, ${tally.failed} failed`,
    );
    const isIdle = queries >= ENOUGH && tally.accepted === 0;
    if (isIdle) print(`${name}: nothing was compared`);
    if (tally.broken > MAX_BROKEN + queries / 1000) print(`${name}: the oracle broke too often`);
    if (tally.failed > 0 || isIdle || tally.broken > MAX_BROKEN + queries / 1000) failed++;
    else passed++;
  }
  print(`${passed} passed, ${failed} failed`);
  return failed;
}
