import { findFunction, functionNames, operatorNames } from '../../../shared/sql/functions/catalog.ts';
import { WEEKDAYS } from '../../../shared/sql/functions/date-parts.ts';
import type {
  ArgumentPattern,
  FunctionSpec,
  PatternType,
  Signature,
} from '../../../shared/sql/functions/signature.ts';
import {
  arrayOf,
  BOOL,
  INT64,
  JSON_TYPE,
  SCALAR_TYPES,
  type SqlType,
  STRING,
  sameType,
} from '../../../shared/sql/types/sql-type.ts';
import type { Random } from '../../fuzz/generate/random.ts';
import {
  evaluatorSignature,
  evaluatorTakesZero,
  isSafeForEvaluator,
  takesSmallNumbers,
} from '../differences.ts';
import { isInexact, isMostlyLiteral, useOf } from './arguments.ts';
import { expression } from './expressions.ts';
import { matchingTexts } from './matching-texts.ts';
import { printfFormat } from './printf.ts';
import { inner, type Scope } from './scope.ts';
import { type SqlTree, sequence, value } from './sql-tree.ts';
import { syntaxOf } from './syntax.ts';
import { literal, quoted, TEXTS } from './values.ts';

/** Every function and operator of the catalogue. */
export const CATALOGUE: readonly FunctionSpec[] = [...operatorNames(), ...functionNames()].flatMap(
  (name) => findFunction(name) ?? [],
);

/** Those that may stand anywhere in an expression. GoogleSQL leaves open which parts of a condition are computed, and so which errors are met. */
const NESTED: readonly FunctionSpec[] = CATALOGUE.filter(
  ({ kind, name, readsClock, givesNoValue }) =>
    kind === 'scalar' && readsClock !== true && givesNoValue !== true && !isInexact(name),
);

const COMPARABLE = SCALAR_TYPES.filter((name) => name !== 'INTERVAL' && name !== 'JSON');

type Variables = Map<'T' | 'U', SqlType>;

/** A type that a variable of this function's signatures may be. */
function anyType(spec: FunctionSpec, random: Random): SqlType {
  if (random.chance(0.05)) return { kind: 'INTERVAL' };
  const compares = spec.needsOrderable === true || spec.comparesBy !== undefined;
  if (!compares && random.chance(0.08)) return JSON_TYPE;
  if (spec.comparesBy === 'equality' && random.chance(0.08))
    return {
      kind: 'STRUCT',
      fields: [
        { name: 'x', type: INT64 },
        { name: 'y', type: STRING },
      ],
    };
  return { kind: random.pick(COMPARABLE) };
}

/** The type of a pattern where variables are known; null where the pattern is no value. */
function typeOf(
  pattern: PatternType,
  variables: Variables,
  spec: FunctionSpec,
  random: Random,
): SqlType | null {
  const variable = (name: 'T' | 'U'): SqlType => {
    const known = variables.get(name) ?? anyType(spec, random);
    variables.set(name, known);
    return known;
  };
  switch (pattern.kind) {
    case 'type':
      return pattern.type;
    case 'variable':
      return variable(pattern.name);
    case 'array-of':
      return arrayOf(variable(pattern.name));
    case 'any':
      return random.chance(0.2)
        ? arrayOf(INT64)
        : random.chance(0.1)
          ? JSON_TYPE
          : { kind: random.pick(COMPARABLE) };
    case 'weighted': {
      const fields = [
        { name: 'value', type: variable(pattern.name) },
        { name: pattern.field, type: pattern.weight },
      ];
      return arrayOf({ kind: 'STRUCT', fields });
    }
    case 'part':
    case 'interval':
      return null;
    default: {
      const unreachable: never = pattern;
      throw new TypeError(`pattern ${JSON.stringify(unreachable)}`);
    }
  }
}

