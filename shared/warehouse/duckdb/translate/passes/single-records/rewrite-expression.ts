import type { ResolvedCall, ResolvedExpression } from '../../../../../sql/resolved/expression.ts';
import { columnReference } from '../../../../../sql/resolved/make-expression.ts';
import { changed, mapExpression } from '../../../../../sql/resolved/transform.ts';
import type { RecordRewriter } from './record-rewriter.ts';
import {
  fieldOfRecord,
  firstOfRecord,
  isNullRecord,
  isRecord,
  lengthOfRecord,
  type Value,
} from './record-value.ts';
import { rewriteSubquery } from './rewrite-subquery.ts';

/** What an expression is over the columns that there are. What does not change stays the same object. */
export function valueIn(rewriter: RecordRewriter, expression: ResolvedExpression): Value {
  switch (expression.kind) {
    case 'literal':
    case 'parameter':
      return expression;
    case 'column': {
      const value = rewriter.environment.value(expression.column);
      if (value === null) return expression;
      return value.kind === 'lazy' ? columnReference(value.whole()) : value;
    }
    case 'field': {
      const { base, index } = expression;
      const field = base.kind === 'struct' ? base.fields[index] : undefined;
      if (field !== undefined) return rewriter.value(field);
      const record = rewriter.value(base);
      return isRecord(record) ? fieldOfRecord(record, index) : changed(expression, { base: record });
    }
    case 'call':
      return callOfRecord(rewriter, expression) ?? withParts(rewriter, expression);
    case 'subquery':
      return rewriteSubquery(rewriter, expression);
    case 'let': {
      const variables = expression.variables.flatMap((variable) => {
        const value = rewriter.value(variable.value);
        if (!isRecord(value)) return [changed(variable, { value })];
        rewriter.environment.setValue(variable.column, value);
        return [];
      });
      const isSame = variables.every((variable, index) => variable === expression.variables[index]);
      return changed(expression, {
        variables:
          isSame && variables.length === expression.variables.length ? expression.variables : variables,
        result: rewriter.expression(expression.result),
      });
    }
    default:
      return withParts(rewriter, expression);
  }
}

function withParts(rewriter: RecordRewriter, expression: ResolvedExpression): ResolvedExpression {
  return mapExpression(expression, (part) => (part === expression ? null : rewriter.expression(part)));
}

/** What a call makes of a flat record without putting it together; null for other calls. */
function callOfRecord(rewriter: RecordRewriter, call: ResolvedCall): Value | null {
  const [first, second] = call.arguments;
  if (first === undefined || (first.type.kind !== 'ARRAY' && first.type.kind !== 'STRUCT')) return null;
  const isElement = call.name.startsWith('$AT_');
  if (!isElement && call.name !== 'ARRAY_LENGTH' && call.name !== '$IS_NULL') return null;
  const value = rewriter.value(first);
  if (!isRecord(value)) return null;
  if (isElement) return second === undefined ? null : firstOfRecord(value, call.name, second);
  return call.name === '$IS_NULL' ? isNullRecord(value) : lengthOfRecord(value);
}
