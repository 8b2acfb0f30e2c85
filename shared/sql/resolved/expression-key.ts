import { memoize } from '../../concurrency/memoize.ts';
import { typeText } from '../types/sql-type.ts';
import type { ResolvedExpression } from './expression.ts';
import { isExpression, walkParts } from './parts.ts';

type Description = readonly (string | number | boolean | null)[];

/**
 * Numbers that two expressions share exactly if they are the same expression over the same columns, which is what
 * GROUP BY and SELECT DISTINCT compare. A subquery is the same as itself only. Each part is looked at once, however
 * often it is asked for.
 */
export class ExpressionKeys {
  readonly #byText = new Map<string, number>();
  #last = 0;

  /** The key of an expression: equal for two that are the same. */
  readonly keyOf = memoize((expression: ResolvedExpression): number => {
    const description = this.#describe(expression);
    return description === null ? this.#next() : this.#shared(JSON.stringify(description));
  });

  #next(): number {
    this.#last++;
    return this.#last;
  }

  #shared(text: string): number {
    const key = this.#byText.get(text) ?? this.#next();
    this.#byText.set(text, key);
    return key;
  }

  /** What an expression is, with keys in the places of its parts; null for one that no other is the same as. */
  #describe(expression: ResolvedExpression): Description | null {
    const own = ownDescription(expression);
    if (own === null) return null;
    const description = [expression.kind, ...own];
    walkParts(expression, (part) => {
      if (isExpression(part)) description.push(this.keyOf(part));
    });
    return description;
  }
}

/** What an expression is without its parts. */
function ownDescription(expression: ResolvedExpression): Description | null {
  switch (expression.kind) {
    case 'literal': {
      const { type, value } = expression;
      return [typeText(type), typeof value, Object.is(value, -0) ? '-0' : String(value)];
    }
    case 'column':
      return [expression.column.id];
    case 'parameter':
      return typeof expression.name === 'symbol' ? null : [expression.name];
    case 'call': {
      const { name, safe, part } = expression;
      return [name, safe, part?.name ?? null, part?.weekday ?? null];
    }
    case 'cast':
      return [typeText(expression.type), expression.safe];
    case 'field':
      return [expression.index];
    case 'array':
    case 'struct':
      return [typeText(expression.type)];
    case 'case':
      return [];
    case 'subquery':
    case 'let':
      return null;
    default: {
      const unreachable: never = expression;
      throw new TypeError(`expression ${JSON.stringify(unreachable)}`);
    }
  }
}
