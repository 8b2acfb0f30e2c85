import { findFunction } from '../functions/catalog.ts';
import type { ResolvedArray, ResolvedCall, ResolvedExpression } from '../resolved/expression.ts';
import {
  type ArrayType,
  arrayOf,
  BIGNUMERIC,
  DATE,
  DATETIME,
  FLOAT64,
  INT64,
  NUMERIC,
  type ScalarTypeName,
  type SqlType,
  sameType,
  typeText,
} from '../types/sql-type.ts';

type Costs = Readonly<Partial<Record<ScalarTypeName, number>>>;

/**
 * Implicit conversions of values of any kind (GoogleSQL reference, "Conversion rules") and what they cost besides; an
 * integer beside a BIGNUMERIC becomes one, rather than that both become FLOAT64.
 */
const WIDER: Readonly<Partial<Record<ScalarTypeName, Costs>>> = {
  INT64: { FLOAT64: 0, NUMERIC: 1, BIGNUMERIC: 2 },
  NUMERIC: { BIGNUMERIC: 0, FLOAT64: 1 },
  BIGNUMERIC: { FLOAT64: 3 },
  DATE: { DATETIME: 0 },
};

/** Types that only a literal converts to. */
const LITERAL_TARGETS: Readonly<Partial<Record<ScalarTypeName, readonly ScalarTypeName[]>>> = {
  FLOAT64: ['NUMERIC', 'BIGNUMERIC'],
  STRING: ['DATE', 'DATETIME', 'TIME', 'TIMESTAMP'],
};

/** Types that a query parameter converts to. */
const PARAMETER_TARGETS: Readonly<Partial<Record<ScalarTypeName, readonly ScalarTypeName[]>>> = {
  STRING: ['DATE', 'DATETIME', 'TIME', 'TIMESTAMP'],
};

const LITERAL_COST = 1;
const WIDENING_COST = 10;

/**
 * What it costs to use an expression where a type is expected: 0 as it is, more for conversions further away, null if
 * GoogleSQL does not convert it by itself.
 */
export function coercionCost(expression: ResolvedExpression, target: SqlType): number | null {
  if (isUntypedNull(expression) || givesNoValue(expression)) return 0;
  if (sameType(expression.type, target)) return 0;
  if (expression.kind === 'array' && target.kind === 'ARRAY') {
    if (expression.isUntyped) return 0;
    const { elements, type } = expression;
    if (type.kind === 'ARRAY' && type.element.kind === 'STRUCT') return structsCost(expression, type, target);
    const value: ResolvedExpression = { kind: 'literal', type: elementOf(type), value: '' };
    // A NULL among the elements has their type, and so have none at all.
    const typed = elements.length === 0 ? [value] : elements.map((one) => (isUntypedNull(one) ? value : one));
    return totalCost(typed, () => target.element);
  }
  if (expression.kind === 'struct' && target.kind === 'STRUCT') {
    if (expression.fields.length !== target.fields.length) return null;
    return totalCost(expression.fields, (index) => target.fields[index]?.type);
  }
  return scalarCost(expression, target);
}

/** Structs in an array convert as any values of their types do, and with NULL among their fields only to the same type. */
function structsCost({ elements }: ResolvedArray, type: ArrayType, target: ArrayType): number | null {
  const hasNull = elements.some((one) => one.kind === 'struct' && one.fields.some(isUntypedNull));
  if (hasNull) return isEquivalent(type, target) ? LITERAL_COST : null;
  return typeCost(type.element, target.element);
}

function elementOf(type: SqlType): SqlType {
  return type.kind === 'ARRAY' ? type.element : type;
}

function scalarCost(expression: ResolvedExpression, target: SqlType): number | null {
  const from = expression.type.kind;
  const to = target.kind;
  if (from === 'ARRAY' || from === 'STRUCT' || to === 'ARRAY' || to === 'STRUCT') {
    return structCost(expression.type, target);
  }
  const widening = WIDER[from]?.[to];
  if (widening !== undefined)
    return (expression.kind === 'literal' ? LITERAL_COST : WIDENING_COST) + widening;
  if (expression.kind === 'literal' && LITERAL_TARGETS[from]?.includes(to)) return LITERAL_COST;
  if (expression.kind === 'literal' && from === 'STRING' && to === 'BYTES')
    return isAscii(String(expression.value)) ? LITERAL_COST : null;
  if (expression.kind === 'parameter' && PARAMETER_TARGETS[from]?.includes(to)) return LITERAL_COST;
  return null;
}

