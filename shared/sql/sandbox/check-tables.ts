import type { Token } from '../lexer/token.ts';
import { sqlError } from '../text/sql-error.ts';
import { definedCtes, possibleAliases, tableNames } from './table-names.ts';

/**
 * The second opinion on what a consumer's query reads, from its tokens alone: what stands where tables do must be one
 * of the sources (lower case), a CTE of the query's own, or a path from an alias. Throws a ServiceError
 * (invalid_argument) with the place.
 */
export function checkTables(text: string, tokens: readonly Token[], sources: ReadonlySet<string>): void {
  const others = tableNames(tokens).filter(({ path }) => !sources.has(firstOf(path)));
  if (others.length === 0) return;
  const own = definedCtes(tokens);
  const aliases = possibleAliases(tokens);
  for (const { path, at } of others) {
    const name = firstOf(path);
    if (own.has(name) || (path.length > 1 && aliases.has(name))) continue;
    throw sqlError(text, at, `Table not found: ${path.join('.')}`);
  }
}

function firstOf([first = '']: readonly string[]): string {
  return first.toLowerCase();
}
