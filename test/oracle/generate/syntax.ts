import { BINARY_FUNCTIONS } from '../../../shared/sql/ast/operators.ts';
import type { Random } from '../../fuzz/generate/random.ts';
import type { SqlTree } from './sql-tree.ts';

/** How a call is written that is no name with parentheses. */
interface Syntax {
  /** Whether `part` is among what it prints; otherwise the keyword is an argument. */
  readonly takesPart: boolean;
  print(args: readonly SqlTree[], part: string, random: Random): readonly SqlTree[];
}

const at = (args: readonly SqlTree[], index: number): SqlTree => args[index] ?? 'NULL';
const joined = (args: readonly SqlTree[], separator: string): SqlTree[] =>
  args.flatMap((argument, index) => (index === 0 ? [argument] : [separator, argument]));
const plain = (print: (args: readonly SqlTree[], random: Random) => readonly SqlTree[]): Syntax => ({
  takesPart: false,
  print: (args, _, random) => ['(', ...print(args, random), ')'],
});
const infix = (sign: string) => plain((args) => joined(args, ` ${sign} `));
const subscript = (keyword: string) => plain((args) => [at(args, 0), `[${keyword}(`, at(args, 1), ')]']);
const likeSome = (keyword: string) =>
  plain((args, random) => [
    at(args, 0),
    ` ${random.chance(0.3) ? 'NOT ' : ''}LIKE ${keyword} (`,
    ...joined(args.length > 1 ? args.slice(1) : ["'a'"], ', '),
    ')',
  ]);
const likeInArray = (keyword: string) =>
  plain((args, random) => [
    at(args, 0),
    ` ${random.chance(0.3) ? 'NOT ' : ''}LIKE ${keyword} UNNEST(`,
    at(args, 1),
    ')',
  ]);
const extract = (field: string | null): Syntax => ({
  takesPart: true,
  print: (args, part) => [
    `EXTRACT(${field ?? part} FROM `,
    at(args, 0),
    ...(args.length > 1 ? [' AT TIME ZONE ', at(args, 1)] : []),
    ')',
  ],
});

const castTo = (type: string): Syntax => ({
  takesPart: false,
  print: (args) => [
    'CAST(',
    at(args, 0),
    ` AS ${type} FORMAT `,
    at(args, 1),
    ...(args.length > 2 ? [' AT TIME ZONE ', at(args, 2)] : []),
    ')',
  ],
});

const SYNTAX: Readonly<Record<string, Syntax>> = {
  ...Object.fromEntries(Object.entries(BINARY_FUNCTIONS).map(([sign, name]) => [name, infix(sign)])),
  $UNARY_MINUS: plain((args) => ['- ', at(args, 0)]),
  $BIT_NOT: plain((args) => ['~ ', at(args, 0)]),
  $NOT_EQUAL: plain((args, random) => joined(args, random.chance(0.5) ? ' != ' : ' <> ')),
  $IS_DISTINCT_FROM: plain((args, random) =>
    joined(args, random.chance(0.3) ? ' IS NOT DISTINCT FROM ' : ' IS DISTINCT FROM '),
  ),
  $BETWEEN: plain((args, random) => [
    at(args, 0),
    random.chance(0.3) ? ' NOT BETWEEN ' : ' BETWEEN ',
    at(args, 1),
    ' AND ',
    at(args, 2),
  ]),
  $IN: plain((args, random) => [
    at(args, 0),
    random.chance(0.3) ? ' NOT IN (' : ' IN (',
    ...joined(args.length > 1 ? args.slice(1) : ['NULL'], ', '),
    ')',
  ]),
  $IN_ARRAY: plain((args, random) => [
    at(args, 0),
    random.chance(0.3) ? ' NOT IN UNNEST(' : ' IN UNNEST(',
    at(args, 1),
    ')',
  ]),
  $LIKE: plain((args, random) => joined(args, random.chance(0.3) ? ' NOT LIKE ' : ' LIKE ')),
  $LIKE_ANY: likeSome('ANY'),
  $LIKE_ALL: likeSome('ALL'),
  $LIKE_ANY_ARRAY: likeInArray('ANY'),
  $LIKE_ALL_ARRAY: likeInArray('ALL'),
  $NOT: plain((args) => ['NOT ', at(args, 0)]),
  $IS_NULL: plain((args, random) => [at(args, 0), random.chance(0.4) ? ' IS NOT NULL' : ' IS NULL']),
  $IS_TRUE: plain((args, random) => [at(args, 0), random.chance(0.4) ? ' IS NOT TRUE' : ' IS TRUE']),
  $IS_FALSE: plain((args, random) => [at(args, 0), random.chance(0.4) ? ' IS NOT FALSE' : ' IS FALSE']),
  $AT_OFFSET: subscript('OFFSET'),
  $AT_SAFE_OFFSET: subscript('SAFE_OFFSET'),
  $AT_ORDINAL: subscript('ORDINAL'),
  $AT_SAFE_ORDINAL: subscript('SAFE_ORDINAL'),
  $JSON_FIELD: plain((args) => [at(args, 0), '[', at(args, 1), ']']),
  $JSON_AT: plain((args) => [at(args, 0), '[', at(args, 1), ']']),
  $EXTRACT: extract(null),
  $EXTRACT_DATE: extract('DATE'),
  $EXTRACT_DATETIME: extract('DATETIME'),
  $EXTRACT_TIME: extract('TIME'),
  ...Object.fromEntries(
    ['STRING', 'BYTES', 'DATE', 'DATETIME', 'TIME', 'TIMESTAMP'].map((type) => [
      `$CAST_TO_${type}`,
      castTo(type),
    ]),
  ),
  $INTERVAL: { takesPart: false, print: (args) => [at(args, 0)] },
};

/** How the operator is written; undefined for functions. */
export function syntaxOf(name: string): Syntax | undefined {
  return SYNTAX[name];
}
