import { nounFor } from '../../errors/noun-for.ts';
import type { Expression } from '../ast/expression.ts';
import { analysisError, type Environment } from './environment.ts';

/** The position, counted from 0, that a whole number in GROUP BY or ORDER BY means; null for any other expression. */
export function ordinalOf(
  environment: Environment,
  expression: Expression,
  columnCount: number,
  clause: string,
): number | null {
  if (expression.kind !== 'literal') return null;
  if (expression.type !== 'INT64') {
    throw analysisError(
      environment,
      expression.at,
      `Cannot ${clause} a literal; name a column or its number`,
    );
  }
  const position = Number(expression.value);
  if (position >= 1 && position <= columnCount) return position - 1;
  const range = `SELECT has ${columnCount} ${nounFor(columnCount, 'column')}`;
  throw analysisError(
    environment,
    expression.at,
    `${clause} is out of SELECT column number range: ${position}; ${range}`,
  );
}
