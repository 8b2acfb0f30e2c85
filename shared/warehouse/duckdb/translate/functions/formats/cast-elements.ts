/** What an element of a format of CAST is about. */
export type Category =
  | 'literal'
  | 'year'
  | 'month'
  | 'day'
  | 'hour'
  | 'minute'
  | 'second'
  | 'meridian'
  | 'zone'
  | 'other';

/** An element of a format of CAST. */
export interface CastElement {
  /** In capital letters: `YYYY`; `literal` and `space` for text. */
  readonly name: string;
  /** As it is written; of a literal its text. */
  readonly text: string;
  readonly category: Category;
}

const NAMES: Readonly<Record<Exclude<Category, 'literal'>, string>> = {
  year: 'YYYY YYY YY Y RRRR RR Y,YYY IYYY IYY IY I SYYYY YEAR SYEAR',
  month: 'MM MON MONTH RM',
  day: 'DDD DD D DAY DY J',
  hour: 'HH HH12 HH24',
  minute: 'MI',
  second: 'SS SSSSS FF1 FF2 FF3 FF4 FF5 FF6 FF7 FF8 FF9',
  meridian: 'AM PM A.M. P.M.',
  zone: 'TZH TZM',
  other: 'CC SCC Q IW WW W AD BC A.D. B.C. SP TH SPTH THSP FM',
};

const CATEGORIES = new Map(
  (Object.entries(NAMES) as [Category, string][]).flatMap(([category, names]) =>
    names.split(' ').map((name) => [name, category] as const),
  ),
);

const LONGEST = 5;

/** Reads a format; a text says what is wrong with it. */
export function readCastFormat(format: string): readonly CastElement[] | string {
  const elements: CastElement[] = [];
  let at = 0;
  while (at < format.length) {
    const found = elementAt(format, at);
    if (found === null) return `Cannot find matched format element at ${at}`;
    elements.push(found.element);
    at += found.length;
  }
  return elements;
}

function elementAt(
  format: string,
  at: number,
): { readonly element: CastElement; readonly length: number } | null {
  const character = format.charAt(at);
  if (`-./,';:`.includes(character) && !/^[AaPpBb]/.test(character))
    return { element: { name: 'literal', text: character, category: 'literal' }, length: 1 };
  if (character === ' ') {
    const spaces = /^ +/.exec(format.slice(at))?.[0] ?? ' ';
    return { element: { name: 'space', text: spaces, category: 'literal' }, length: spaces.length };
  }
  if (character === '"') {
    const quoted = /^"((?:[^"\\]|\\["\\])*)"/.exec(format.slice(at));
    if (quoted === null) return null;
    const text = (quoted[1] ?? '').replace(/\\(.)/g, '$1');
    return { element: { name: 'literal', text, category: 'literal' }, length: quoted[0].length };
  }
  for (let length = LONGEST; length > 0; length--) {
    const text = format.slice(at, at + length);
    const category = text.length === length ? CATEGORIES.get(text.toUpperCase()) : undefined;
    if (category !== undefined) return { element: { name: text.toUpperCase(), text, category }, length };
  }
  return null;
}
