/** Most names that a hint lists. */
const MAX_NAMES = 3;

/**
 * The names of `candidates` that are spelled most like `name`, nearest first, without regard to case: at most three,
 * and none that would need a third of its letters changed.
 */
export function nearestNames(name: string, candidates: Iterable<string>): readonly string[] {
  const target = name.toLowerCase().slice(0, 100);
  return [...new Set(candidates)]
    .map((candidate) => ({
      candidate,
      distance: editDistance(target, candidate.toLowerCase().slice(0, 100)),
    }))
    .filter(
      ({ candidate, distance }) =>
        distance <= Math.max(1, Math.floor(Math.max(target.length, Math.min(candidate.length, 100)) / 3)),
    )
    .sort((a, b) => a.distance - b.distance || a.candidate.localeCompare(b.candidate, 'en'))
    .slice(0, MAX_NAMES)
    .map(({ candidate }) => candidate);
}

/** `; did you mean a or b?`, or nothing. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const names = nearestNames(name, candidates);
  return names.length === 0 ? '' : `; did you mean ${names.join(' or ')}?`;
}

/** Levenshtein's distance, a swap of two neighbouring letters counted as one. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let distance = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        distance = Math.min(distance, (beforeLast[j - 2] ?? 0) + 1);
      row.push(distance);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
