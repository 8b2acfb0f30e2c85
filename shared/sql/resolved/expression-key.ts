import { memoize } from '../../concurrency/memoize.ts';
import { typeText } from '../types/sql-type.ts';
import type { ResolvedExpression } from './expression.ts';
import { isExpression, walkParts } from './parts.ts';

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
    let text = ownText(expression);
    if (text === null) return this.#next();
    walkParts(expression, (part) => {
      if (isExpression(part)) text += `,${this.keyOf(part)}`;
    });
    const key = this.#byText.get(text) ?? this.#next();
    this.#byText.set(text, key);
    return key;
  });

  #next(): number {
    this.#last++;
    return this.#last;
  }
}

/** What an expression is without its parts, one text for each; null for one that no other is the same as. */
function ownText(expression: ResolvedExpression): string | null {
  const { kind } = expression;
  switch (kind) {
    case 'literal': {
      const { type, value } = expression;
      return JSON.stringify([typeText(type), typeof value, Object.is(value, -0) ? '-0' : String(value)]);
    }
    case 'column':
      return `${kind} ${expression.column.id}`;
    case 'parameter':
      return typeof expression.name === 'symbol' ? null : `${kind} ${JSON.stringify(expression.name)}`;
    case 'call': {
      const { name, safe, part } = expression;
      return `${kind} ${name} ${safe} ${part?.name} ${part?.weekday}`;
    }
    case 'cast':
      return `${kind} ${expression.safe} ${JSON.stringify(typeText(expression.type))}`;
    case 'field':
      return `${kind} ${expression.index}`;
    case 'array':
    case 'struct':
      return `${kind} ${JSON.stringify(typeText(expression.type))}`;
    case 'case':
      return kind;
    case 'subquery':
    case 'let':
      return null;
    default: {
      const unreachable: never = kind;
      throw new TypeError(`expression ${unreachable}`);
    }
  }
}
