import type { Rows } from './refusal-rows.ts';
import { FUNCTIONS, HINTS_AND_VARIABLES, PARAMETERS, STATEMENTS } from './refused-features.ts';
import { DOTS, NAMES_OF_THE_WAREHOUSE, PATHS, TABLES, TIME_TRAVEL } from './refused-names.ts';
import { EVERYWHERE, SHADOWING } from './refused-places.ts';
import { LITERALS_AND_COMMENTS, SIZES, UNICODE } from './refused-text.ts';

/** A consumer's query that must be refused: what it tries, its text, and what the message says. */
export interface Refusal {
  readonly why: string;
  readonly sql: string;
  readonly message: string;
}

const CLASSES: Readonly<Record<string, Rows>> = {
  tables: TABLES,
  'dots and blanks in backquotes': DOTS,
  'names of the warehouse': NAMES_OF_THE_WAREHOUSE,
  'time travel': TIME_TRAVEL,
  functions: FUNCTIONS,
  'statements that are no queries': STATEMENTS,
  'hints, variables and options': HINTS_AND_VARIABLES,
  parameters: PARAMETERS,
  'literals and comments': LITERALS_AND_COMMENTS,
  unicode: UNICODE,
  'shadowing and recursion': SHADOWING,
  'a table in every place': EVERYWHERE,
  paths: PATHS,
  sizes: SIZES,
};

/** By class: each a way out of the sandbox, or against it, that somebody may try. */
export const REFUSALS: readonly (readonly [name: string, refusals: readonly Refusal[]])[] = Object.entries(
  CLASSES,
).map(([name, rows]) => [name, rows.map(([why, sql, message]) => ({ why, sql, message }))]);

/** What the requests behind the refusals carry besides their query. */
export const REQUEST: ReadonlyMap<string, readonly string[]> = new Map([
  ['project', ['demo']],
  ['given', ['5']],
  ['twice', ['a', 'b']],
  ['mixed', ['a']],
  ['MIXED', ['b']],
  ['long', ['x'.repeat(4097)]],
]);

/** Stands for the project and the dataset of a warehouse that has such. */
export const FORBIDDEN_NAMES = ['acme-logs', 'acme_warehouse'];
