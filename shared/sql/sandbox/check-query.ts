import type { Query } from '../ast/query.ts';
import { walkQuery } from '../ast/walk-query.ts';
import { sqlError } from '../text/sql-error.ts';

/** Names of sources and tables, by which a database finds them, may have these characters only. */
const ASCII = /^[\x20-\x7e]*$/;

/** The names that a consumer's query may not give to anything in its own WITH, in lower case. */
export type TakenNames = ReadonlySet<string>;

/**
 * Applies the rules for names that hold in a consumer's query beyond GoogleSQL's own: its WITHs give no name that is
 * taken, and names in FROM are plain. Answers those of `sources` (lower case) that the query's text names, each once.
 * Throws a ServiceError (invalid_argument) with the place.
 */
export function checkQuery(
  text: string,
  query: Query,
  sources: ReadonlySet<string>,
  taken: TakenNames,
): ReadonlySet<string> {
  const used = new Set<string>();
  for (const { node } of walkQuery(query)) {
    if ('ctes' in node) for (const { name, at } of node.ctes) checkCteName(text, name, at, taken);
    if (node.kind !== 'table') continue;
    const [name = ''] = node.path;
    checkPlain(text, name, node.at);
    if (node.path.length === 1 && sources.has(name.toLowerCase())) used.add(name.toLowerCase());
  }
  return used;
}

function checkCteName(text: string, name: string, at: number, taken: TakenNames): void {
  checkPlain(text, name, at);
  if (taken.has(name.toLowerCase())) {
    throw sqlError(text, at, `WITH cannot define ${name}, the name is taken; choose another`);
  }
}

function checkPlain(text: string, name: string, at: number): void {
  if (!ASCII.test(name)) throw sqlError(text, at, 'Names in FROM and WITH may have ASCII characters only');
}
