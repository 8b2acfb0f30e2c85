import { memoize } from '../../concurrency/memoize.ts';
import { typeText } from '../types/sql-type.ts';
import type { ResolvedExpression } from './expression.ts';

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
    const { kind } = expression;
    switch (kind) {
      case 'literal': {
        const { type, value } = expression;
        return [kind, typeText(type), typeof value, Object.is(value, -0) ? '-0' : String(value)];
      }
      case 'column':
        return [kind, expression.column.id];
      case 'parameter':
        return typeof expression.name === 'symbol' ? null : [kind, expression.name];
      case 'call': {
        const { name, safe, part } = expression;
        return [
          kind,
          name,
          safe,
          part?.name ?? null,
          part?.weekday ?? null,
          ...this.#all(expression.arguments),
        ];
      }
      case 'cast':
        return [kind, typeText(expression.type), expression.safe, this.keyOf(expression.operand)];
      case 'case': {
        const branches = expression.branches.flatMap(({ when, result }) => [when, result]);
        return [kind, ...this.#all([...branches, expression.otherwise])];
      }
      case 'field':
        return [kind, expression.index, this.keyOf(expression.base)];
      case 'array':
        return [kind, typeText(expression.type), ...this.#all(expression.elements)];
      case 'struct':
        return [kind, typeText(expression.type), ...this.#all(expression.fields)];
      case 'subquery':
      case 'let':
        return null;
      default: {
        const unreachable: never = kind;
        throw new TypeError(`expression ${unreachable}`);
      }
    }
  }

  #all(expressions: readonly ResolvedExpression[]): readonly number[] {
    return expressions.map((expression) => this.keyOf(expression));
  }
}
