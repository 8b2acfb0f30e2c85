import type { AttackRow, Expected } from './attacks/attack.ts';
import {
  BURDENS,
  FUNCTIONS,
  HINTS_AND_OPTIONS,
  OPERATORS,
  STATEMENTS,
  VARIABLES,
} from './attacks/features.ts';
import { COMMENTS, NUMBERS_AND_SPACE, RAW_STRINGS, STRINGS } from './attacks/lexical.ts';
import { HOMOGLYPHS, QUOTED_NAMES, TIME_TRAVEL, WAREHOUSE_NAMES } from './attacks/names.ts';
import { CTE_SCOPE, PATHS, RECURSION, SHADOWING, SUBQUERIES } from './attacks/scopes.ts';

/** A query that somebody may send to get out of the sandbox or to bring it down. */
export interface Attack {
  readonly class: string;
  readonly why: string;
  readonly sql: string;
  readonly expected: Expected;
}

const CLASSES: Readonly<Record<string, readonly AttackRow[]>> = {
  'raw strings': RAW_STRINGS,
  strings: STRINGS,
  comments: COMMENTS,
  'numbers and white space': NUMBERS_AND_SPACE,
  'quoted names': QUOTED_NAMES,
  homoglyphs: HOMOGLYPHS,
  'names of the warehouse': WAREHOUSE_NAMES,
  'time travel': TIME_TRAVEL,
  shadowing: SHADOWING,
  'scopes of CTEs': CTE_SCOPE,
  recursion: RECURSION,
  'paths and UNNEST': PATHS,
  'tables in every place': SUBQUERIES,
  functions: FUNCTIONS,
  statements: STATEMENTS,
  'hints and options': HINTS_AND_OPTIONS,
  'variables and parameters': VARIABLES,
  operators: OPERATORS,
  burdens: BURDENS,
};

/** All attacks, those of one class together. */
export const ATTACKS: readonly Attack[] = Object.entries(CLASSES).flatMap(([name, rows]) =>
  rows.map(([why, sql, expected]) => ({ class: name, why, sql, expected })),
);