/** Text of letters that are one byte each, and so reads the same as BYTES. */
function isAscii(text: string): boolean {
  return [...text].every((letter) => letter <= '\x7f');
}

/** Structs convert field by field, whatever their fields are called; arrays of structs where only the names differ. */
function structCost(from: SqlType, to: SqlType): number | null {
  if (from.kind === 'ARRAY' && to.kind === 'ARRAY')
    return isEquivalent(from.element, to.element) ? LITERAL_COST : null;
  if (from.kind !== 'STRUCT' || to.kind !== 'STRUCT' || from.fields.length !== to.fields.length) return null;
  let total = LITERAL_COST;
  for (const [index, field] of from.fields.entries()) {
    const target = to.fields[index]?.type;
    const cost = target === undefined ? null : typeCost(field.type, target);
    if (cost === null) return null;
    total += cost;
  }
  return total;
}

/** What it costs to convert any value of a type. */
function typeCost(from: SqlType, to: SqlType): number | null {
  if (sameType(from, to)) return 0;
  if (from.kind === 'ARRAY' || from.kind === 'STRUCT' || to.kind === 'ARRAY' || to.kind === 'STRUCT')
    return structCost(from, to);
  const widening = WIDER[from.kind]?.[to.kind];
  return widening === undefined ? null : WIDENING_COST + widening;
}

/** Whether types are the same but for the names of fields. */
export function isEquivalent(a: SqlType, b: SqlType): boolean {
  if (a.kind === 'ARRAY') return b.kind === 'ARRAY' && isEquivalent(a.element, b.element);
  if (a.kind !== 'STRUCT' || b.kind !== 'STRUCT') return sameType(a, b);
  return (
    a.fields.length === b.fields.length &&
    a.fields.every(({ type }, index) => {
      const other = b.fields[index]?.type;
      return other !== undefined && isEquivalent(type, other);
    })
  );
}

function totalCost(
  parts: readonly ResolvedExpression[],
  targetOf: (index: number) => SqlType | undefined,
): number | null {
  let total = 0;
  for (const [index, part] of parts.entries()) {
    const target = targetOf(index);
    const cost = target === undefined ? null : coercionCost(part, target);
    if (cost === null) return null;
    total += cost;
  }
  return total;
}

/** NULL as it stands in a query, which takes any type. */
export function isUntypedNull(expression: ResolvedExpression): boolean {
  return expression.kind === 'literal' && expression.value === null;
}

/** A call that only raises errors, and so stands for a value of any type. */
export function givesNoValue(expression: ResolvedExpression): expression is ResolvedCall {
  return expression.kind === 'call' && findFunction(expression.name)?.givesNoValue === true;
}

/** Literals and what is built of them adapt to the types of other expressions. */
function isConstant(expression: ResolvedExpression): boolean {
  if (expression.kind === 'array') return expression.elements.every(isConstant);
  if (expression.kind === 'struct')
    return expression.fields.every(
      (field) => field.kind !== 'array' && isConstant(field) && !hasNamedType(field),
    );
  return expression.kind === 'literal' || expression.kind === 'parameter';
}

/** Types whose literals need no name of the type. */
const UNNAMED: ReadonlySet<SqlType['kind']> = new Set(['INT64', 'FLOAT64', 'STRING', 'BYTES', 'BOOL']);

/** A literal such as DATE '2024-01-01', which gives a struct a type that holds, as an array in it does. */
function hasNamedType({ kind, type }: ResolvedExpression): boolean {
  return kind === 'literal' && !UNNAMED.has(type.kind);
}

/**
 * The type that all of the expressions convert to, or null if there is none: the types of columns and calls come
 * before those of literals. All untyped NULLs are INT64.
 */
