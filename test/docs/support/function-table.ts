import { AGGREGATE_FUNCTIONS } from '../../../shared/sql/functions/aggregates.ts';
import { ARRAY_FUNCTIONS } from '../../../shared/sql/functions/arrays.ts';
import { DATE_TIME_FUNCTIONS } from '../../../shared/sql/functions/date-time.ts';
import type { Entries } from '../../../shared/sql/functions/entry.ts';
import { HASH_FUNCTIONS } from '../../../shared/sql/functions/hashes.ts';
import { JSON_FUNCTIONS } from '../../../shared/sql/functions/json.ts';
import { MATH_FUNCTIONS } from '../../../shared/sql/functions/math.ts';
import { NET_FUNCTIONS } from '../../../shared/sql/functions/net.ts';
import { CONDITIONAL_FUNCTIONS } from '../../../shared/sql/functions/operators.ts';
import { REGEXP_FUNCTIONS } from '../../../shared/sql/functions/regexps.ts';
import { SKETCH_AGGREGATES, SKETCH_FUNCTIONS } from '../../../shared/sql/functions/sketches.ts';
import { STRING_FUNCTIONS } from '../../../shared/sql/functions/strings.ts';
import { TEXT_SEARCH_FUNCTIONS } from '../../../shared/sql/functions/text-search.ts';
import { WINDOW_FUNCTIONS } from '../../../shared/sql/functions/windows.ts';
import { isTranslated } from '../../../shared/warehouse/duckdb/translate/functions/translate-call.ts';

/** The page with the table of functions. */
export const FUNCTIONS_PAGE = 'docs/googlesql.md';

/** The groups of the catalogue in the order of the table. A function stands in the last group that has it. */
const GROUPS: readonly (readonly [title: string, entries: Entries])[] = [
  ['aggregates', AGGREGATE_FUNCTIONS],
  ['sketches of counts', { ...SKETCH_AGGREGATES, ...SKETCH_FUNCTIONS }],
  ['windows', WINDOW_FUNCTIONS],
  ['conditions', CONDITIONAL_FUNCTIONS],
  ['text and BYTES', STRING_FUNCTIONS],
  ['regular expressions (RE2)', REGEXP_FUNCTIONS],
  ['search', TEXT_SEARCH_FUNCTIONS],
  ['hashes', HASH_FUNCTIONS],
  ['network addresses', NET_FUNCTIONS],
  ['numbers', MATH_FUNCTIONS],
  ['dates and times', DATE_TIME_FUNCTIONS],
  ['JSON', JSON_FUNCTIONS],
  ['arrays', ARRAY_FUNCTIONS],
];

const TABLE = /(\| group \| functions \|\n\| --- \| --- \|\n)((?:\| .*\n)+)/;

/** The page's text with its table of functions as the catalogue has them: each that the embedded engine computes. */
export function withFunctionTable(page: string): string {
  if (!TABLE.test(page)) throw new TypeError('the page has no table of functions');
  return page.replace(TABLE, (_table, head: string) => `${head}${rows()}`);
}

/** The names in each row of a page's table of functions. */
export function namesOfRows(page: string): readonly (readonly string[])[] {
  const lines = TABLE.exec(page)?.[2]?.trimEnd().split('\n') ?? [];
  return lines.map((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

function rows(): string {
  const groupOf = new Map(
    GROUPS.flatMap(([title, entries]) => Object.keys(entries).map((name) => [name, title] as const)),
  );
  const names = [...groupOf.keys()].filter((name) => !name.startsWith('$') && isTranslated(name)).sort();
  return GROUPS.map(([title]) => {
    const own = names.filter((name) => groupOf.get(name) === title);
    return `| ${title} | ${own.map((name) => `\`${name}\``).join(', ')} |\n`;
  }).join('');
}
