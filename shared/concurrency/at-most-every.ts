/**
 * Makes work that is begun at most once in `intervalMs`: who asks meanwhile, or while it is under way, gets the outcome of
 * the one that began last, its failure as well. `nowMs` is of a clock that never runs backwards.
 */
export function atMostEvery<T>(
  intervalMs: number,
  nowMs: () => number,
  work: () => Promise<T>,
): () => Promise<T> {
  const last: { begun?: { readonly atMs: number; readonly outcome: Promise<T>; isUnderWay: boolean } } = {};
  return () => {
    const { begun } = last;
    if (begun !== undefined && (begun.isUnderWay || nowMs() - begun.atMs < intervalMs)) return begun.outcome;
    const outcome = work();
    const next = { atMs: nowMs(), outcome, isUnderWay: true };
    last.begun = next;
    const end = () => {
      next.isUnderWay = false;
    };
    outcome.then(end, end);
    return outcome;
  };
}