/** The variables that make a signature's result this type; null where nothing does. */
function bound(signature: Signature, type: SqlType): Variables | null {
  const { result } = signature;
  if (result.kind === 'type') return sameType(result.type, type) ? new Map() : null;
  if (result.kind === 'variable') return type.kind === 'ARRAY' ? null : new Map([[result.name, type]]);
  if (result.kind === 'array-of')
    return type.kind === 'ARRAY' ? new Map([[result.name, type.element]]) : null;
  return null;
}

/** A call of some function that may stand anywhere and whose result is of the type; null where there is none. */
export function callOfType(type: SqlType, scope: Scope): SqlTree | null {
  const { random } = scope;
  for (let tries = 0; tries < 30; tries++) {
    const spec = random.pick(NESTED);
    const signature = random.pick(spec.signatures);
    const variables = bound(signature, type);
    const isFit = !(spec.needsOrderable === true && type.kind === 'JSON');
    if (variables !== null && isFit && evaluatorSignature(spec, signature))
      return callOf(spec, signature, variables, scope).tree;
  }
  return null;
}

/** A call's tree and type, and the arguments by themselves for calls that need more than parentheses. */
export interface GeneratedCall {
  readonly tree: SqlTree;
  readonly type: SqlType;
  readonly arguments: readonly SqlTree[];
  readonly types: readonly SqlType[];
}

/** A call of this function by any of its signatures. `wrap` writes what follows the arguments, inside the parentheses. */
export function callTo(spec: FunctionSpec, scope: Scope, suffix?: Suffix): GeneratedCall {
  const signatures = spec.signatures.filter((one) => evaluatorSignature(spec, one));
  return callOf(spec, scope.random.pick(signatures), new Map(), scope, suffix);
}

/** What a call has besides arguments: a keyword before them, clauses behind them, and what follows the parentheses. */
export type Suffix = (
  args: readonly SqlTree[],
  types: readonly SqlType[],
) => {
  readonly before?: string;
  readonly inside?: readonly SqlTree[];
  readonly after?: readonly SqlTree[];
};

function callOf(
  spec: FunctionSpec,
  signature: Signature,
  variables: Variables,
  scope: Scope,
  suffix?: Suffix,
): GeneratedCall {
  const { random } = scope;
  const args: SqlTree[] = [];
  const types: SqlType[] = [];
  let part: string | null = null;
  let ended = false;
  const texts = random.chance(0.6) ? matchingTexts(spec.name, random) : null;
  const printf = spec.name === 'FORMAT' && random.chance(0.8) ? printfFormat(random) : null;
  for (const pattern of signature.arguments) {
    if (pattern.optional && pattern.name === null && (ended || random.chance(0.5))) {
      ended = true;
      continue;
    }
    if (pattern.name !== null && random.chance(0.5)) {
      ended = true;
      continue;
    }
    const times = pattern.repeated ? (printf?.types.length ?? repeats(spec, random)) : 1;
    for (let time = 0; time < times; time++) {
      const type =
        (pattern.repeated ? printf?.types[time] : undefined) ??
        typeOf(pattern.pattern, variables, spec, random);
      if (type === null) {
        part = partOf(pattern, random);
        if (pattern.pattern.kind === 'interval') {
          args.push(
            sequence(
              'INTERVAL ',
              random.chance(0.8)
                ? literal(INT64, random)
                : sequence('(', expression(INT64, inner(scope)), ')'),
              ` ${part}`,
            ),
          );
          types.push(INT64);
        } else if (!syntaxOf(spec.name)?.takesPart) {
          args.push(part);
          types.push(STRING);
        }
        continue;
      }
      const isName =
        spec.pairs !== undefined &&
        (args.length - spec.pairs.before) % 2 === 0 &&
        spec.pairs.before <= args.length;
      const isKey = isName && pattern.pattern.kind === 'any';
      const argument = isKey
        ? value(STRING, [quoted(random.pick(spec.pairs?.before === 0 ? TEXTS.word : TEXTS.path))])
        : (textArgument(printf === null ? texts : [printf.text], args.length, type, random) ??
          argumentOf(spec, args.length, type, scope));
      types.push(isKey ? STRING : type);
      const named = pattern.name !== null && (ended || !pattern.byPlace || random.chance(0.3));
      if (named) ended = true;
      args.push(named ? sequence(`${pattern.name} => `, argument) : argument);
    }
  }
  const type = typeOf(signature.result, variables, spec, random) ?? INT64;
  const extra = suffix?.(args, types) ?? {};
  const own = syntaxOf(spec.name);
  if (own !== undefined)
    return {
      tree: value(type, own.print(args, part ?? '', random), spec.name),
      type,
      arguments: args,
      types,
    };
  const commas = args.flatMap((argument, index) => (index === 0 ? [argument] : [', ', argument]));
  const isSafe =
    isSafeForEvaluator(spec.name) &&
    spec.kind === 'scalar' &&
    !spec.name.includes('.') &&
    random.chance(0.08);
  const name = `${isSafe ? 'SAFE.' : ''}${spec.name}`;
  const call: SqlTree[] = [
    `${name}(${extra.before ?? ''}`,
    ...commas,
    ...(extra.inside ?? []),
    ')',
    ...(extra.after ?? []),
  ];
  if (spec.readsClock !== true) return { tree: value(type, call, spec.name), type, arguments: args, types };
  return {
    tree: value(BOOL, ['(', ...call, ` IS NOT NULL)`], spec.name),
    type: BOOL,
    arguments: args,
    types,
  };
}

