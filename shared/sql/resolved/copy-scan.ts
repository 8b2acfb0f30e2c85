import type { ResolvedColumn, ResolvedExpression } from './expression.ts';
import { addedColumns } from './outer-columns.ts';
import { isExpression, type PlanNode, walkParts } from './parts.ts';
import type { ResolvedScan } from './scan.ts';
import { mapExpression, mapParts } from './transform.ts';

/** A scan once more, with columns of its own. */
export interface CopiedScan {
  readonly scan: ResolvedScan;
  /** A column of the original as the copy has it; one that is not the original's stays. */
  column(column: ResolvedColumn): ResolvedColumn;
  /** An expression over the original's columns, over those of the copy; its subqueries are copied too. */
  expression(expression: ResolvedExpression): ResolvedExpression;
}

/** Copies a scan with all that it holds, subqueries too, so that no column of it is one of the original. CTEs stay shared. */
export function copyScan(scan: ResolvedScan, newColumnId: () => number): CopiedScan {
  const columns = new Map<number, ResolvedColumn>();
  const add = (column: ResolvedColumn) => columns.set(column.id, { ...column, id: newColumnId() });
  const collect = (part: PlanNode): void => {
    if (part.kind === 'let') for (const { column } of part.variables) add(column);
    if (!isExpression(part)) {
      for (const column of addedColumns(part)) if (!columns.has(column.id)) add(column);
    }
    walkParts(part, collect);
  };
  collect(scan);
  const copier = new Copier(columns);
  return {
    scan: copier.scan(scan),
    column: (column) => copier.column(column),
    expression: (expression) => {
      collect(expression);
      return copier.expression(expression);
    },
  };
}

class Copier {
  readonly #columns: ReadonlyMap<number, ResolvedColumn>;

  constructor(columns: ReadonlyMap<number, ResolvedColumn>) {
    this.#columns = columns;
  }

  column(column: ResolvedColumn): ResolvedColumn {
    return this.#columns.get(column.id) ?? column;
  }

  expression(expression: ResolvedExpression): ResolvedExpression {
    return mapExpression(expression, (part) => {
      switch (part.kind) {
        case 'column':
          return { ...part, column: this.column(part.column) };
        case 'subquery':
          return {
            ...part,
            scan: this.scan(part.scan),
            column: part.column === null ? null : this.column(part.column),
            operand: part.operand === null ? null : this.expression(part.operand),
          };
        case 'let':
          return {
            ...part,
            variables: part.variables.map(({ column, value }) => {
              return { column: this.column(column), value: this.expression(value) };
            }),
            result: this.expression(part.result),
          };
        default:
          return null;
      }
    });
  }

  scan(scan: ResolvedScan): ResolvedScan {
    const copy = mapParts(
      scan,
      (input) => this.scan(input),
      (expression) => this.expression(expression),
    );
    switch (copy.kind) {
      case 'table':
      case 'cte':
      case 'working-table':
        return { ...copy, columns: this.#all(copy.columns) };
      case 'set-operation': {
        const inputs = copy.inputs.map((input) => ({ ...input, columns: this.#all(input.columns) }));
        return { ...copy, inputs, columns: this.#all(copy.columns) };
      }
      case 'project':
        return { ...copy, computed: this.#owned(copy.computed) };
      case 'aggregate':
        return { ...copy, keys: this.#owned(copy.keys), aggregates: this.#owned(copy.aggregates) };
      case 'window':
        return { ...copy, windows: this.#owned(copy.windows) };
      case 'unnest': {
        const { element, offset } = copy;
        return {
          ...copy,
          element: this.column(element),
          offset: offset === null ? null : this.column(offset),
        };
      }
      default:
        return copy;
    }
  }

  #all(columns: readonly ResolvedColumn[]): readonly ResolvedColumn[] {
    return columns.map((column) => this.column(column));
  }

  #owned<T extends { readonly column: ResolvedColumn }>(list: readonly T[]): readonly T[] {
    return list.map((one) => ({ ...one, column: this.column(one.column) }));
  }
}
