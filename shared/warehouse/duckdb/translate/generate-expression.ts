import type { ResolvedExpression } from '../../../sql/resolved/expression.ts';
import { copiedText } from './copied-text.ts';
import { duck, joined, type Sql } from './duck/sql.ts';
import { translateCast, translateSafeCast } from './functions/casts.ts';
import { duckType } from './functions/duck-type.ts';
import { fieldSql } from './functions/field-sql.ts';
import { translateLiteral } from './functions/literals.ts';
import { translateCall } from './functions/translate-call.ts';
import { generateSubquery } from './generate-subquery.ts';
import type { Generator } from './generator.ts';
import { NOW } from './internal-parameters.ts';
import { notSupported } from './not-supported.ts';
import type { Scope } from './scope.ts';
import { structSql } from './struct-sql.ts';

/** Most characters that one expression may have in DuckDB SQL; some functions write an argument more than once. */
const MAX_EXPRESSION_LENGTH = 500_000;

/** DuckDB SQL that computes an expression. Refuses one that gets too long, before it takes much memory. */
export function generateExpression(generator: Generator, expression: ResolvedExpression, scope: Scope): Sql {
  const sql = generateParts(generator, expression, scope);
  if (sql.size > MAX_EXPRESSION_LENGTH) throw notSupported('an expression of this size');
  return sql;
}

function generateParts(generator: Generator, expression: ResolvedExpression, scope: Scope): Sql {
  const generate = (part: ResolvedExpression) => generateExpression(generator, part, scope);
  switch (expression.kind) {
    case 'literal':
      return translateLiteral(expression);
    case 'column': {
      const sql = scope.lookup(expression.column.id);
      if (sql === null) throw new TypeError(`column ${expression.column.id} is not in scope`);
      return scope.copiesTexts === true ? copiedText(sql, expression.type) : sql;
    }
    case 'parameter':
      return duck`CAST(${generator.parameter(expression.name)} AS ${duckType(expression.type)})`;
    case 'call':
      return translateCall(expression, expression.arguments.map(generate), {
        now: () => duck`CAST(${generator.parameter(NOW)} AS TIMESTAMP)`,
        checkRe2: (pattern) => generator.checkRe2(pattern),
        runsSubqueries: !scope.isLambda && scope.isJoinCondition !== true,
      });
    case 'cast': {
      const { operand, type } = expression;
      const translate = expression.safe ? translateSafeCast : translateCast;
      return translate(generate(operand), operand.type, type);
    }
    case 'case': {
      const branches = expression.branches.map(
        ({ when, result }) => duck`WHEN ${generate(when)} THEN ${generate(result)}`,
      );
      return duck`CASE ${joined(branches, ' ')} ELSE ${generate(expression.otherwise)} END`;
    }
    case 'field':
      return fieldSql(generate(expression.base), expression.index, expression.type);
    case 'array':
      return duck`CAST([${joined(expression.elements.map(generate), ', ')}] AS ${duckType(expression.type)})`;
    case 'struct':
      return structSql(expression.type, expression.fields.map(generate));
    case 'subquery':
      return generateSubquery(generator, expression, scope);
    case 'let': {
      const values = new Map<number, Sql>();
      const within: Scope = { ...scope, lookup: (id) => values.get(id) ?? scope.lookup(id) };
      for (const { column, value } of expression.variables) {
        values.set(column.id, generateExpression(generator, value, within));
      }
      return generateExpression(generator, expression.result, within);
    }
    default: {
      const unreachable: never = expression;
      throw new TypeError(`expression ${JSON.stringify(unreachable)}`);
    }
  }
}
