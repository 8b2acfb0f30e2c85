import type { Argument, FunctionCall } from '../ast/expression.ts';
import { findFunction, functionNames } from '../functions/catalog.ts';
import type { FunctionSpec } from '../functions/signature.ts';
import type { ResolvedExpression } from '../resolved/expression.ts';
import { didYouMean } from '../text/nearest-names.ts';
import { type SqlType, typeText } from '../types/sql-type.ts';
import { concatenated } from './concatenation.ts';
import { analysisError } from './environment.ts';
import type { ExpressionContext } from './expression-context.ts';
import { isOrderable } from './groupable.ts';
import { pairsComplaint } from './json-pairs.ts';
import { type CallArgument, matchSignature, type Part, type SignatureMatch } from './match-signature.ts';
import { checkPatternSize } from './pattern-size.ts';
import { resolveAggregate } from './resolve-aggregate.ts';
import { resolveExpression } from './resolve-expression.ts';
import { resolveIntervalCount } from './resolve-interval.ts';
import { resolveWindow } from './resolve-window.ts';

/** A call of a function: plain, aggregate or with OVER. */
export function resolveCall(context: ExpressionContext, call: FunctionCall): ResolvedExpression {
  const { environment } = context;
  const spec = call.name.startsWith('$') ? undefined : findFunction(call.name);
  if (spec === undefined) {
    const hint = didYouMean(call.name, functionNames()).toLowerCase();
    throw analysisError(environment, call.at, `Function not found: ${call.name.toLowerCase()}${hint}`);
  }
  if (call.over !== null) return resolveWindow(context, spec, call, call.over);
  if (spec.kind === 'window') {
    throw analysisError(
      environment,
      call.at,
      `Analytic function ${spec.name} cannot be called without an OVER clause`,
    );
  }
  if (spec.kind === 'aggregate') return resolveAggregate(context, spec, call);
  const modifier = misplacedModifier(call);
  if (modifier !== null) {
    throw analysisError(environment, call.at, `${modifier} is not allowed in a call of ${spec.name}`);
  }
  const match = matchCall(context, spec, resolveArguments(context, spec, call), call.at);
  checkPatternSize(environment, spec, match.arguments, call);
  const complaint = pairsComplaint(spec, match.arguments);
  if (complaint !== null) throw analysisError(environment, call.at, complaint);
  const [first] = match.arguments;
  if (spec.needsOrderable && first !== undefined && !isOrderable(first.type)) {
    const found = typeText(first.type);
    throw analysisError(environment, call.at, `${spec.name} is not defined for arguments of type ${found}`);
  }
  return { kind: 'call', name: spec.name, ...match, safe: call.safe };
}

function misplacedModifier(call: FunctionCall): string | null {
  if (call.distinct) return 'DISTINCT';
  if (call.nulls !== null) return `${call.nulls} NULLS`;
  if (call.having !== null) return 'HAVING';
  if (call.orderBy.length > 0) return 'ORDER BY';
  return call.limit === null ? null : 'LIMIT';
}

/** Resolves a call's arguments; keywords of date parts and intervals are told apart by the function's signatures. */
export function resolveArguments(
  context: ExpressionContext,
  spec: FunctionSpec,
  call: FunctionCall,
): CallArgument[] {
  return call.arguments.map((argument, index) => resolveArgument(context, spec, argument, index));
}

function resolveArgument(
  context: ExpressionContext,
  spec: FunctionSpec,
  argument: Argument,
  index: number,
): CallArgument {
  const patterns = spec.signatures.map((signature) => signature.arguments[index]?.pattern.kind);
  if (argument.kind === 'star' || argument.kind === 'lambda') {
    const what = argument.kind === 'star' ? '* as an argument' : 'A lambda';
    throw analysisError(context.environment, argument.at, `${what} is not allowed in a call of ${spec.name}`);
  }
  if (argument.kind === 'date-part') return { kind: 'part', part: argument, at: argument.at };
  if (argument.kind === 'named-argument') {
    const { name, value, at } = argument;
    const isKnown = spec.signatures.some((signature) => signature.arguments.some((one) => one.name === name));
    if (!isKnown) throw analysisError(context.environment, at, `${spec.name} has no argument named ${name}`);
    return { kind: 'expression', expression: resolveExpression(context, value), at, name };
  }
  const { at } = argument;
  const part = patterns.includes('part') ? readPart(argument) : null;
  if (part !== null) return { kind: 'part', part, at };
  if (argument.kind === 'interval' && argument.to === null && patterns.includes('interval')) {
    const count = resolveIntervalCount(context, argument.value);
    return { kind: 'interval', count, part: { name: argument.from, weekday: null }, at };
  }
  return { kind: 'expression', expression: resolveExpression(context, argument), at };
}

