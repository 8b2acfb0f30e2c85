import { findFunction } from '../functions/catalog.ts';
import type { FunctionSpec } from '../functions/signature.ts';
import type { ResolvedExpression } from '../resolved/expression.ts';
import { type SqlType, typeText } from '../types/sql-type.ts';
import { asOneConcatenation, concatenated } from './concatenation.ts';
import { analysisError } from './environment.ts';
import type { ExpressionContext } from './expression-context.ts';
import { type CallArgument, matchSignature, type Part, type SignatureMatch } from './match-signature.ts';

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
  return asOneConcatenation({ kind: 'call', name, ...match, part: match.part ?? part, safe: false });
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
  const isNamed = (argument: CallArgument) => argument.kind === 'expression' && argument.name !== undefined;
  const misplaced = callArguments.slice(callArguments.findIndex(isNamed) + 1).find((one) => !isNamed(one));
  if (misplaced !== undefined && callArguments.some(isNamed)) {
    const message = `Call to ${spec.label} must not specify positional arguments after named arguments`;
    throw analysisError(context.environment, misplaced.at, message);
  }
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
  const accepted = [...new Set(spec.signatures.map((signature) => signature.text))].join('; ');
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
