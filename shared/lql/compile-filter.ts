import type { ServiceError } from '../errors/service-error.ts';
import { readRe2 } from '../re2/read-re2.ts';
import { allOf, binary, call, integer, literal, not, path } from '../sql/ast/build.ts';
import type { Expression } from '../sql/ast/expression.ts';
import type { QueryParameter } from '../sql/types/query-parameter.ts';
import { type SqlType, typeText } from '../sql/types/sql-type.ts';
import { LEVELS } from './keywords.ts';
import { lqlError } from './lql-error.ts';
import { anyValue, type RowCondition, someNull } from './nested-condition.ts';
import { valueOffset } from './path-clause.ts';
import type { QueryValues } from './query-values.ts';
import { isRecord, type LqlSource, type ResolvedPath, resolvePath } from './resolve-path.ts';
import { resolveTime, type TimeBound } from './resolve-time.ts';
import type { Condition, FilterClause, TimeCondition, ValueText } from './tree.ts';
import { isValueType, typedValue, type ValueType } from './typed-value.ts';

/** What compiling a clause needs to know. */
export interface CompileContext {
  readonly text: string;
  readonly source: LqlSource;
  /** The name of the source's rows, which no column of the result has. */
  readonly row: string;
  readonly values: QueryValues;
  readonly nowMicros: bigint;
}

/** A filter as conditions of WHERE, all of which hold, and the bounds that it puts on the time. */
export interface CompiledFilter {
  readonly conditions: readonly Expression[];
  readonly bounds: readonly TimeBound[];
}

/**
 * Compiles a filter over a row of the source. Throws a ServiceError (invalid_argument: unknown_field, unsupported, type) with
 * the place.
 */
export function compileFilter(context: CompileContext, clause: FilterClause): CompiledFilter {
  const { condition, negated } = clause;
  const at = negated ? clause.at + 1 : clause.at;
  if (isTime(condition)) return compileTime(context, at, condition, negated);
  const { expression, isNullable } = compileCondition(context, at, condition);
  if (!negated) return { conditions: [expression], bounds: [] };
  return { conditions: [isNullable ? isNotTrue(expression) : not(expression)], bounds: [] };
}

function isNotTrue(condition: Expression): Expression {
  return not(call('IFNULL', condition, literal('BOOL', 'FALSE')));
}

function isTime(condition: Condition): condition is TimeCondition {
  return ['time', 'time_between', 'day', 'this', 'last'].includes(condition.kind);
}

function compileTime(
  context: CompileContext,
  at: number,
  condition: TimeCondition,
  negated: boolean,
): CompiledFilter {
  const { text, source, row, values, nowMicros } = context;
  const { type, leaf } = resolvePath(text, at, source, 'timestamp');
  if (type.kind !== 'TIMESTAMP') throw wrongType(text, at, 't:', 'a TIMESTAMP', 'timestamp', type);
  if (condition.kind === 'this' && condition.unit === 'second') {
    throw lqlError(
      text,
      valueOffset(text, at),
      'unsupported',
      'this@second is no period, take last@1s or this@minute',
    );
  }
  const bounds = resolveTime(condition, nowMicros);
  const parts = bounds.map(({ operator, micros, keyMicros }) => {
    const value = values.add(timestamp(micros), timestamp(keyMicros));
    return binary(path(row, ...leaf), operator, value);
  });
  if (!negated) return { conditions: parts, bounds };
  return { conditions: [isNotTrue(allOf(parts) ?? literal('BOOL', 'TRUE'))], bounds: [] };
}

function timestamp(micros: bigint): QueryParameter {
  return { type: 'TIMESTAMP', value: micros };
}

