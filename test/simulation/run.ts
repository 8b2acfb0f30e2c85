import { setImmediate as turnOfTheEventLoop } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Outcome, simulate } from './simulate.ts';

/** A CI run's seeds. */
const SEEDS = 2_000;
/** Failing seeds that are told of; the others are counted. */
const MOST_TOLD = 10;
const PROGRESS_MS = 60_000;

const USAGE = `usage: npm run simulate -- [--seed N | --seeds COUNT [--from N] [--rule NAME]]
  --seed N       one seed, with all that happens in it
  --seeds COUNT  so many seeds (${SEEDS} unless given), from --from on (1 unless given)
  --rule NAME    end with the first seed in which this rule does not hold`;

function numberOf(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const number = Number(text);
  if (/^\d{1,10}$/.test(text) && number > 0) return number;
  throw new TypeError(`--${name} is ${JSON.stringify(text)}; it accepts a whole number above 0\n${USAGE}`);
}

function tell({ seed, violations }: Outcome): void {
  for (const { rule, atMs, text } of violations) {
    console.log(`seed ${seed}: ${rule}, after ${(atMs / 1000).toFixed(3)} s: ${text}`);
  }
}

async function replay(seed: number): Promise<boolean> {
  const outcome = await simulate(seed, { isTraced: true });
  for (const line of outcome.trace) console.log(line);
  tell(outcome);
  return outcome.violations.length === 0;
}

async function runAll(from: number, count: number, wantedRule: string | null): Promise<boolean> {
  // Failures are made by the thousand, and where is of interest when a seed is replayed.
  Error.stackTraceLimit = 0;
  const began = performance.now();
  let told = began;
  let failed = 0;
  let events = 0;
  let seed = from;
  for (let isFound = false; seed < from + count && !isFound; seed += 1) {
    const outcome = await simulate(seed);
    // A simulation runs in microtasks alone, and what these hold is freed only when the event loop turns.
    await turnOfTheEventLoop();
    events += outcome.events;
    if (outcome.violations.length > 0) {
      failed += 1;
      if (failed <= MOST_TOLD) tell(outcome);
    }
    isFound = outcome.violations.some(({ rule }) => rule === wantedRule);
    if (isFound && failed > MOST_TOLD) tell(outcome);
    if (performance.now() - told < PROGRESS_MS) continue;
    told = performance.now();
    console.log(`… seed ${seed}, ${failed} failed, ${rateOf(seed - from + 1, began)}`);
  }
  const ran = seed - from;
  console.log(`${ran} seeds from ${from}, ${events} events, ${rateOf(ran, began)}`);
  if (failed > 0) console.log('replay one with: npm run simulate -- --seed N');
  console.log(`${ran - failed} passed, ${failed} failed`);
  return failed === 0;
}

function rateOf(count: number, began: number): string {
  return `${(count / ((performance.now() - began) / 1000)).toFixed(0)} seeds a second`;
}

try {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      seeds: { type: 'string' },
      from: { type: 'string' },
      rule: { type: 'string' },
    },
  });
  const isFine =
    values.seed === undefined
      ? await runAll(
          numberOf('from', values.from, 1),
          numberOf('seeds', values.seeds, SEEDS),
          values.rule ?? null,
        )
      : await replay(numberOf('seed', values.seed, 1));
  process.exitCode = isFine ? 0 : 1;
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
