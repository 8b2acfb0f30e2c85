import { EMULATED_PROJECT, startBigQueryEmulator } from '../emulators/support/bigquery-emulator.ts';
import { startTcpProxy } from '../emulators/support/tcp-proxy.ts';
import type { BenchContext, Benchmark } from './benchmark.ts';
import { madeDatabase } from './data/made-database.ts';
import { MADE_NOW_MICROS, PROJECTS } from './data/made-time.ts';
import { askInTurn, attack, type Outcome } from './fairness/callers.ts';
import { type ServedProcess, startServedProcess } from './fairness/served-process.ts';
import { worstText } from './fairness/worst-texts.ts';
import { type Measured, milliseconds, ratio } from './report.ts';

/** Goal: the p99 of callers beside attackers, as a multiple of what it is without. */
const GOAL = 3;

const BENCHMARK = 'Fairness';
const NAMES = ['small', 'stored', 'hanging-up', 'patient'];

/** Requests a second of each attacker. */
const PER_SECOND = 10;
/** When the one attacker hangs up, in ms. */
const LEAVE_AFTER_MS = 700;
/** Between an answer and the next request of well-behaved callers, in ms. */
const PAUSE_MS = 20;

/** So many times the budget of a comparison is measured without attackers, and with them. */
const QUIET_PART = 2.5;
const ATTACKED_PART = 5;

/** How long each piece of data to and from BigQuery is held back, in ms. */
const BIGQUERY_DELAY_MS = 1_000;

/** Small and stored queries, alone and beside two who attack: one that hangs up, and one that waits. */
export const FAIRNESS: Benchmark = { name: 'fairness', run };

/** What is attacked, and with what. */
interface Scene {
  readonly name: string;
  readonly entries: number;
  readonly project: string;
  readonly service: ServedProcess;
  readonly small: (n: number) => string;
  readonly worst: (n: number) => string;
}

async function run({ entries, budgetMs, say }: BenchContext): Promise<readonly Measured[]> {
  return [...(await onDuckDb(entries, budgetMs, say)), ...(await onBigQuery(budgetMs, say))];
}

async function onDuckDb(
  sizes: readonly number[],
  budgetMs: number,
  say: BenchContext['say'],
): Promise<readonly Measured[]> {
  const lines: Measured[] = [];
  for (const entries of sizes) {
    const service = await startServedProcess(NAMES, {
      LQE_DATABASE: await madeDatabase(entries, say),
      LQE_NOW: new Date(Number(MADE_NOW_MICROS / 1000n)).toISOString(),
    });
    try {
      const small = (n: number) => `select id, timestamp from edge_logs where id != '${n}' limit 10`;
      const scene = { name: 'DuckDB', entries, project: PROJECTS[0], service, small, worst: worstText };
      lines.push(...(await measure(scene, budgetMs, say)));
    } finally {
      await service.close();
    }
  }
  return lines;
}

/**
 * BigQuery keeps the queries of neighbours apart; its emulator does not, so that they are cheap there and slow on the way:
 * what is measured is what the service does about callers who have many under way.
 */
async function onBigQuery(budgetMs: number, say: BenchContext['say']): Promise<readonly Measured[]> {
  say("fairness: BigQuery's emulator is started, or built the first time");
  const emulator = await startBigQueryEmulator();
  process.env.BIGQUERY_EMULATOR_HOST = emulator.host;
  const proxy = await startTcpProxy(emulator.host);
  const { makeLogs, NOW } = await import('../emulators/service/support/logs.ts');
  const { forgetJobs } = await import('../emulators/bigquery/support/emulated-dataset.ts');
  const dataset = await makeLogs();
  const service = await startServedProcess(NAMES, {
    LQE_WAREHOUSE: 'bigquery',
    LQE_GOOGLE_PROJECT: EMULATED_PROJECT,
    LQE_BIGQUERY_DATASET: dataset,
    LQE_NOW: NOW,
    BIGQUERY_EMULATOR_HOST: proxy.host,
  });
  proxy.delayMs = BIGQUERY_DELAY_MS;
  const forgetting = setInterval(() => void forgetJobs().catch(() => {}), 1000);
  try {
    const small = (n: number) => `select id, ${n} as n from edge_logs limit 10`;
    const scene = { name: 'BigQuery', entries: 0, project: 'acme', service, small, worst: small };
    return await measure(scene, budgetMs, say);
  } finally {
    clearInterval(forgetting);
    await service.close();
    await proxy.close();
    await emulator.stop();
  }
}

