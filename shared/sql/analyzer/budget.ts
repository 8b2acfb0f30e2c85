import type { ResolvedExpression } from '../resolved/expression.ts';
import { sizeOf } from '../types/type-size.ts';

/**
 * What a query's expressions have grown to while names in them were replaced by what they stand for: a long
 * expression under an alias, and ORDER BY with that alias a thousand times, is a short query.
 */
export class Budget {
  readonly #parts = new WeakMap<object, number>();
  #spentParts = 0;
  #spentPatterns = 0;

  /** Adds an expression's parts to those of the query so far, and answers the sum. */
  spend(expression: ResolvedExpression): number {
    this.#spentParts += this.#partsOf(expression);
    return this.#spentParts;
  }

  /** Adds a regular expression's size to those of the query so far, and answers the sum. */
  spendPattern(size: number): number {
    this.#spentPatterns += size;
    return this.#spentPatterns;
  }

  #partsOf(expression: ResolvedExpression): number {
    if (expression.kind === 'column') return this.#parts.get(expression.column) ?? 1;
    const known = this.#parts.get(expression);
    if (known !== undefined) return known;
    if (expression.kind === 'let') {
      for (const { column, value } of expression.variables) this.#parts.set(column, this.#partsOf(value));
    }
    const count = innerParts(expression).reduce(
      (sum, part) => sum + this.#partsOf(part),
      ownParts(expression),
    );
    this.#parts.set(expression, count);
    return count;
  }
}

/** A struct carries a type whose parts may be many more than its own fields. */
function ownParts({ kind, type }: ResolvedExpression): number {
  return kind === 'struct' ? 1 + sizeOf(type).fields : 1;
}

function innerParts(expression: ResolvedExpression): readonly ResolvedExpression[] {
  switch (expression.kind) {
    case 'call':
      return expression.arguments;
    case 'cast':
      return [expression.operand];
    case 'case':
      return [...expression.branches.flatMap(({ when, result }) => [when, result]), expression.otherwise];
    case 'field':
      return [expression.base];
    case 'array':
      return expression.elements;
    case 'struct':
      return expression.fields;
    case 'let':
      return [expression.result];
    case 'literal':
    case 'column':
    case 'parameter':
    case 'subquery':
      return [];
    default: {
      const unreachable: never = expression;
      throw new TypeError(`expression ${JSON.stringify(unreachable)}`);
    }
  }
}
