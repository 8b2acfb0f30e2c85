import { analyze } from '../analyzer/analyze.ts';
import type { Catalog } from '../analyzer/environment.ts';
import { namedParameters } from '../lexer/named-parameters.ts';
import { parseStatement } from '../parser/parse-query.ts';

/** What a stored query names. Each list is sorted and has each name once. */
export interface QueryFacts {
  /** The tables that it reads, by their names in the dataset of stored queries. */
  readonly tables: readonly string[];
  /** Its query parameters, in lower case: GoogleSQL compares them without regard to case. */
  readonly parameters: readonly string[];
  /** The CTEs of its outermost WITH, in lower case. */
  readonly ctes: readonly string[];
}

/** What the analyzer finds in a stored query. Throws a ServiceError (invalid_argument) for one that it refuses. */
export function queryFacts(sql: string, catalog: Omit<Catalog, 'onTable'>): QueryFacts {
  const tables: string[] = [];
  const query = parseStatement(sql);
  analyze(query, sql, { ...catalog, onTable: (table) => tables.push(table) });
  return {
    tables: sortedNames(tables),
    parameters: sortedNames(namedParameters(sql).map((name) => name.toLowerCase())),
    ctes: sortedNames(query.ctes.map(({ name }) => name.toLowerCase())),
  };
}

/** Each name once, in order. */
export function sortedNames(names: Iterable<string>): readonly string[] {
  return [...new Set(names)].sort();
}

const WORDS: Readonly<Record<keyof QueryFacts, string>> = {
  tables: 'tables',
  parameters: 'query parameters',
  ctes: 'CTEs',
};

/** A sentence for each list in which two readers differ, with the names that only one of them has. */
export function factDifferences(analyzer: QueryFacts, second: QueryFacts): readonly string[] {
  return (Object.keys(WORDS) as (keyof QueryFacts)[]).flatMap((list) => {
    const only = (ours: QueryFacts, theirs: QueryFacts) =>
      ours[list].filter((name) => !theirs[list].includes(name)).join(', ') || 'none';
    const ours = only(analyzer, second);
    const theirs = only(second, analyzer);
    if (ours === 'none' && theirs === 'none') return [];
    return [
      `the two readers of stored queries find other ${WORDS[list]} in it: the analyzer alone ${ours}, node-sql-parser alone ${theirs}`,
    ];
  });
}