async function measure(
  scene: Scene,
  budgetMs: number,
  say: BenchContext['say'],
): Promise<readonly Measured[]> {
  const { name, entries } = scene;
  await phase(scene, budgetMs / 2, false);
  say(`fairness: ${name}, ${entries} entries, without attackers`);
  const quiet = await phase(scene, budgetMs * QUIET_PART, false);
  say(`fairness: ${name}, ${entries} entries, with attackers`);
  const attacked = await phase(scene, budgetMs * ATTACKED_PART, true);
  for (const [attacker, codes] of attacked.attackers) {
    const counts = [...codes].map(([code, count]) => `${count} × ${code === 0 ? 'hung up' : code}`);
    say(`fairness: ${attacker}: ${counts.join(', ')}`);
  }
  return [
    line(scene, 'small queries', quiet.small, attacked.small),
    line(scene, 'stored queries', quiet.stored, attacked.stored),
  ];
}

interface Phase {
  readonly small: Outcome;
  readonly stored: Outcome;
  readonly attackers: readonly (readonly [string, ReadonlyMap<number, number>])[];
}

async function phase(
  { service, project, small, worst }: Scene,
  durationMs: number,
  isAttacked: boolean,
): Promise<Phase> {
  const target = (name: string) => ({ port: service.port, token: service.tokens.get(name) ?? '' });
  const stored = `/api/endpoints/query/logs.all?project=${project}`;
  const sql = (text: string) => `${stored}&sql=${encodeURIComponent(text)}`;
  const endMs = performance.now() + durationMs;
  const isOver = () => performance.now() >= endMs;
  const attackers = (isAttacked ? ['hanging-up', 'patient'] : []).map(async (name, index) => {
    const leaveAfterMs = name === 'patient' ? undefined : LEAVE_AFTER_MS;
    const path = (n: number) => sql(worst(2 * n + index));
    const codes = await attack(target(name), path, { perSecond: PER_SECOND, leaveAfterMs }, isOver);
    return [name, codes] as const;
  });
  const [smallOutcome, storedOutcome] = await Promise.all([
    askInTurn(target('small'), (n) => sql(small(n)), PAUSE_MS, isOver),
    askInTurn(target('stored'), () => stored, PAUSE_MS, isOver),
  ]);
  return { small: smallOutcome, stored: storedOutcome, attackers: await Promise.all(attackers) };
}

function line(scene: Scene, what: string, quiet: Outcome, attacked: Outcome): Measured {
  const [before, beside] = [p99(quiet), p99(attacked)];
  const failures = [quiet, attacked].reduce((sum, { codes }) => {
    const others = [...codes].filter(([code]) => code !== 200);
    return sum + others.reduce((count, [, one]) => count + one, 0);
  }, 0);
  return {
    benchmark: BENCHMARK,
    what: `${what}, ${scene.name}`,
    entries: scene.entries,
    figures: {
      'p99 alone': milliseconds(before),
      'p99 beside attackers': milliseconds(beside),
      ratio: ratio(beside / before),
      answers: String(attacked.times.length),
      failures: String(failures),
    },
    goal: { text: `≤ ${ratio(GOAL)}, no failure`, isMet: beside <= GOAL * before && failures === 0 },
  };
}

function p99({ times }: Outcome): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? Number.NaN;
}