export function commonType(expressions: readonly ResolvedExpression[]): SqlType | null {
  const typed = expressions.filter(
    (expression) => !isUntypedNull(expression) && !isUntypedArray(expression) && !givesNoValue(expression),
  );
  if (typed.length === 0) return expressions.find(isUntypedArray)?.type ?? INT64;
  const firm = typed.filter((expression) => !isConstant(expression)).map((expression) => expression.type);
  // A decimal literal takes the type of a NUMERIC beside it.
  const loose = typed
    .map((expression) => expression.type)
    .toSorted((a, b) => Number(holdsFloat(a)) - Number(holdsFloat(b)));
  const candidates = [
    ...firm,
    ...loose,
    NUMERIC,
    BIGNUMERIC,
    FLOAT64,
    DATETIME,
    DATE,
    ...arrayCandidates(typed),
    ...structCandidates(typed),
  ];
  // NULL in the first of nothing but literals is an INT64.
  const compared =
    firm.length > 0 ? typed : typed.map((one, index) => (index === 0 ? withTypedNulls(one) : one));
  const found = distinct(candidates).find((type) =>
    compared.every((one) => coercionCost(one, type) !== null),
  );
  return found === undefined ? null : namedAfter(typed[0]?.type, found);
}

/** A struct whose fields that are NULL have a type. */
function withTypedNulls(expression: ResolvedExpression): ResolvedExpression {
  if (expression.kind !== 'struct') return expression;
  const zero: ResolvedExpression = { kind: 'literal', type: INT64, value: 0n };
  const fields = expression.fields.map((field) => (isUntypedNull(field) ? zero : withTypedNulls(field)));
  return { ...expression, fields };
}

/** Fields are named as in the first of the values. */
function namedAfter(first: SqlType | undefined, type: SqlType): SqlType {
  if (first?.kind === 'ARRAY' && type.kind === 'ARRAY')
    return arrayOf(namedAfter(first.element, type.element));
  if (first?.kind !== 'STRUCT' || type.kind !== 'STRUCT') return type;
  const fields = type.fields.map((field, index) => {
    const named = first.fields[index];
    return { name: named?.name ?? '', type: namedAfter(named?.type, field.type) };
  });
  return { kind: 'STRUCT', fields };
}

function holdsFloat(type: SqlType): boolean {
  if (type.kind === 'ARRAY') return holdsFloat(type.element);
  if (type.kind === 'STRUCT') return type.fields.some((field) => holdsFloat(field.type));
  return type.kind === 'FLOAT64';
}

/** Thousands of literals have few types among them. */
function distinct(types: readonly SqlType[]): readonly SqlType[] {
  const byText = new Map<string, SqlType>();
  for (const type of types) {
    const text = typeText(type).toLowerCase();
    if (!byText.has(text)) byText.set(text, type);
  }
  return [...byText.values()];
}

function arrayCandidates(expressions: readonly ResolvedExpression[]): SqlType[] {
  const isArray = expressions.some((expression) => expression.type.kind === 'ARRAY');
  return isArray ? [NUMERIC, BIGNUMERIC, FLOAT64].map(arrayOf) : [];
}

/** Structs of which each has the wider type in another field: the common type of each field. */
function structCandidates(expressions: readonly ResolvedExpression[]): SqlType[] {
  const [first] = expressions;
  if (first?.type.kind !== 'STRUCT') return [];
  const { fields } = first.type;
  if (!expressions.every(({ type }) => type.kind === 'STRUCT' && type.fields.length === fields.length))
    return [];
  const types = fields.map(({ name }, index) => {
    const type = commonType(expressions.map((one) => fieldAt(one, index)));
    return type === null ? null : { name, type };
  });
  return types.includes(null) ? [] : [{ kind: 'STRUCT', fields: types.filter((one) => one !== null) }];
}

/** A field as an expression by itself: literals stay literals. */
function fieldAt(base: ResolvedExpression, index: number): ResolvedExpression {
  const field = base.kind === 'struct' ? base.fields[index] : undefined;
  if (field !== undefined) return field;
  const type = base.type.kind === 'STRUCT' ? base.type.fields[index]?.type : undefined;
  return { kind: 'field', type: type ?? INT64, base, index };
}

/** `[]` as it stands in a query, which takes any type. */
export function isUntypedArray(expression: ResolvedExpression): boolean {
  return expression.kind === 'array' && expression.isUntyped === true;
}
