import { readClause, skipSpace } from '../lql/lexer.ts';
import { isPlain } from '../lql/parse-field.ts';

/** Longer queries have a line for each clause. */
const MAX_LINE_CHARACTERS = 80;

/** A value as a clause of LQL has it: bare where that is read as the same, else in double quotes. */
export function lqlValue(text: string): string {
  const isBare = isPlain(text) && text !== 'NULL' && /^[A-Za-z0-9_]+$/.test(text);
  return isBare ? text : `"${text.replace(/["\\]/g, (character) => `\\${character}`)}"`;
}

/** A path as people write it. */
export function lqlPath(names: readonly string[]): string {
  const [first, ...rest] = names;
  return first === 'metadata' && rest.length > 0 ? ['m', ...rest].join('.') : names.join('.');
}

/** The clauses of a valid query, each as it is written. */
export function lqlClauses(text: string): readonly string[] {
  const clauses: string[] = [];
  for (let at = skipSpace(text, 0); at < text.length; ) {
    const { end } = readClause(text, at);
    clauses.push(text.slice(at, end));
    at = skipSpace(text, end);
  }
  return clauses;
}

/** Clauses on one line, or one on each where they are long. */
export function joinClauses(clauses: readonly string[]): string {
  const line = clauses.join(' ');
  return line.length > MAX_LINE_CHARACTERS ? clauses.join('\n') : line;
}
