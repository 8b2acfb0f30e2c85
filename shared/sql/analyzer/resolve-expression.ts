import type {
  Between,
  Binary,
  Case,
  Expression,
  In,
  Is,
  Literal,
  QuantifiedLike,
  Unary,
} from '../ast/expression.ts';
import { BINARY_FUNCTIONS, UNARY_FUNCTIONS } from '../ast/operators.ts';
import type { ResolvedCall, ResolvedExpression } from '../resolved/expression.ts';
import { columnReference } from '../resolved/make-expression.ts';
import { BOOL, INT64 } from '../types/sql-type.ts';
import { coerceToBool, unify } from './coerce.ts';
import { isUntypedNull } from './coercion.ts';
import { analysisError, newColumn } from './environment.ts';
import type { ExpressionContext } from './expression-context.ts';
import { negateFloat, resolveLiteral, resolveNegatedInteger } from './literals.ts';
import { callOperator } from './match-call.ts';
import { resolveCall } from './resolve-call.ts';
import {
  resolveArray,
  resolveCast,
  resolveExtract,
  resolveStruct,
  resolveSubscript,
} from './resolve-constructors.ts';
import { resolveInterval } from './resolve-interval.ts';
import { resolveField, resolveName } from './resolve-name.ts';
import { resolveInSubquery, resolveSubquery } from './resolve-subquery.ts';

/**
 * Gives an expression its meaning and type: names become columns, functions and operators the signatures that fit,
 * literals and NULLs the expected types. Throws a ServiceError (invalid_argument) with the place.
 */
export function resolveExpression(context: ExpressionContext, expression: Expression): ResolvedExpression {
  const resolve = (part: Expression) => resolveExpression(context, part);
  switch (expression.kind) {
    case 'literal':
      return resolveLiteral(context.environment, expression);
    case 'parameter':
      return resolveParameter(context, expression.name, expression.at);
    case 'name':
      return resolveName(context, expression);
    case 'field':
      return resolveField(context, expression, resolve);
    case 'subscript':
      return resolveSubscript(context, expression);
    case 'unary':
      return resolveUnary(context, expression);
    case 'binary':
      return resolveBinary(context, expression);
    case 'between':
      return resolveBetween(context, expression);
    case 'in':
      return resolveIn(context, expression);
    case 'quantified-like':
      return resolveQuantifiedLike(context, expression);
    case 'is':
      return resolveIs(context, expression);
    case 'case':
      return resolveCase(context, expression);
    case 'cast':
      return resolveCast(context, expression);
    case 'extract':
      return resolveExtract(context, expression);
    case 'interval':
      return resolveInterval(context, expression, resolve);
    case 'array':
      return resolveArray(context, expression);
    case 'struct':
      return resolveStruct(context, expression);
    case 'subquery':
      return resolveSubquery(context, expression);
    case 'call':
      return resolveCall(context, expression);
    case 'with-expression':
      return resolveWith(context, expression);
    default: {
      const unreachable: never = expression;
      throw new TypeError(`expression ${JSON.stringify(unreachable)}`);
    }
  }
}

function resolveParameter(context: ExpressionContext, name: string, at: number): ResolvedExpression {
  const { parameters } = context.environment.catalog;
  const lowerName = name.toLowerCase();
  const known = parameters.has(name)
    ? name
    : [...parameters.keys()].find((candidate) => candidate.toLowerCase() === lowerName);
  const type = known === undefined ? undefined : parameters.get(known);
  if (known === undefined || type === undefined) {
    throw analysisError(
      context.environment,
      at,
      `Query parameter @${name} has no value; send ${name} with the request`,
    );
  }
  return { kind: 'parameter', type, name: known };
}

/** Operators that take NULL as it stands in a query. */
const NULL_OPERATORS: ReadonlySet<string> = new Set(['AND', 'OR', 'IS DISTINCT FROM', '<<', '>>']);

function resolveBinary(
  context: ExpressionContext,
  { operator, left, right, at }: Binary,
): ResolvedExpression {
  if (!NULL_OPERATORS.has(operator)) refuseNullOperand(context, operator, [left, right]);
  const operands = [left, right].map((part) => resolveExpression(context, part));
  return callOperator(context, BINARY_FUNCTIONS[operator], operands, at);
}

/** The answer would be NULL whatever the other operand is, which is never what `x = NULL` was written for. */
function refuseNullOperand(
  context: ExpressionContext,
  operator: string,
  operands: readonly Expression[],
): void {
  const missing = operands.find((operand) => operand.kind === 'literal' && operand.type === 'NULL');
  if (missing === undefined) return;
  const advice = operator === '=' || operator === '!=' ? '; use IS NULL or IS NOT NULL' : '';
  const message = `Operands of ${operator} cannot be literal NULL${advice}`;
  throw analysisError(context.environment, missing.at, message);
}

