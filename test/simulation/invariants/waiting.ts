import { DEADLINE_MS } from '../service/instance.ts';
import type { Asked, Ledger, Round } from '../service/ledger.ts';
import type { World } from '../world/world.ts';

/** A token's look-up, the query's deadline from when its result is wanted, and the calls around it that are bounded each. */
const REQUEST_MS = 5_000 + DEADLINE_MS + 5_000;
/** A round begins nothing after its deadline; then come the queries under way, and freeing the lock. */
const AROUND_ROUND_MS = 10_000 + 5_000 + DEADLINE_MS + 5_000 + 5_000;

/** A request, or a round, has ended in time; what a machine does not do while it is paused does not count. */
export function checkDuration(world: World, ended: Asked | Round, roundMs: number): void {
  const tookMs = world.nowMs - startOf(ended) - (ended.host.pausedMs - ended.pausedBeforeMs);
  const most = ('number' in ended ? REQUEST_MS : roundMs + AROUND_ROUND_MS) * 1.01;
  if (tookMs > most) {
    world.violate(
      'waiters end',
      `${nameOf(ended)} took ${tookMs.toFixed(0)} ms; ${most.toFixed(0)} are allowed`,
    );
  }
}

/** At the end no caller waits any longer, but for those whose machine has stopped. */
export function checkNobodyWaits(world: World, { openRequests, openRounds }: Ledger): void {
  for (const open of [...openRequests, ...openRounds]) {
    if (open.host.state !== 'stopped') world.violate('waiters end', `${nameOf(open)} has not ended`);
  }
}

function startOf(one: Asked | Round): number {
  return 'number' in one ? one.arrivedMs : one.startedMs;
}

function nameOf(one: Asked | Round): string {
  return 'number' in one
    ? `request ${one.number} on ${one.host.name}`
    : `a round of warming on ${one.host.name}`;
}
