import { findFunction, functionNames, operatorNames } from '../../../shared/sql/functions/catalog.ts';
import type { ArgumentPattern, Signature } from '../../../shared/sql/functions/signature.ts';
import { isTranslated } from '../../../shared/warehouse/duckdb/translate/functions/translate-call.ts';
import { typesOf, valuesOf } from './values.ts';
import { writeCall } from './write-call.ts';

/** Calls of one signature are so many at most; which of them is the same in every run. */
const MAX_CALLS = 24;

/**
 * What a place needs for a call to get anywhere, beside the values of its type: literals in their own language,
 * written so that they cost as much as they can.
 */
const PLACES: readonly (readonly [RegExp, number, readonly string[]])[] = [
  [
    /^JSON_(?:QUERY|VALUE|EXTRACT)|^JSON_(?:SET|REMOVE|ARRAY_APPEND|STRIP_NULLS)$/,
    1,
    ["'$'", "'$.k1'", "'$[1]'"],
  ],
  [/^JSON_ARRAY_INSERT$/, 1, ["'$[0]'", "'$.k1[9999]'"]],
  [/^PARSE_JSON$|^FLOAT64$/, 1, ["'exact'"]],
  [/^ROUND$/, 2, ["'ROUND_HALF_EVEN'"]],
  [/^\$JSON_FIELD$/, 1, ["'k1'"]],
  [/^JSON_OBJECT$/, 0, ["'k'"]],
  [
    /^REGEXP_/,
    1,
    [
      "'a'",
      "'(?:a|b)*z'",
      "'a*?b'",
      "'(?:a?){500}b'",
      "'.'",
      "'(?i)[^b]*b'",
      "''",
      String.raw`r'\pL+\d'`,
      "'(a+)'",
    ],
  ],
  [/^REGEXP_REPLACE$/, 2, ["''", "'bbbbbbbbbbbbbbbb'", String.raw`r'\0\0\0\0\0\0\0\0'`]],
  [
    /^FORMAT$/,
    0,
    [
      "'%s'",
      "'%d'",
      "'%t'",
      "'%T'",
      "'%1000000000d'",
      "'%010000000d'",
      "'%.1000000000s'",
      "'%1000000000s'",
      "'%f'",
      "'%x'",
      "'%p'",
      "'%P'",
      "'%.1000g'",
      "'%+1000.1000f'",
      "'%#01000X'",
    ],
  ],
  [/^(?:FORMAT|PARSE)_/, 0, ["'%Y-%m-%d'", "'%F %T'", "'%H:%M:%S'", "'%c'"]],
  [
    /^\$LIKE/,
    1,
    ["'%_%_%_%_%_%z'", "'%a%a%a%a%b'", "'%a'", "'_%'", "'%aaaaaaaaaaab%'", String.raw`r'%\%%\%%a'`],
  ],
  [/^TRANSLATE$/, 1, ["'ab'"]],
  [/^APPROX_(?:QUANTILES|TOP_COUNT|TOP_SUM)$/, 1, ['10', '10000']],
  [/^APPROX_TOP_SUM$/, 2, ['10']],
  [/^PERCENTILE_/, 1, ['0.5']],
  [/^(?:DATE|DATETIME|TIME|TIMESTAMP|STRING)$|_TRUNC$|^\$EXTRACT/, 1, ["'Asia/Tokyo'"]],
];

export interface Calls {
  /** The function's or operator's signature. */
  readonly name: string;
  /** Expressions in terms of `n`. */
  readonly calls: readonly string[];
}

/** Calls of each function and operator of the catalogue, in each signature, with as much as it may get. */
export function largeCalls(): readonly Calls[] {
  return [...functionNames(), ...operatorNames()]
    .filter((name) => isTranslated(name) && findFunction(name)?.kind === 'scalar')
    .flatMap((name) =>
      (findFunction(name)?.signatures ?? []).map((signature) => ({
        name: signature.text,
        calls: [...new Set(combinations(name, signature).map((list) => writeCall(name, signature, list)))],
      })),
    );
}

function candidates(name: string, argument: ArgumentPattern, index: number): readonly string[] {
  const { pattern } = argument;
  if (pattern.kind === 'part') return pattern.accepts;
  if (pattern.kind === 'interval') {
    const counts = ['1', '-1', '100000', '9223372036854775807'];
    return pattern.accepts.flatMap((part) => counts.map((count) => `INTERVAL ${count} ${part}`));
  }
  const special = PLACES.find(([names, at]) => at === index && names.test(name))?.[2] ?? [];
  const values = typesOf(pattern).flatMap((type) => Object.values(valuesOf(type)).flat());
  return [...special, ...special, ...values];
}

/** Lists of arguments: every required one, then each number of optional ones. */
function combinations(name: string, signature: Signature): readonly (readonly string[])[] {
  const all = signature.arguments.map((argument, index) => candidates(name, argument, index));
  const required = signature.arguments.filter(({ optional, repeated }) => !optional && !repeated).length;
  const lists: string[][] = [];
  for (let given = required; given <= all.length; given++) lists.push(...sample(all.slice(0, given), given));
  return lists;
}

/** All combinations where they are few, otherwise such that every value comes up, in turn with different others. */
function sample(all: readonly (readonly string[])[], seed: number): string[][] {
  const total = all.reduce((product, list) => product * list.length, 1);
  const count = Math.min(total, MAX_CALLS);
  let state = 12_345 + seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  return Array.from({ length: count }, (_, round) => {
    if (total <= MAX_CALLS) {
      let rest = round;
      return all.map((list) => {
        const value = list[rest % list.length] ?? '';
        rest = Math.floor(rest / list.length);
        return value;
      });
    }
    return all.map((list, index) =>
      index === round % all.length
        ? (list[Math.floor(round / all.length) % list.length] ?? '')
        : (list[Math.floor(next() * list.length)] ?? ''),
    );
  });
}