/** `DAY`, or `WEEK(MONDAY)`, which reads like a call. */
function readPart(argument: Argument): Part | null {
  if (argument.kind === 'name') return { name: argument.name.toUpperCase(), weekday: null };
  if (argument.kind !== 'call' || argument.name !== 'WEEK') return null;
  const [weekday] = argument.arguments;
  return weekday?.kind === 'name' ? { name: 'WEEK', weekday: weekday.name.toUpperCase() } : null;
}

/** Applies an operator of the catalogue to values. */
export function callOperator(
  context: ExpressionContext,
  name: string,
  operands: readonly ResolvedExpression[],
  at: number,
): ResolvedExpression {
  return callWith(
    context,
    name,
    operands.map((expression) => ({ kind: 'expression', expression, at })),
    at,
    null,
  );
}

/** Applies an operator of the catalogue to arguments of any kind. */
export function callWith(
  context: ExpressionContext,
  name: string,
  operands: readonly CallArgument[],
  at: number,
  part: Part | null,
): ResolvedExpression {
  const spec = findFunction(name);
  if (spec === undefined) throw new TypeError(`the catalogue has no operator ${name}`);
  const match = matchCall(context, spec, operands, at);
  const operandType = match.arguments[0]?.type;
  if (operandType !== undefined && !isComparable(operandType, spec.comparesBy)) {
    const types = match.arguments.map((argument) => typeText(argument.type)).join(', ');
    throw analysisError(
      context.environment,
      at,
      `${spec.label} is not defined for arguments of type ${types}`,
    );
  }
  return { kind: 'call', name, ...match, part: match.part ?? part, safe: false };
}

function isComparable(type: SqlType, comparesBy: FunctionSpec['comparesBy']): boolean {
  if (comparesBy === undefined) return true;
  if (type.kind === 'STRUCT')
    return comparesBy === 'equality' && type.fields.every((field) => isComparable(field.type, comparesBy));
  return type.kind !== 'ARRAY' && type.kind !== 'JSON';
}

/** Chooses the signature, or says which arguments stand there and which are accepted. */
export function matchCall(
  context: ExpressionContext,
  spec: FunctionSpec,
  written: readonly CallArgument[],
  at: number,
): SignatureMatch {
  const callArguments = spec.castsToText ? concatenated(written) : written;
  const match = matchSignature(context.environment, spec.signatures, callArguments);
  if (match !== null) return match;
  throw analysisError(
    context.environment,
    at,
    partComplaint(spec, callArguments) ?? typeComplaint(spec, callArguments),
  );
}

/** Most arguments whose types a message lists. */
const MAX_SHOWN_ARGUMENTS = 20;

function typeComplaint(spec: FunctionSpec, callArguments: readonly CallArgument[]): string {
  const shown = callArguments.slice(0, MAX_SHOWN_ARGUMENTS).map((argument) => describeArgument(argument));
  const more = callArguments.length - shown.length;
  const types = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
  const isOperator = spec.name.startsWith('$');
  const found = `No matching signature for ${spec.label} for argument types: ${types === '' ? 'none' : types}`;
  const accepted = spec.signatures.map((signature) => signature.text).join('; ');
  return isOperator ? found : `${found}. Accepted: ${accepted}`;
}

function describeArgument(argument: CallArgument): string {
  if (argument.kind !== 'expression') return argument.kind === 'part' ? 'DATE_TIME_PART' : 'INTERVAL';
  const { expression } = argument;
  return expression.kind === 'literal' && expression.value === null ? 'NULL' : typeText(expression.type);
}

/** The complaint about a date part that no signature for the value's type takes. */
function partComplaint(spec: FunctionSpec, callArguments: readonly CallArgument[]): string | null {
  const argument = callArguments.find((one) => one.kind !== 'expression');
  if (argument === undefined) return null;
  const value = callArguments.find((one) => one.kind === 'expression');
  const fitting = spec.signatures.filter((signature) =>
    signature.arguments.some(
      ({ pattern }) => pattern.kind === 'type' && pattern.type.kind === value?.expression.type.kind,
    ),
  );
  const accepted = new Set(fitting.flatMap((signature) => signature.parts ?? []));
  const { name } = argument.part;
  if (accepted.size === 0 || accepted.has(name)) return null;
  const type = value === undefined ? '' : ` when the argument is ${describeArgument(value)} type`;
  const label = spec.label.replace(/^function /, '');
  return `${label} does not support the ${name} date part${type}; accepted: ${[...accepted].join(', ')}`;
}
