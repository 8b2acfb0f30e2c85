import type { DatePart } from '../ast/expression.ts';
import type { ArgumentPattern, PatternType, Signature } from '../functions/signature.ts';
import type { ResolvedArray, ResolvedExpression } from '../resolved/expression.ts';
import { arrayOf, INT64, type SqlType, sameType } from '../types/sql-type.ts';
import { coerce } from './coerce.ts';
import { coercionCost, commonType, isUntypedNull } from './coercion.ts';
import type { Environment } from './environment.ts';

/** A date part of a call, such as MONTH or WEEK(MONDAY), without its place in the text. */
export type Part = Pick<DatePart, 'name' | 'weekday'>;

/** An argument before a signature is chosen. */
export type CallArgument =
  | {
      readonly kind: 'expression';
      readonly expression: ResolvedExpression;
      readonly at: number;
      readonly name?: string;
    }
  | { readonly kind: 'part'; readonly part: Part; readonly at: number }
  | {
      readonly kind: 'interval';
      readonly count: ResolvedExpression;
      readonly part: Part;
      readonly at: number;
    };

/** A call after its signature is chosen: the converted arguments, the result's type, and the date part if it takes one. */
export interface SignatureMatch {
  readonly arguments: readonly ResolvedExpression[];
  readonly type: SqlType;
  readonly part: Part | null;
}

interface Candidate {
  readonly cost: number;
  readonly types: readonly (SqlType | null)[];
  readonly result: SqlType;
  readonly acceptsPart: boolean;
  /** The pattern of each argument. */
  readonly patterns: readonly ArgumentPattern[];
  /** What can be given by name: it comes last, and what the call leaves out has its fallback. */
  readonly named: readonly ArgumentPattern[];
}

/**
 * Chooses the signature that the arguments fit with the cheapest conversions, the first of equals; null if none does.
 * A date part has no say in the choice: `DATE_ADD(date, INTERVAL 1 HOUR)` does not make a DATETIME of the date.
 */
export function matchSignature(
  environment: Environment,
  signatures: readonly Signature[],
  callArguments: readonly CallArgument[],
): SignatureMatch | null {
  let best: Candidate | null = null;
  for (const signature of signatures) {
    const candidate = tryMatch(signature, callArguments);
    if (candidate !== null && (best === null || candidate.cost < best.cost)) best = candidate;
  }
  return best === null || !best.acceptsPart ? null : convert(environment, best, callArguments);
}

function convert(
  environment: Environment,
  match: Candidate,
  callArguments: readonly CallArgument[],
): SignatureMatch {
  const places: ResolvedExpression[] = [];
  const given = new Map<ArgumentPattern, ResolvedExpression>();
  let part: Part | null = null;
  for (const [index, argument] of callArguments.entries()) {
    const type = match.types[index] ?? INT64;
    const pattern = match.patterns[index];
    if (argument.kind === 'expression') {
      const value = coerce(environment, argument.expression, type, argument.at);
      if (pattern !== undefined && isNamed(pattern)) given.set(pattern, value);
      else places.push(value);
    } else part = { name: argument.part.name, weekday: argument.part.weekday };
    if (argument.kind === 'interval') places.push(coerce(environment, argument.count, INT64, argument.at));
  }
  const named = match.named.map((one): ResolvedExpression => {
    const type = one.pattern.kind === 'type' ? one.pattern.type : INT64;
    return given.get(one) ?? { kind: 'literal', type, value: one.fallback };
  });
  return { arguments: [...places, ...named], type: match.result, part };
}

function tryMatch(signature: Signature, callArguments: readonly CallArgument[]): Candidate | null {
  const patterns = alignPatterns(signature.arguments, callArguments);
  if (patterns === null) return null;
  const variables = bindVariables(patterns, callArguments);
  if (variables === null) return null;
  let cost = 0;
  let isPartAccepted = true;
  const types: (SqlType | null)[] = [];
  for (const [index, argument] of callArguments.entries()) {
    const pattern = patterns[index]?.pattern;
    if (pattern === undefined) return null;
    if (argument.kind !== 'expression') {
      if (!takesPart(pattern, argument)) return null;
      isPartAccepted = 'accepts' in pattern && pattern.accepts.includes(argument.part.name);
      types.push(null);
      continue;
    }
    const type = pattern.kind === 'any' ? argument.expression.type : concreteType(pattern, variables);
    const one = type === null ? null : coercionCost(argument.expression, type);
    if (type === null || one === null) return null;
    if (pattern.kind === 'type' && narrowsFloat(argument.expression, type, callArguments)) return null;
    if (pattern.kind === 'type' && pattern.isExact && !isOfType(argument.expression, type)) return null;
    if (pattern.kind === 'type' && pattern.isComputed && !isComputed(argument.expression)) return null;
    cost += one;
    types.push(type);
  }
  const result = concreteType(signature.result, variables);
  return result === null
    ? null
    : {
        cost,
        types,
        result,
        acceptsPart: isPartAccepted,
        patterns,
        named: signature.arguments.filter(isNamed),
      };
}

