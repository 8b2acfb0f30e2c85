import type { Endpoint } from '../../../shared/endpoints/endpoint.ts';
import type { Ledger, Run } from '../service/ledger.ts';
import type { World } from '../world/world.ts';
import { slackMs } from './answers.ts';

/** Answers are dated early by the time that the store takes to say its own, and are in it some calls after they are known. */
const CALLS_MS = 1_000;

/** Where nothing fails, one query runs for what all ask for within the time that its answer is kept. */
export function checkRuns(world: World, { runs }: Ledger, endpoint: Endpoint): void {
  const windowMs = endpoint.cacheTtlSeconds * 1000 - CALLS_MS - slackMs(endpoint.cacheTtlSeconds);
  const own = runs.filter(({ sql }) => sql === endpoint.sql);
  for (const [at, run] of own.entries()) {
    if (isRefresh(run)) continue;
    const [answer] = run.account.split(' ');
    const needless = own.slice(0, at).find((earlier) => {
      if (!earlier.account.startsWith(`${answer} `) || run.startedMs - earlier.startedMs >= windowMs)
        return false;
      if (!isRefresh(earlier)) return true;
      return earlier.endedMs !== null && earlier.endedMs + CALLS_MS < run.startedMs;
    });
    if (needless !== undefined) {
      world.violate(
        'one run',
        `run ${run.number} of ${run.sql} for ${run.project} began ${(run.startedMs - needless.startedMs).toFixed(0)} ms after run ${needless.number}`,
      );
    }
  }
}

function isRefresh({ isWarming, account }: Run): boolean {
  return isWarming || account.endsWith(' anew');
}