function compileCondition(
  context: CompileContext,
  at: number,
  condition: Exclude<Condition, TimeCondition>,
): RowCondition {
  const { row, values } = context;
  switch (condition.kind) {
    case 'message_contains': {
      const field = fieldAt(context, at, 'event_message', 'a word', ['STRING']);
      const word = values.add(string(condition.text));
      return anyValue(row, field, (leaf) => binary(call('STRPOS', leaf, word), '>', integer(0)));
    }
    case 'message_matches': {
      const field = fieldAt(context, at, 'event_message', '~', ['STRING']);
      return anyValue(row, field, (leaf) => matches(leaf, values, condition.regex));
    }
    case 'compare': {
      const { operator } = condition;
      const types: readonly ValueType[] =
        operator === '=' ? ['STRING', 'INT64', 'FLOAT64', 'BOOL'] : ['STRING', 'INT64', 'FLOAT64'];
      const field = fieldAt(context, at, condition.path, `:${operator === '=' ? '' : operator}`, types);
      const value = values.add(valueFor(context, field, condition.value));
      return anyValue(row, field, (leaf) => binary(leaf, operator, value));
    }
    case 'between': {
      const field = fieldAt(context, at, condition.path, 'a range', ['STRING', 'INT64', 'FLOAT64']);
      const from = values.add(valueFor(context, field, condition.from));
      const to = values.add(valueFor(context, field, condition.to));
      return anyValue(row, field, (leaf) => between(leaf, from, to));
    }
    case 'matches': {
      const field = fieldAt(context, at, condition.path, ':~', ['STRING']);
      return anyValue(row, field, (leaf) => matches(leaf, values, condition.regex));
    }
    case 'levels': {
      const field = fieldAt(context, at, condition.path, 'a level range', ['STRING']);
      const levels = LEVELS.slice(LEVELS.indexOf(condition.from), LEVELS.indexOf(condition.to) + 1);
      if (levels.length === 0) return { expression: literal('BOOL', 'FALSE'), isNullable: false };
      const list = levels.map((level) => values.add(string(level)));
      return anyValue(row, field, (leaf) => oneOfValues(leaf, list));
    }
    case 'list_contains': {
      const field = listAt(context, at, condition.path, ':@>');
      const value = values.add(valueFor(context, field, condition.value));
      return anyValue(row, field, (leaf) => binary(leaf, '=', value));
    }
    case 'list_matches': {
      const field = listAt(context, at, condition.path, ':@>~');
      if (field.type.kind !== 'STRING') {
        throw wrongType(context.text, at, ':@>~', 'a list of STRING', field.path, field.listType);
      }
      return anyValue(row, field, (leaf) => matches(leaf, values, condition.regex));
    }
    case 'is_null':
      return someNull(row, checkedPath(context, at, condition.path, ':NULL'));
    default: {
      const unreachable: never = condition;
      throw new TypeError(`condition ${JSON.stringify(unreachable)}`);
    }
  }
}

function string(value: string): QueryParameter {
  return { type: 'STRING', value };
}

function matches(leaf: Expression, values: QueryValues, regex: string): Expression {
  return call('REGEXP_CONTAINS', leaf, values.add(string(readRe2(regex).portable)));
}

function between(operand: Expression, low: Expression, high: Expression): Expression {
  return { kind: 'between', operand, low, high, negated: false, at: 0 };
}

function oneOfValues(operand: Expression, values: readonly Expression[]): Expression {
  return { kind: 'in', operand, list: { kind: 'values', values }, negated: false, at: 0 };
}

function checkedPath({ text, source }: CompileContext, at: number, path: string, what: string): ResolvedPath {
  const resolved = resolvePath(text, at, source, path);
  if (!isRecord(resolved.type)) return resolved;
  throw lqlError(text, at, 'unsupported', `${what} needs a field, ${path} is a record`);
}

function fieldAt(
  context: CompileContext,
  at: number,
  path: string,
  what: string,
  types: readonly ValueType[],
): ResolvedPath & { readonly type: { readonly kind: ValueType } } {
  const resolved = checkedPath(context, at, path, what);
  const { kind } = resolved.type;
  if (isValueType(kind) && types.includes(kind)) return { ...resolved, type: { kind } };
  throw wrongType(context.text, at, what, oneOf(types), path, resolved.type);
}

/** A path to the elements of a list: the list is its last level. */
function listAt(
  context: CompileContext,
  at: number,
  path: string,
  what: string,
): ResolvedPath & { readonly type: { readonly kind: ValueType }; readonly listType: SqlType } {
  const resolved = checkedPath(context, at, path, what);
  const { type, levels, leaf } = resolved;
  if (type.kind === 'ARRAY' && isValueType(type.element.kind)) {
    const { kind } = type.element;
    return { path, levels: [...levels, leaf], leaf: [], type: { kind }, listType: type };
  }
  throw wrongType(context.text, at, what, 'a list', path, type);
}

function valueFor(
  { text }: CompileContext,
  { path, type }: ResolvedPath & { readonly type: { readonly kind: ValueType } },
  value: ValueText,
): QueryParameter {
  return typedValue(text, value, type.kind, path);
}

function oneOf(types: readonly string[]): string {
  const [first = '', ...rest] = types;
  const last = rest.pop();
  return last === undefined ? `a ${first}` : `a ${[first, ...rest].join(', ')} or ${last}`;
}

function wrongType(
  text: string,
  at: number,
  what: string,
  needed: string,
  path: string,
  type: SqlType,
): ServiceError {
  const hint = type.kind === 'ARRAY' && !what.startsWith(':@>') ? '; :@> asks for an element of a list' : '';
  return lqlError(text, at, 'unsupported', `${what} needs ${needed}, ${path} is ${typeText(type)}${hint}`);
}