function resolveUnary(context: ExpressionContext, { operator, operand, at }: Unary): ResolvedExpression {
  if (operator !== '+') refuseNullOperand(context, operator, [operand]);
  if (operator === '-' && operand.kind === 'literal' && operand.isParenthesized !== true)
    return negateLiteral(context, operand, at);
  const value = resolveExpression(context, operand);
  return operator === '+' ? value : callOperator(context, UNARY_FUNCTIONS[operator], [value], at);
}

function negateLiteral(context: ExpressionContext, literal: Literal, at: number): ResolvedExpression {
  if (literal.type === 'INT64') return resolveNegatedInteger(context.environment, literal);
  const value = resolveLiteral(context.environment, literal);
  if (value.type.kind === 'FLOAT64') return negateFloat(value);
  return callOperator(context, '$UNARY_MINUS', [value], at);
}

function resolveBetween(context: ExpressionContext, between: Between): ResolvedExpression {
  const operands = [between.operand, between.low, between.high].map((part) =>
    resolveExpression(context, part),
  );
  return negate(callOperator(context, '$BETWEEN', operands, between.at), between.negated);
}

function resolveIn(context: ExpressionContext, { operand, list, negated, at }: In): ResolvedExpression {
  const value = resolveExpression(context, operand);
  if (list.kind === 'query') return negate(resolveInSubquery(context, value, list.query, at), negated);
  if (list.kind === 'array') {
    const array = resolveOperatorArray(context, list.array, 'IN');
    return negate(callOperator(context, '$IN_ARRAY', [value, array], at), negated);
  }
  const values = list.values.map((part) => resolveExpression(context, part));
  return negate(callOperator(context, '$IN', [value, ...values], at), negated);
}

/** The array of an operator's UNNEST, which is not NULL without a type. */
function resolveOperatorArray(
  context: ExpressionContext,
  array: Expression,
  operator: string,
): ResolvedExpression {
  const resolved = resolveExpression(context, array);
  if (!isUntypedNull(resolved)) return resolved;
  const message = `Second argument of ${operator} UNNEST must be an array but was NULL`;
  throw analysisError(context.environment, array.at, message);
}

function resolveQuantifiedLike(context: ExpressionContext, like: QuantifiedLike): ResolvedExpression {
  const { patterns, at, negated } = like;
  const value = resolveExpression(context, like.operand);
  // NOT is of each comparison: `x NOT LIKE ALL (a, b)` is `x NOT LIKE a AND x NOT LIKE b`.
  const name = (like.quantifier === 'ANY') === negated ? '$LIKE_ALL' : '$LIKE_ANY';
  if (patterns.kind === 'values') {
    const values = patterns.values.map((part) => resolveExpression(context, part));
    return negate(callOperator(context, name, [value, ...values], at), negated);
  }
  const array = resolveOperatorArray(context, patterns.array, `LIKE ${like.quantifier}`);
  return negate(callOperator(context, `${name}_ARRAY`, [value, array], at), negated);
}

function resolveIs(context: ExpressionContext, { operand, test, negated, at }: Is): ResolvedExpression {
  const value = resolveExpression(context, operand);
  return negate(callOperator(context, `$IS_${test}`, [value], at), negated);
}

function negate(expression: ResolvedExpression, negated: boolean): ResolvedExpression {
  if (!negated) return expression;
  const call: ResolvedCall = {
    kind: 'call',
    type: BOOL,
    name: '$NOT',
    arguments: [expression],
    part: null,
    safe: false,
  };
  return call;
}

function resolveCase(
  context: ExpressionContext,
  { operand, branches, otherwise, at }: Case,
): ResolvedExpression {
  const { environment } = context;
  const compared = operand === null ? null : resolveExpression(context, operand);
  const conditions = branches.map(({ when }) => {
    const value = resolveExpression(context, when);
    if (compared === null) return coerceToBool(environment, value, when.at, 'CASE condition');
    return callOperator(context, '$EQUAL', [compared, value], when.at);
  });
  const results = branches.map(({ result }) => resolveExpression(context, result));
  const last: ResolvedExpression =
    otherwise === null
      ? { kind: 'literal', type: INT64, value: null }
      : resolveExpression(context, otherwise);
  const unified = unify(environment, [...results, last], at, 'CASE branches have no common type');
  const fallback = unified.expressions[results.length] ?? last;
  return {
    kind: 'case',
    type: unified.type,
    branches: conditions.map((when, index) => ({ when, result: unified.expressions[index] ?? fallback })),
    otherwise: fallback,
  };
}

function resolveWith(
  context: ExpressionContext,
  { variables, result }: Extract<Expression, { kind: 'with-expression' }>,
): ResolvedExpression {
  let inner = context;
  const resolved = variables.map(({ name, value }) => {
    const expression = resolveExpression(inner, value);
    const column = newColumn(context.environment, name, expression.type);
    inner = { ...inner, aliases: new Map([...inner.aliases, [name.toLowerCase(), columnReference(column)]]) };
    return { column, value: expression };
  });
  const body = resolveExpression(inner, result);
  return { kind: 'let', type: body.type, variables: resolved, result: body };
}
