import { nounFor } from '../../errors/noun-for.ts';
import type { ArrayConstructor, Cast, Extract, StructConstructor, Subscript } from '../ast/expression.ts';
import { castAllowed } from '../functions/casts.ts';
import type { ResolvedExpression, ResolvedStruct } from '../resolved/expression.ts';
import { arrayOf, INT64, type SqlType, type StructType, sameType, typeText } from '../types/sql-type.ts';
import { coerce, unify } from './coerce.ts';
import { coercionCost, isUntypedArray, isUntypedNull } from './coercion.ts';
import { analysisError, type Environment } from './environment.ts';
import type { ExpressionContext } from './expression-context.ts';
import { castDigits, constantParts } from './literals.ts';
import { callOperator, callWith } from './match-call.ts';
import type { CallArgument } from './match-signature.ts';
import { resolveExpression } from './resolve-expression.ts';
import { resolveFormatCast } from './resolve-format-cast.ts';
import { castToInterval } from './resolve-interval.ts';
import { accessField, impliedName } from './resolve-name.ts';
import { resolveType } from './resolve-type.ts';

const SUBSCRIPT_FUNCTIONS = {
  plain: '$AT_OFFSET',
  offset: '$AT_OFFSET',
  safe_offset: '$AT_SAFE_OFFSET',
  ordinal: '$AT_ORDINAL',
  safe_ordinal: '$AT_SAFE_ORDINAL',
} as const;

/** `array[OFFSET(n)]`, `json['name']`, `json[n]` */
export function resolveSubscript(
  context: ExpressionContext,
  { base, index, mode, at }: Subscript,
): ResolvedExpression {
  const container = resolveExpression(context, base);
  const key = resolveExpression(context, index);
  if (container.type.kind === 'JSON' && mode === 'plain') {
    if (key.kind === 'literal' && typeof key.value === 'string') {
      return accessField(context.environment, container, key.value, at);
    }
    return callOperator(
      context,
      key.type.kind === 'STRING' ? '$JSON_FIELD' : '$JSON_AT',
      [container, key],
      at,
    );
  }
  if (container.type.kind !== 'ARRAY' || mode === 'key' || mode === 'safe_key') {
    const found = typeText(container.type);
    throw analysisError(
      context.environment,
      at,
      `Subscript access is not supported for a value of type ${found}`,
    );
  }
  return callOperator(context, SUBSCRIPT_FUNCTIONS[mode], [container, key], at);
}

/**
 * `CAST(x AS type [FORMAT …])` and SAFE_CAST. Throws a ServiceError (invalid_argument) for types between which GoogleSQL
 * has no cast.
 */
export function resolveCast(context: ExpressionContext, cast: Cast): ResolvedExpression {
  const { environment } = context;
  const target = resolveType(environment, cast.type);
  const operand = resolveExpression(context, cast.operand);
  const { format } = cast;
  if (format !== null) return resolveFormatCast(context, { ...cast, format }, operand, target);
  return castValue(environment, operand, target, cast);
}

function castValue(
  environment: Environment,
  operand: ResolvedExpression,
  target: SqlType,
  cast: Cast,
): ResolvedExpression {
  if (target.kind === 'INTERVAL' && operand.kind === 'literal' && operand.type.kind === 'STRING')
    return castToInterval(environment, operand, cast);
  if (isUntypedNull(operand) || (isUntypedArray(operand) && target.kind === 'ARRAY')) {
    return typedNull(environment, operand, target, cast);
  }
  const isSame = sameType(operand.type, target);
  if (
    !isSame &&
    operand.kind === 'struct' &&
    target.kind === 'STRUCT' &&
    operand.fields.length === target.fields.length
  ) {
    return castFields(environment, operand, target, cast);
  }
  if (!isSame && !castAllowed(operand.type, target)) {
    const pair = `${typeText(operand.type)} to ${typeText(target)}`;
    throw analysisError(environment, cast.at, `Invalid cast from ${pair}`);
  }
  return { kind: 'cast', type: target, operand: castDigits(operand, target) ?? operand, safe: cast.safe };
}

/** A struct that is written out is cast field by field: in SAFE_CAST, one that does not convert is NULL, not the struct. */
function castFields(
  environment: Environment,
  { fields }: ResolvedStruct,
  target: StructType,
  cast: Cast,
): ResolvedExpression {
  const values = fields.map((field, index) => {
    const type = target.fields[index]?.type ?? field.type;
    return sameType(field.type, type) ? field : castValue(environment, field, type, cast);
  });
  return { kind: 'struct', type: target, fields: values };
}

/** A cast keeps its own node: unlike NULL by itself, `CAST(NULL AS STRING)` is a STRING and nothing else. */
function typedNull(
  environment: Environment,
  operand: ResolvedExpression,
  target: SqlType,
  cast: Cast,
): ResolvedExpression {
  return {
    kind: 'cast',
    type: target,
    operand: coerce(environment, operand, target, cast.at),
    safe: cast.safe,
  };
}

/** Parts that EXTRACT answers with another type than INT64. */
const TYPED_PARTS: ReadonlySet<string> = new Set(['DATE', 'DATETIME', 'TIME']);

