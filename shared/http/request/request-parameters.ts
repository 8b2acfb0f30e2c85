/** Parameters as a request carries them: each name with every value given for it, in order. */
export type RequestParameters = ReadonlyMap<string, readonly string[]>;

/** The parameters of several places as one set; a name that occurs in two of them has both values. */
export function mergeParameters(first: RequestParameters, second: RequestParameters): RequestParameters {
  if (second.size === 0) return first;
  if (first.size === 0) return second;
  const merged = new Map(first);
  for (const [name, values] of second) merged.set(name, [...(merged.get(name) ?? []), ...values]);
  return merged;
}
