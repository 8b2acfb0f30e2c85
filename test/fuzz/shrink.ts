import { split } from './generate/mutate.ts';

/** Most tries at making one failing query smaller. */
const MAX_TRIES = 1500;

/** A smaller text for which `fails` holds too: pieces and parentheses are left out as long as it does. */
export async function shrink(text: string, fails: (candidate: string) => Promise<boolean>): Promise<string> {
  let pieces = split(text);
  let tries = 0;
  const attempt = async (candidate: string[]): Promise<boolean> => {
    if (tries++ >= MAX_TRIES || !(await fails(candidate.join('')))) return false;
    pieces = candidate;
    return true;
  };
  for (let before = Number.POSITIVE_INFINITY; pieces.length < before && tries < MAX_TRIES; ) {
    before = pieces.length;
    for (let at = 0; at < pieces.length; at++) {
      const close = closing(pieces, at);
      if (close < 0) continue;
      const [head, inside, tail] = [
        pieces.slice(0, at),
        pieces.slice(at + 1, close),
        pieces.slice(close + 1),
      ];
      for (const middle of [[], ['1'], [' x '], ['(1)'], ['()'], inside])
        if (await attempt([...head, ...middle, ...tail])) break;
    }
    for (let size = Math.ceil(pieces.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
      for (let at = 0; at < pieces.length; )
        if (!(await attempt([...pieces.slice(0, at), ...pieces.slice(at + size)]))) at += size;
  }
  return pieces.join('');
}

/** Where the parenthesis that opens at a place closes; -1 where none opens, or it does not close. */
function closing(pieces: readonly string[], open: number): number {
  const [up, down] = pieces[open] === '(' ? ['(', ')'] : ['[', ']'];
  if (pieces[open] !== up) return -1;
  for (let depth = 0, at = open; at < pieces.length; at++) {
    if (pieces[at] === up) depth++;
    if (pieces[at] === down && --depth === 0) return at;
  }
  return -1;
}
