import { CACHE_COLLECTION } from '../../../shared/cache/firestore/firestore-cache-store.ts';
import { MAX_CLOCK_DRIFT } from '../../../shared/concurrency/clock.ts';
import type { Document, Path } from '../firestore/documents.ts';
import type { Ledger, Run } from '../service/ledger.ts';
import type { World } from '../world/world.ts';

/**
 * Answers are dated while the store is asked, and too early by as long as that takes (MAX_DATING_MS of
 * shared/cache/firestore/firestore-cache-store.ts): of two that began within this time neither is known to be the newer.
 */
const DATING_MS = 2_000;

/** An answer in the store is never replaced by one of an older run. */
export function checkOrder(
  world: World,
  ledger: Ledger,
  { collection, id }: Path,
  before: Document | null,
  after: Document | null,
): void {
  if (collection !== CACHE_COLLECTION || before === null || after === null) return;
  const [older, newer] = [runOf(ledger, before), runOf(ledger, after)];
  if (
    older === undefined ||
    newer === undefined ||
    newer.startedMs >= older.startedMs - datingMs(world, older)
  )
    return;
  world.violate(
    'order',
    `under ${id.slice(0, 8)} run ${older.number} was replaced by run ${newer.number}, which began ${(older.startedMs - newer.startedMs).toFixed(0)} ms before it`,
  );
}

/** A clock that was set forwards passes for one that went on while its machine slept, and an answer for older than it is. */
function datingMs({ nowMs }: World, { startedMs, host }: Run): number {
  return host.wallSetMs >= startedMs
    ? Number.POSITIVE_INFINITY
    : DATING_MS + MAX_CLOCK_DRIFT * (nowMs - startedMs);
}

function runOf({ runs }: Ledger, { fields }: Document): Run | undefined {
  if (!(fields.data instanceof Uint8Array)) return undefined;
  const text = Buffer.from(fields.data).toString('latin1');
  return runs[Number(/"run":(\d+)/.exec(text)?.[1])];
}
