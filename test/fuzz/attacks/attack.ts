/** Refused, or the sources that the query may read: what looks like an attack and is none must be read rightly. */
export type Expected = 'refused' | readonly string[];

/** What an attack tries, its text, and what must become of it. */
export type AttackRow = readonly [why: string, sql: string, expected: Expected];

/** A backquote, for texts that stand in backquotes themselves. */
export const Q = '`';