function repeats(spec: FunctionSpec, random: Random): number {
  const count = random.below(3);
  return spec.pairs === undefined ? count : 2 * count + (spec.pairs.before + spec.pairs.after > 0 ? 0 : 0);
}

function partOf({ pattern }: ArgumentPattern, random: Random): string {
  const part = random.pick('accepts' in pattern ? pattern.accepts : ['DAY']);
  return part === 'WEEK' && pattern.kind === 'part' && random.chance(0.4)
    ? `WEEK(${random.pick(WEEKDAYS)})`
    : part;
}

const CONSTANTS: Readonly<Record<string, readonly string[]>> = {
  INT64: ['1', '2', '3', '10', '1', '2', '0', '-1', '100'],
  FLOAT64: ['0', '0.5', '1', '0.25', '0.9', '-0.1'],
  STRING: ["','", "''", "'; '", "'é'"],
  BYTES: ["b','", "b''"],
};

/** A text that fits the others of the call, as a literal or as what is known no sooner than in a row; null where there is none. */
function textArgument(
  texts: readonly string[] | null,
  index: number,
  type: SqlType,
  random: Random,
): SqlTree | null {
  const text = texts?.[index];
  if (text === undefined || (type.kind !== 'STRING' && type.kind !== 'JSON')) return null;
  const written = type.kind === 'JSON' ? `JSON ${quoted(text)}` : quoted(text);
  return value(type, [random.chance(0.8) ? written : `(SELECT e FROM UNNEST([${written}]) AS e)`]);
}

function argumentOf(spec: FunctionSpec, index: number, type: SqlType, scope: Scope): SqlTree {
  const { random } = scope;
  const constants = spec.constantArgument?.texts?.map(quoted) ?? CONSTANTS[type.kind];
  if (spec.constantArgument?.index === index && constants !== undefined)
    return value(type, [random.pick(constants)]);
  const use = type.kind === 'STRING' ? useOf(spec, index) : null;
  if (use !== null && random.chance(isMostlyLiteral(use) ? 0.92 : 0.6)) return literal(type, random, use);
  const computed = expression(type, inner(scope), use);
  if (takesSmallNumbers(spec.name) && type.kind === 'INT64')
    return value(type, ['MOD(', computed, ', 10000)']);
  return evaluatorTakesZero(spec.name) ? computed : value(type, ['NULLIF(', computed, ', 0)']);
}
