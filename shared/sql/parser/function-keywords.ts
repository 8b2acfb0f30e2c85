import { clockFunctions, functionNames } from '../functions/catalog.ts';
import { RESERVED_KEYWORDS } from '../lexer/keywords.ts';

/** Reserved words that are functions all the same when a parenthesis follows. */
export const KEYWORD_FUNCTIONS: ReadonlySet<string> = new Set(
  functionNames().filter((name) => RESERVED_KEYWORDS.has(name)),
);

/** Functions that need no parentheses; a dot after one begins a field of its value, not the rest of its name. */
export const BARE_FUNCTIONS: readonly string[] = clockFunctions().map(({ name }) => name);
