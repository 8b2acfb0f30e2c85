import { conjuncts } from '../../../../../sql/resolved/conjuncts.ts';
import type { ResolvedExpression } from '../../../../../sql/resolved/expression.ts';
import { allOf } from '../../../../../sql/resolved/make-expression.ts';
import type { LimitScan, ResolvedScan } from '../../../../../sql/resolved/scan.ts';
import { mapExpression } from '../../../../../sql/resolved/transform.ts';
import { aggregateOfOne } from './aggregate-of-one.ts';

/** A subquery without tables, in two parts. */
export interface RowlessParts {
  /** What has to hold for there to be a row at all. */
  readonly conditions: readonly ResolvedExpression[];
  /** The scans of other rows than the one; null where that is all, so that there is one row at most. */
  readonly rest: ResolvedScan | null;
  /** The columns of the one row. */
  value(expression: ResolvedExpression): ResolvedExpression;
}

/** Takes apart the scans of a subquery; null for one that reads tables, or that would compute a value several times. */
export function splitRowless(scan: ResolvedScan): RowlessParts | null {
  const splitter = new Splitter();
  const parts = splitter.split(scan);
  return parts === null ? null : { ...parts, value: (expression) => splitter.value(expression) };
}

type Parts = Omit<RowlessParts, 'value'>;

const ONE_ROW: Parts = { conditions: [], rest: null };

class Splitter {
  readonly #values = new Map<number, ResolvedExpression>();
  #isRepeated = false;

  value(expression: ResolvedExpression): ResolvedExpression {
    const used = new Set<number>();
    return mapExpression(expression, (part) => {
      const value = part.kind === 'column' ? this.#values.get(part.column.id) : undefined;
      if (value === undefined || part.kind !== 'column') return null;
      if (used.has(part.column.id) && !isShort(value)) this.#isRepeated = true;
      used.add(part.column.id);
      return value;
    });
  }

  split(scan: ResolvedScan): Parts | null {
    const parts = this.#split(scan);
    return this.#isRepeated ? null : parts;
  }

  #split(scan: ResolvedScan): Parts | null {
    if (scan.kind === 'single-row') return ONE_ROW;
    if (!('input' in scan) || scan.kind === 'window') return null;
    const inner = this.#split(scan.input);
    if (inner === null) return null;
    if (inner.rest !== null) {
      if (scan.kind === 'aggregate') return null;
      return { ...inner, rest: { ...scan, input: inner.rest } };
    }
    switch (scan.kind) {
      case 'filter':
        return {
          ...inner,
          conditions: [...inner.conditions, ...conjuncts(scan.condition).map((one) => this.value(one))],
        };
      case 'project': {
        const values = scan.computed.map(
          ({ column, expression }) => [column.id, this.value(expression)] as const,
        );
        for (const [id, value] of values) this.#values.set(id, value);
        return inner;
      }
      case 'unnest':
        return this.#values.size > 0 ? null : { ...inner, rest: { ...scan, input: { kind: 'single-row' } } };
      case 'order':
        return inner;
      case 'limit':
        return keepsOneRow(scan) ? inner : null;
      case 'aggregate': {
        if (scan.keys.length > 0 || scan.sets !== null) return null;
        const condition = allOf(inner.conditions);
        for (const aggregate of scan.aggregates) {
          const value = aggregateOfOne(aggregate, condition, (part) => this.value(part));
          if (value === null) return null;
          this.#values.set(aggregate.column.id, value);
        }
        return ONE_ROW;
      }
      default: {
        const unreachable: never = scan;
        throw new TypeError(`scan ${JSON.stringify(unreachable)}`);
      }
    }
  }
}

function isShort({ kind }: ResolvedExpression): boolean {
  return kind === 'literal' || kind === 'column' || kind === 'parameter';
}

function keepsOneRow({ limit, offset }: LimitScan): boolean {
  const skipsNone = offset === null || (offset.kind === 'literal' && offset.value === 0n);
  return skipsNone && limit.kind === 'literal' && typeof limit.value === 'bigint' && limit.value > 0n;
}
