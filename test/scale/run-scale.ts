import { parseArguments } from '../../cli/arguments/parse-arguments.ts';
import { COST } from '../../cli/commands/cost.ts';
import type { CostModel } from '../../cli/cost/model.ts';
import { readModel } from '../../cli/cost/read-model.ts';
import { byteCapOf } from '../../shared/results/byte-cap.ts';
import { limitsOf } from './limits.ts';
import { type Load, loadOf } from './load.ts';
import { exceeded, type SizedRun, type Step } from './report.ts';
import { type Limits, type Outcome, simulate } from './simulate.ts';

/** The sizes of docs/scale.md. */
export const MULTIPLES = [1, 10, 100, 1000] as const;

/** The docs' size: what `lqe cost` takes when it is told nothing. */
export async function docsSize(): Promise<{ readonly model: CostModel; readonly limits: Limits }> {
  const model = await readModel(parseArguments([], COST), {});
  const logs = model.endpoints.find(({ name }) => name === 'logs.all');
  const service = model.deployment.byteCaps;
  const cap = logs === undefined ? 0 : byteCapOf({ service, endpoint: logs, token: null }, true);
  return { model, limits: limitsOf(model.deployment, cap) };
}

/** Simulates sizes, each with the same seed. */
export function runSizes(
  model: CostModel,
  limits: Limits,
  seed: number,
  multiples: readonly number[],
): readonly SizedRun[] {
  return multiples.map((multiple) => {
    const load = loadOf(model, multiple);
    const outcome = simulate(load, limits, model.deployment, seed);
    return { multiple, load, outcome, steps: stepsOf(model, limits, { load, outcome, seed }) };
  });
}

/**
 * What gives way one after the other: each time the limit of which the most is wanted is moved to what is wanted, until
 * nothing gives way.
 */
function stepsOf(
  model: CostModel,
  limits: Limits,
  { load, outcome, seed }: { readonly load: Load; readonly outcome: Outcome; readonly seed: number },
): readonly Step[] {
  const steps: Step[] = [];
  let moved = limits;
  let current = outcome;
  while (steps.length < MOST_STEPS) {
    const [name] = exceeded(current);
    if (name === undefined) break;
    const value = Math.ceil(current.uses[name].wanted * HEADROOM);
    steps.push({ name, value });
    moved = { ...moved, [name]: { ...moved[name], value } };
    current = simulate(load, moved, model.deployment, seed);
  }
  return steps;
}

/** What a limit is moved to, for what was wanted: the next run's chance may want a little more. */
const HEADROOM = 1.25;
const MOST_STEPS = 40;
