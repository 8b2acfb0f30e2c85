import type { Endpoint } from '../../../shared/endpoints/endpoint.ts';
import type { WarmingLimits } from '../../../shared/warming/warmer.ts';
import type { Document } from '../firestore/documents.ts';
import { type Ledger, type Run, setOf } from '../service/ledger.ts';
import type { World } from '../world/world.ts';

/** From when a set is asked for to when that is in the store, where nothing fails. */
const CALM_RECORDING_MS = 20_000;
/**
 * From when a set is asked for to when that is in the store: the request itself, and the writing, which the client may
 * try again for ten minutes of its clock, which stands still while its machine sleeps (81 s at most); then the round
 * that reads it, which lasts some minutes.
 */
const RECORDING_MS = 600_000 + 81_000 + 70_000;

/** Warming runs nothing that no caller asked for in the window. */
export function checkAsked(
  world: World,
  { askedAt }: Ledger,
  run: Run,
  endpoint: Endpoint,
  limits: WarmingLimits,
  isCalm: boolean,
): void {
  if (!run.isWarming) return;
  const sinceMs =
    run.startedMs -
    limits.windowSeconds * 1000 -
    limits.deadlineMs -
    (isCalm ? CALM_RECORDING_MS : RECORDING_MS);
  const isAsked = [true, false].some((isRedacted) =>
    askedAt.get(setOf({ endpoint, project: run.project, isRedacted }))?.some((moment) => moment >= sinceMs),
  );
  if (!isAsked)
    world.violate('warming', `run ${run.number} of ${run.sql} for ${run.project} was asked for by no caller`);
}

/** No token has more sets than it may. */
export function checkNumber(
  world: World,
  stored: readonly Document[],
  added: Document,
  setsPerToken: number,
): void {
  const { owner } = added.fields;
  const count = stored.filter(({ fields }) => fields.owner === owner).length;
  if (count > setsPerToken)
    world.violate('sets per token', `${owner} has ${count} sets; ${setsPerToken} are allowed`);
}

/** What was asked for in the window before a round is refreshed by it. */
export function checkRefreshed(
  world: World,
  { runs, askedAt }: Ledger,
  endpoint: Endpoint,
  wanted: readonly { readonly project: string; readonly isRedacted: boolean }[],
  sinceMs: number,
): void {
  for (const { project, isRedacted } of wanted) {
    const isAsked = askedAt.has(setOf({ endpoint, project, isRedacted }));
    const isRun = runs.some(
      (run) =>
        run.isWarming && run.sql === endpoint.sql && run.project === project && run.startedMs >= sinceMs,
    );
    if (isAsked && !isRun)
      world.violate('warming', `${endpoint.name} for ${project} was asked for and is not kept warm`);
  }
}
