import type { Expression, FieldAccess, Name } from '../ast/expression.ts';
import type { ResolvedExpression } from '../resolved/expression.ts';
import { columnReference } from '../resolved/make-expression.ts';
import { didYouMean } from '../text/nearest-names.ts';
import { JSON_TYPE, type SqlType, STRING, typeText } from '../types/sql-type.ts';
import { analysisError, type Environment } from './environment.ts';
import type { ExpressionContext, Resolve } from './expression-context.ts';
import { lookUp, type NameTarget, type RangeVariable } from './scope.ts';
import { hintFor } from './unknown-name.ts';

/** A name by itself: an alias of the select list where those count, a range variable, a column or a nested field. */
export function resolveName(context: ExpressionContext, { name, at }: Name): ResolvedExpression {
  const alias = context.aliases.get(name.toLowerCase());
  if (alias !== undefined) return alias;
  const target = lookUp(context.scope, name);
  if (target === null) {
    throw analysisError(context.environment, at, `Unrecognized name: ${name}${hintFor(name, context.scope)}`);
  }
  return resolveTarget(context.environment, target, name, at);
}

function resolveTarget(
  environment: Environment,
  target: NameTarget,
  name: string,
  at: number,
): ResolvedExpression {
  switch (target.kind) {
    case 'column':
      return columnReference(target.column);
    case 'field':
      return fieldOf(columnReference(target.base), target.index);
    case 'range':
      return wholeRow(environment, target.range);
    case 'alias':
      return target.expression;
    case 'ambiguous':
      throw analysisError(
        environment,
        at,
        `Column name ${name} is ambiguous; put its table's alias before it`,
      );
    default: {
      const unreachable: never = target;
      throw new TypeError(`target ${JSON.stringify(unreachable)}`);
    }
  }
}

/** A range variable by itself is its whole row: the element of an array, or a struct of a table's columns. */
function wholeRow(environment: Environment, range: RangeVariable): ResolvedExpression {
  if (range.kind === 'value') return columnReference(range.column);
  if (range.columns.length === 0)
    throw analysisError(environment, 0, 'A table without columns has no row value');
  const fields = range.columns.map(({ column }) => columnReference(column));
  const type: SqlType = {
    kind: 'STRUCT',
    fields: range.columns.map(({ name, column }) => ({ name, type: column.type })),
  };
  return { kind: 'struct', type, fields };
}

/** `base.name`: a column of a range variable, a struct's field, or a member of a JSON value. */
export function resolveField(
  context: ExpressionContext,
  field: FieldAccess,
  resolve: Resolve,
): ResolvedExpression {
  const { base, name, at } = field;
  if (base.kind === 'name' && !context.aliases.has(base.name.toLowerCase())) {
    const target = lookUp(context.scope, base.name);
    if (target?.kind === 'range' && target.range.kind === 'columns') {
      return columnOf(context.environment, target.range, name, at);
    }
  }
  // Grouped by a struct, a query has that struct's fields but not what the struct was made of.
  const isOfAlias =
    base.kind === 'name' &&
    (context.aliases.has(base.name.toLowerCase()) || lookUp(context.scope, base.name)?.kind === 'alias');
  return accessField(context.environment, resolve(base), name, at, isOfAlias ? structField : fieldOf);
}

function columnOf(
  environment: Environment,
  range: Extract<RangeVariable, { kind: 'columns' }>,
  name: string,
  at: number,
): ResolvedExpression {
  const found = range.columns.filter((column) => column.name.toLowerCase() === name.toLowerCase());
  if (found.length > 1) throw analysisError(environment, at, `Column name ${name} is ambiguous`);
  if (found[0] !== undefined) return columnReference(found[0].column);
  const names = range.columns.map((column) => column.name);
  throw analysisError(
    environment,
    at,
    `Name ${name} not found inside ${range.alias ?? 'the subquery'}${didYouMean(name, names) || '.'} It has: ${names.join(', ')}`,
  );
}

/** A field of a struct or member of a JSON value. */
export function accessField(
  environment: Environment,
  base: ResolvedExpression,
  name: string,
  at: number,
  access: typeof fieldOf = fieldOf,
): ResolvedExpression {
  const { type } = base;
  if (type.kind === 'JSON') {
    const member: ResolvedExpression = { kind: 'literal', type: STRING, value: name };
    return {
      kind: 'call',
      type: JSON_TYPE,
      name: '$JSON_FIELD',
      arguments: [base, member],
      part: null,
      safe: false,
    };
  }
  if (type.kind !== 'STRUCT') {
    const advice = type.kind === 'ARRAY' ? '; it is repeated: unnest it first' : '';
    const found = type.kind === 'ARRAY' ? `ARRAY<${type.element.kind}>` : typeText(type);
    throw analysisError(
      environment,
      at,
      `Cannot access field ${name} on a value with type ${found}${advice}`,
    );
  }
  const indexes = type.fields.flatMap((field, index) =>
    field.name.toLowerCase() === name.toLowerCase() ? [index] : [],
  );
  if (indexes.length > 1) throw analysisError(environment, at, `Struct field name ${name} is ambiguous`);
  if (indexes[0] !== undefined) return access(base, indexes[0]);
  const names = type.fields.map((field) => field.name).filter((one) => one !== '');
  const hint = didYouMean(name, names);
  throw analysisError(
    environment,
    at,
    `Field name ${name} does not exist in the record${hint || '.'} It has: ${names.join(', ')}`,
  );
}

/** The name that a value without alias gives its column or field: the last name of a path, or none. */
export function impliedName(value: Expression): string {
  return value.kind === 'name' || value.kind === 'field' ? value.name : '';
}

/** A struct's field by position; a field of a struct that was just built is the value itself. */
export function fieldOf(base: ResolvedExpression, index: number): ResolvedExpression {
  if (base.kind === 'struct' && base.fields[index] !== undefined) return base.fields[index];
  return structField(base, index);
}

function structField(base: ResolvedExpression, index: number): ResolvedExpression {
  const field = base.type.kind === 'STRUCT' ? base.type.fields[index] : undefined;
  if (field === undefined) throw new TypeError('a field access needs a struct that has the field');
  return { kind: 'field', type: field.type, base, index };
}
