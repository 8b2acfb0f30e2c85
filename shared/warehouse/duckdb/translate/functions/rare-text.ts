/** Characters that most lines of logs hold, and those that many hold. */
const COMMON = /[ aceilnorstd0-9/.:=,"-]/;
const FREQUENT = /[bfghmpuwyA-Z_|()[\]{}'?&;+%*]/;
/** What a line with any URL holds. */
const OF_ALL_URLS = /https?:\/\/|www\.|\.com/g;

/** Shorter texts, and less rare ones, are in too many lines. */
const LEAST_LENGTH = 3;
const LEAST_RARITY = 4;
/** A text this rare is in hardly any line. */
const RARE_ENOUGH = 12;
/** Longest text to look for. */
const MOST_LENGTH = 40;
/** How often the first character counts. */
const FIRST = 3;

/**
 * Of texts that must all be found, a part that is found fast and leaves out most lines; null where there is none. DuckDB looks
 * for a text's first character at the speed of memory, and from there on for the text at each place, which takes several times as long.
 * So the part begins with a rare character.
 */
export function rarestPart(texts: readonly string[]): string | null {
  let best = { text: '', score: 0 };
  for (const text of texts) {
    const characters = [...text];
    const rarities = raritiesOf(text);
    let rarity = 0;
    for (let start = characters.length - 1; start >= 0; start--) {
      const first = rarities[start] ?? 0;
      rarity = Math.min(RARE_ENOUGH, rarity + first);
      if (characters.length - start < LEAST_LENGTH || rarity < LEAST_RARITY) continue;
      const score = rarity + (FIRST - 1) * first;
      if (score >= best.score) best = { text: characters.slice(start, start + MOST_LENGTH).join(''), score };
    }
  }
  return best.text === '' ? null : best.text;
}

/** How rare each character of a text is, from 0. */
function raritiesOf(text: string): readonly number[] {
  const masked = text.replace(OF_ALL_URLS, (part) => '\0'.repeat(part.length));
  return Array.from(masked, (character) => {
    if (character === '\0') return 0;
    if (COMMON.test(character)) return 1;
    return FREQUENT.test(character) ? 2 : 3;
  });
}
