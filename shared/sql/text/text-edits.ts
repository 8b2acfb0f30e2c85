/** Puts `text` in place of what stands from `from` up to `to`. */
export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Makes edits that do not overlap, in any order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let edited = '';
  let done = 0;
  for (const { from, to, text: replacement } of edits.toSorted((a, b) => a.from - b.from)) {
    if (from < done) throw new TypeError(`two edits of the text at ${from}`);
    edited += text.slice(done, from) + replacement;
    done = to;
  }
  return edited + text.slice(done);
}
