import type { ResolvedExpression } from '../resolved/expression.ts';
import { BOOL, type SqlType, sameType, typeText } from '../types/sql-type.ts';
import { coercionCost, commonType, givesNoValue } from './coercion.ts';
import { analysisError, type Environment } from './environment.ts';
import { convertLiteral } from './literals.ts';

/** An expression made to have a type that coercionCost() said it converts to. */
export function coerce(
  environment: Environment,
  expression: ResolvedExpression,
  target: SqlType,
  at: number,
): ResolvedExpression {
  if (expression.kind === 'literal' && (expression.value === null || !sameType(expression.type, target))) {
    const converted = convertLiteral(expression, target);
    if (converted !== null) return converted;
    const shown = JSON.stringify(expression.digits ?? String(expression.value));
    throw analysisError(environment, at, `Could not cast literal ${shown} to type ${typeText(target)}`);
  }
  if (sameType(expression.type, target)) return expression;
  if (givesNoValue(expression)) return { ...expression, type: target };
  if (expression.kind === 'array' && target.kind === 'ARRAY') {
    const elements = expression.elements.map((element) => coerce(environment, element, target.element, at));
    return { kind: 'array', type: target, elements };
  }
  if (expression.kind === 'struct' && target.kind === 'STRUCT') {
    const fields = expression.fields.map((field, index) => {
      const type = target.fields[index]?.type;
      return type === undefined ? field : coerce(environment, field, type, at);
    });
    return { kind: 'struct', type: target, fields };
  }
  return { kind: 'cast', type: target, operand: expression, safe: false };
}

/** Converts an expression or refuses it, saying where it stands and what type is needed there. */
function coerceOrRefuse(
  environment: Environment,
  expression: ResolvedExpression,
  target: SqlType,
  at: number,
  place: string,
): ResolvedExpression {
  if (coercionCost(expression, target) === null) {
    const found = typeText(expression.type);
    throw analysisError(
      environment,
      at,
      `${place} should return type ${typeText(target)}, but returns ${found}`,
    );
  }
  return coerce(environment, expression, target, at);
}

/**
 * Converts a condition to BOOL. Throws a ServiceError (invalid_argument) where its type does not coerce; `place` names
 * the clause in the message.
 */
export function coerceToBool(
  environment: Environment,
  expression: ResolvedExpression,
  at: number,
  place: string,
) {
  return coerceOrRefuse(environment, expression, BOOL, at, place);
}

/** Converts expressions to the one type that all of them convert to; `complaint` heads the error if there is none. */
export function unify(
  environment: Environment,
  expressions: readonly ResolvedExpression[],
  at: number,
  complaint: string,
): { readonly type: SqlType; readonly expressions: readonly ResolvedExpression[] } {
  const type = commonType(expressions);
  if (type === null) {
    const types = [...new Set(expressions.map((expression) => typeText(expression.type)))].join(', ');
    throw analysisError(environment, at, `${complaint}: ${types}`);
  }
  return { type, expressions: expressions.map((expression) => coerce(environment, expression, type, at)) };
}