function isComputed({ kind }: ResolvedExpression): boolean {
  return kind !== 'literal' && kind !== 'parameter';
}

function isOfType(expression: ResolvedExpression, type: SqlType): boolean {
  return sameType(expression.type, type) && !isUntypedNull(expression);
}

/** A floating point literal is NUMERIC beside a NUMERIC value only: `MOD(7.5, 2)` is an error. */
function narrowsFloat(
  expression: ResolvedExpression,
  target: SqlType,
  callArguments: readonly CallArgument[],
): boolean {
  if (expression.type.kind !== 'FLOAT64' || (target.kind !== 'NUMERIC' && target.kind !== 'BIGNUMERIC'))
    return false;
  return !callArguments.some(
    (one) => one.kind === 'expression' && ['NUMERIC', 'BIGNUMERIC'].includes(one.expression.type.kind),
  );
}

function takesPart(pattern: PatternType, argument: Exclude<CallArgument, { kind: 'expression' }>): boolean {
  if (argument.kind === 'part') return pattern.kind === 'part';
  return pattern.kind === 'interval' && coercionCost(argument.count, INT64) !== null;
}

function isNamed({ name }: ArgumentPattern): boolean {
  return name !== null;
}

/**
 * The pattern of each argument: optional ones may be missing at the end, a repeated one takes all that follow. Null for
 * arguments that are too many or too few, and for one that is given twice.
 */
function alignPatterns(
  patterns: readonly ArgumentPattern[],
  callArguments: readonly CallArgument[],
): readonly ArgumentPattern[] | null {
  const repeated = patterns.find((pattern) => pattern.repeated);
  const places = patterns.filter(({ byPlace }) => byPlace);
  const required = patterns.filter((pattern) => !pattern.optional && !pattern.repeated).length;
  if (callArguments.length < required) return null;
  if (repeated === undefined && callArguments.length > patterns.length) return null;
  const aligned = callArguments.map((argument, index) => {
    const name = argument.kind === 'expression' ? argument.name : undefined;
    const named = name === undefined ? undefined : patterns.find((pattern) => pattern.name === name);
    return named ?? places[index] ?? repeated ?? NO_PATTERN;
  });
  const named = aligned.filter(isNamed);
  return new Set(named).size === named.length ? aligned : null;
}

const NO_PATTERN: ArgumentPattern = {
  pattern: { kind: 'part', accepts: [] },
  optional: false,
  repeated: false,
  name: null,
  byPlace: false,
  fallback: null,
};

type Variables = ReadonlyMap<string, SqlType>;

/** The types that the signature's variables stand for: one that all arguments in their places convert to. */
function bindVariables(
  patterns: readonly ArgumentPattern[],
  callArguments: readonly CallArgument[],
): Variables | null {
  const bound = new Map<string, ResolvedExpression[]>();
  for (const [index, argument] of callArguments.entries()) {
    const pattern = patterns[index]?.pattern;
    if (argument.kind !== 'expression' || pattern === undefined) continue;
    if (pattern.kind !== 'variable' && pattern.kind !== 'array-of') continue;
    const expressions = bound.get(pattern.name) ?? [];
    if (pattern.kind === 'variable') {
      expressions.push(argument.expression);
    } else {
      const elements = elementsOf(argument.expression);
      if (elements === null) return null;
      expressions.push(...elements);
    }
    bound.set(pattern.name, expressions);
  }
  const variables = new Map<string, SqlType>();
  for (const [name, expressions] of bound) {
    const type = commonType(expressions);
    if (type === null) return null;
    variables.set(name, type);
  }
  return variables;
}

/** What an array is made of, for finding its element type: the elements as they stand, or one of their type. */
function elementsOf(array: ResolvedExpression): readonly ResolvedExpression[] | null {
  if (isUntypedNull(array)) return [];
  if (array.kind === 'array' && array.elements.length > 0 && !hasOnlyTypedNulls(array)) return array.elements;
  if (array.kind === 'array' && array.isUntyped) return [];
  if (array.type.kind !== 'ARRAY') return null;
  return [
    { kind: 'column', type: array.type.element, column: { id: 0, name: '', type: array.type.element } },
  ];
}

/** `ARRAY<STRING>[NULL]`: NULL by itself says nothing of the type that the array has. */
function hasOnlyTypedNulls({ type, elements }: ResolvedArray): boolean {
  return elements.every(isUntypedNull) && type.kind === 'ARRAY' && type.element.kind !== 'INT64';
}

function concreteType(pattern: PatternType, variables: Variables): SqlType | null {
  if (pattern.kind === 'type') return pattern.type;
  if (pattern.kind === 'variable') return variables.get(pattern.name) ?? null;
  if (pattern.kind === 'array-of') {
    const element = variables.get(pattern.name);
    return element === undefined || element.kind === 'ARRAY' ? null : arrayOf(element);
  }
  if (pattern.kind === 'weighted') {
    const value = variables.get(pattern.name);
    if (value === undefined) return null;
    const fields = [
      { name: 'value', type: value },
      { name: pattern.field, type: pattern.weight },
    ];
    return arrayOf({ kind: 'STRUCT', fields });
  }
  return null;
}
