/** A noun as it follows a count in a message: `line` after 1, `lines` after any other. `plural` where an s does not make it. */
export function nounFor(count: number | bigint, singular: string, plural = `${singular}s`): string {
  return Number(count) === 1 ? singular : plural;
}