/**
 * `EXTRACT(part FROM x [AT TIME ZONE zone])`: a call of `$EXTRACT`, or, for a part whose result is no INT64, of
 * `$EXTRACT_DATE` and the like. Throws a ServiceError (invalid_argument) for text, and for DATE, DATETIME or TIME of a
 * DATE.
 */
export function resolveExtract(
  context: ExpressionContext,
  { part, operand, zone, at }: Extract,
): ResolvedExpression {
  const values = (zone === null ? [operand] : [operand, zone]).map(
    (value): CallArgument => ({
      kind: 'expression',
      expression: resolveExpression(context, value),
      at: value.at,
    }),
  );
  if (operand.kind === 'literal' && operand.type === 'STRING') {
    const advice = 'write its type in front, such as TIMESTAMP';
    throw analysisError(
      context.environment,
      operand.at,
      `EXTRACT does not support literal STRING arguments; ${advice}`,
    );
  }
  const isTyped = TYPED_PARTS.has(part.name);
  const [first] = values;
  if (isTyped && first?.kind === 'expression' && first.expression.type.kind === 'DATE') {
    throw analysisError(
      context.environment,
      at,
      `EXTRACT from DATE does not support the ${part.name} date part`,
    );
  }
  const name = isTyped ? `$EXTRACT_${part.name}` : '$EXTRACT';
  return callWith(
    context,
    name,
    isTyped ? values : [{ kind: 'part', part, at: part.at }, ...values],
    at,
    isTyped ? { name: part.name, weekday: null } : null,
  );
}

/**
 * `[a, b]` and `ARRAY<T>[a, b]`: the elements are converted to T, or to their common type. `[]` is untyped: any array
 * type takes it. Throws a ServiceError (invalid_argument) where there is no such conversion, and for arrays of arrays.
 */
export function resolveArray(
  context: ExpressionContext,
  { elementType, elements, at }: ArrayConstructor,
): ResolvedExpression {
  const { environment } = context;
  const resolved = elements.map((element) => resolveExpression(context, element));
  if (elementType !== null) {
    const type = resolveType(environment, elementType);
    if (type.kind === 'ARRAY')
      throw analysisError(environment, elementType.at, 'Arrays of arrays are not supported');
    const converted = resolved.map((element, index) => {
      if (coercionCost(element, type) === null) {
        const place = elements[index]?.at ?? at;
        const found = typeText(element.type);
        throw analysisError(
          environment,
          place,
          `Array element type ${found} does not coerce to ${typeText(type)}`,
        );
      }
      return coerce(environment, element, type, at);
    });
    return { kind: 'array', type: arrayOf(type), elements: converted };
  }
  if (resolved.length === 0) return { kind: 'array', type: arrayOf(INT64), elements: [], isUntyped: true };
  const unified = unify(environment, resolved, at, 'Array elements have no common type');
  if (unified.type.kind === 'ARRAY') {
    throw analysisError(
      environment,
      at,
      'Cannot construct array with element type ARRAY: arrays of arrays are not supported',
    );
  }
  return { kind: 'array', type: arrayOf(unified.type), elements: constantParts(unified.expressions) };
}

/**
 * `STRUCT(a AS x)`, `STRUCT<T>(a)` and `(a, b)`. Throws a ServiceError (invalid_argument) where the values do not fit
 * the declared type in number or type.
 */
export function resolveStruct(
  context: ExpressionContext,
  { type, fields, isTuple, at }: StructConstructor,
): ResolvedExpression {
  const { environment } = context;
  const values = fields.map((field) => resolveExpression(context, field.value));
  if (type === null) {
    const named = fields.map((field, index) => ({
      // The fields of `(a, b)`, without the word STRUCT, have no names.
      name: field.alias ?? (isTuple ? '' : impliedName(field.value)),
      type: values[index]?.type ?? INT64,
    }));
    return { kind: 'struct', type: { kind: 'STRUCT', fields: named }, fields: constantParts(values) };
  }
  if (fields.some((field) => field.alias !== null)) {
    const message = 'STRUCT constructors cannot specify both an explicit type and field names with AS';
    throw analysisError(environment, at, message);
  }
  const declared = resolveType(environment, type);
  if (declared.kind !== 'STRUCT' || declared.fields.length !== values.length) {
    const fields = fieldCount(declared);
    throw analysisError(
      environment,
      at,
      `STRUCT type has ${fields} ${nounFor(fields, 'field')} but the call has ${values.length} ${nounFor(values.length, 'value')}`,
    );
  }
  const converted = values.map((value, index) => {
    const expectedType = declared.fields[index]?.type ?? value.type;
    if (coercionCost(value, expectedType) === null) {
      throw analysisError(
        environment,
        at,
        `Struct field ${index + 1} has type ${typeText(value.type)} which does not coerce to ${typeText(expectedType)}`,
      );
    }
    return coerce(environment, value, expectedType, at);
  });
  return { kind: 'struct', type: declared, fields: converted };
}

function fieldCount(type: SqlType): number {
  return type.kind === 'STRUCT' ? type.fields.length : 0;
}
