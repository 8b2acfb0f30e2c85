import type { FunctionCall } from '../ast/expression.ts';
import type { ConstantArgument, FunctionSpec } from '../functions/signature.ts';
import type { ResolvedExpression } from '../resolved/expression.ts';
import { isExpression, walkParts } from '../resolved/parts.ts';
import { isUntypedNull } from './coercion.ts';
import { analysisError, type Environment } from './environment.ts';

/** Refuses a call in which an argument varies from row to row that must not, or is out of its range. */
export function checkConstants(
  environment: Environment,
  spec: FunctionSpec,
  callArguments: readonly ResolvedExpression[],
  call: FunctionCall,
): void {
  const fail = (index: number, complaint: string) =>
    analysisError(
      environment,
      call.arguments[index]?.at ?? call.at,
      `Argument ${index + 1} to ${spec.name} ${complaint}`,
    );
  const [first] = callArguments;
  const value = first?.kind === 'cast' ? first.operand : first;
  if (spec.refusesNull && value?.kind === 'literal' && value.value === null)
    throw fail(0, 'must be non-NULL');
  const untyped = spec.refusesUntypedNull ? callArguments.findIndex(isUntypedNull) : -1;
  if (untyped >= 0) throw fail(untyped, 'must be an array, not NULL without a type');
  const constant = spec.constantArgument;
  const argument = constant === undefined ? undefined : callArguments[constant.index];
  if (constant === undefined || argument === undefined) return;
  const complaint = complaintAbout(constant, argument);
  if (complaint !== null) throw fail(constant.index, complaint);
}

function complaintAbout(
  { least, most, texts }: ConstantArgument,
  argument: ResolvedExpression,
): string | null {
  const value = argument.kind === 'cast' ? argument.operand : argument;
  if (texts !== undefined) {
    const isKnown = value.kind === 'literal' && (value.value === null || texts.includes(String(value.value)));
    return isKnown ? null : `must be ${texts.map((text) => `'${text}'`).join(' or ')}`;
  }
  if (value.kind === 'parameter') return null;
  if (value.kind !== 'literal') return 'must be a literal or query parameter';
  if (value.value === null) return 'must be non-NULL';
  if (most !== undefined && !(Number(value.value) <= most && Number(value.value) >= (least ?? 0)))
    return `must be between ${least} and ${most}`;
  if (least !== undefined && Number(value.value) < least) return `must be at least ${least}`;
  return null;
}

/** Refuses a call in which an argument has a column or a subquery that must be the same for all rows. */
export function checkConstantExpressions(
  environment: Environment,
  spec: FunctionSpec,
  callArguments: readonly ResolvedExpression[],
  call: FunctionCall,
): void {
  checkOptions(environment, spec, callArguments, call);
  const { from, step = callArguments.length, refusesNull = false } = spec.constantExpressions ?? {};
  if (from === undefined) return;
  for (let index = from; index < callArguments.length; index += step) {
    const argument = callArguments[index];
    if (argument === undefined) continue;
    const isNull = argument.kind === 'literal' && argument.value === null;
    const isFit = isConstant(argument) && !(refusesNull && isNull);
    if (isFit) continue;
    const wanted = isNull ? 'non-NULL' : 'a constant expression';
    const at = call.arguments[index]?.at ?? call.at;
    throw analysisError(environment, at, `Argument ${index + 1} to ${spec.name} must be ${wanted}`);
  }
}

/** Arguments by name come last. */
function checkOptions(
  environment: Environment,
  spec: FunctionSpec,
  callArguments: readonly ResolvedExpression[],
  call: FunctionCall,
): void {
  if (spec.options === undefined) return;
  const names = spec.signatures[0]?.arguments.flatMap(({ name }) => name ?? []) ?? [];
  for (const [index, name] of names.entries()) {
    const argument = callArguments[callArguments.length - names.length + index];
    if (argument === undefined) continue;
    const written = call.arguments
      .filter((one) => one.kind === 'named-argument')
      .find((one) => one.name.toLowerCase() === name);
    const value = argument.kind === 'cast' ? argument.operand : argument;
    // A field of a struct of literals is resolved to a literal.
    const isLiteral = ['literal', 'parameter'].includes(value.kind) && written?.value.kind !== 'field';
    if (spec.options === 'constant' ? isConstant(argument) : isLiteral) continue;
    const wanted = spec.options === 'constant' ? 'a constant expression' : 'a literal or query parameter';
    const at = written?.at ?? call.at;
    throw analysisError(environment, at, `Argument '${name}' to ${spec.name} must be ${wanted}`);
  }
}

function isConstant(expression: ResolvedExpression): boolean {
  if (expression.kind === 'column' || expression.kind === 'subquery') return false;
  let areConstant = true;
  walkParts(expression, (part) => {
    areConstant &&= isExpression(part) && isConstant(part);
  });
  return areConstant;
}
