import { tokenize } from './lexer.ts';

/** The names of the query parameters (`@name`) in a query, each once, in order of appearance. */
export function namedParameters(sql: string): readonly string[] {
  const names = tokenize(sql)
    .filter((token) => token.kind === 'parameter')
    .map((token) => token.value);
  return [...new Set(names)];
}
