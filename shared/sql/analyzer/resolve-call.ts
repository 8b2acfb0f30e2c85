import type { Argument, FunctionCall } from '../ast/expression.ts';
import { findFunction, functionNames } from '../functions/catalog.ts';
import { refusalOf } from '../functions/refused-functions.ts';
import type { FunctionSpec } from '../functions/signature.ts';
import type { ResolvedExpression } from '../resolved/expression.ts';
import { didYouMean } from '../text/nearest-names.ts';
import { typeText } from '../types/sql-type.ts';
import { checkConstantExpressions, checkConstants } from './constant-arguments.ts';
import { analysisError } from './environment.ts';
import type { ExpressionContext } from './expression-context.ts';
import { isGroupable, isOrderable } from './groupable.ts';
import { pairsComplaint } from './json-pairs.ts';
import { matchCall } from './match-call.ts';
import type { CallArgument, Part } from './match-signature.ts';
import { checkPatternSize } from './pattern-size.ts';
import { resolveAggregate } from './resolve-aggregate.ts';
import { resolveExpression } from './resolve-expression.ts';
import { quotedCount } from './resolve-interval.ts';
import { resolveWindow } from './resolve-window.ts';

/** A call of a function: plain, aggregate or with OVER. */
export function resolveCall(context: ExpressionContext, call: FunctionCall): ResolvedExpression {
  const { environment } = context;
  const spec = call.name.startsWith('$') ? undefined : findFunction(call.name);
  if (spec === undefined) {
    const reason = refusalOf(call.name);
    if (reason !== null)
      throw analysisError(environment, call.at, `Function ${call.name} is not supported: ${reason}`);
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
  checkConstants(environment, spec, match.arguments, call);
  checkConstantExpressions(environment, spec, match.arguments, call);
  const complaint = pairsComplaint(spec, match.arguments);
  if (complaint !== null) throw analysisError(environment, call.at, complaint);
  const [first] = match.arguments;
  const isUnfit =
    first !== undefined &&
    ((spec.needsOrderable && !isOrderable(first.type)) || (spec.needsGroupable && !isGroupable(first.type)));
  if (isUnfit) {
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

/** Resolves a call's arguments; keywords of date parts and intervals are distinguished by the function's signatures. */
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
  if (argument.kind === 'interval' && argument.to === null && takesStep(spec, index, argument.from)) {
    const count = quotedCount(argument.value) ?? resolveExpression(context, argument.value);
    return { kind: 'interval', count, part: { name: argument.from, weekday: null }, at };
  }
  return { kind: 'expression', expression: resolveExpression(context, argument), at };
}

/** Whether `INTERVAL n part` is a number of parts to a function, rather than an INTERVAL that is a value. */
function takesStep({ signatures }: FunctionSpec, index: number, part: string): boolean {
  const patterns = signatures.flatMap((signature) => signature.arguments[index]?.pattern ?? []);
  const steps = patterns.filter(({ kind }) => kind === 'interval');
  const takesValue = patterns.some((pattern) => pattern.kind === 'type' && pattern.type.kind === 'INTERVAL');
  return steps.some((step) => !takesValue || ('accepts' in step && step.accepts.includes(part)));
}

/** `DAY`, or `WEEK(MONDAY)`, which reads like a call. */
function readPart(argument: Argument): Part | null {
  if (argument.kind === 'name') return { name: argument.name.toUpperCase(), weekday: null };
  if (argument.kind !== 'call' || argument.name !== 'WEEK') return null;
  const [weekday] = argument.arguments;
  return weekday?.kind === 'name' ? { name: 'WEEK', weekday: weekday.name.toUpperCase() } : null;
}
