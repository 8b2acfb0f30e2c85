import { Simulation } from './simulation.ts';
import { type Violation, World } from './world/world.ts';

/** What came of a seed. */
export interface Outcome {
  readonly seed: number;
  readonly violations: readonly Violation[];
  /** What happened, where it was asked for. */
  readonly trace: readonly string[];
  readonly events: number;
}

/** Lives through what a seed makes happen. The same seed always has the same outcome. */
export async function simulate(seed: number, { isTraced = false } = {}): Promise<Outcome> {
  const world = new World(seed, { isTraced });
  const onUnhandled = (error: unknown) =>
    world.violate(
      'no stray failure',
      error instanceof Error ? (error.stack ?? error.message) : String(error),
    );
  process.on('unhandledRejection', onUnhandled);
  try {
    await new Simulation(world).run();
  } catch (error) {
    world.violate(
      'the simulation itself',
      error instanceof Error ? (error.stack ?? error.message) : String(error),
    );
  } finally {
    process.off('unhandledRejection', onUnhandled);
  }
  const { violations, trace, eventCount } = world;
  return { seed, violations, trace: trace ?? [], events: eventCount };
}
