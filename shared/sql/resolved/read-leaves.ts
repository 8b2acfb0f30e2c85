import type { SqlType } from '../types/sql-type.ts';
import type { ResolvedAggregate, ResolvedColumn, ResolvedExpression, ResolvedWindow } from './expression.ts';
import type { ResolvedQuery, ResolvedScan, SetOperationScan, SortKey, TableScan } from './scan.ts';

/** The leaf columns of each table that a query reads, such as `metadata.request.url`, by the table's name. */
export type ReadLeaves = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Finds the leaf columns that a resolved query reads: those that its result, its conditions, its keys and its order
 * depend on. A columnar warehouse reads these and no others. A table of which only the presence of rows or elements
 * counts has none; a CTE that nothing uses reads nothing.
 */
export function readLeaves(query: ResolvedQuery): ReadLeaves {
  const demand = new Demand();
  // What a CTE has to provide is known once all its uses were visited, so the visit goes on until nothing is new.
  for (let before = -1; before < demand.size; ) {
    before = demand.size;
    demand.visitQuery(query);
  }
  return demand.leaves();
}

/** The positions of fields inside a value, with dots between; empty for the whole value. */
type FieldPath = string;

const WHOLE: FieldPath = '';

/** Calls that answer an element of their first argument. */
const ELEMENT_CALLS = ['$AT_OFFSET', '$AT_SAFE_OFFSET', '$AT_ORDINAL', '$AT_SAFE_ORDINAL'];

class Demand {
  size = 0;
  readonly #paths = new Map<number, Set<FieldPath>>();
  readonly #tables = new Map<string, Map<number, ResolvedColumn>>();
  #visitedCtes = new Set<number>();

  visitQuery({ scan, columns }: ResolvedQuery): void {
    this.#visitedCtes = new Set();
    for (const { column } of columns) this.#wantColumn(column, WHOLE);
    this.#visit(scan);
  }

  leaves(): ReadLeaves {
    return new Map(
      [...this.#tables].map(([table, columns]) => [
        table,
        new Set(
          [...columns.values()].flatMap(({ id, name, type }) =>
            [...this.#pathsOf(id)].flatMap((path) => leavesAt(name, type, path)),
          ),
        ),
      ]),
    );
  }

  #pathsOf(id: number): ReadonlySet<FieldPath> {
    return this.#paths.get(id) ?? new Set();
  }

  #wantColumn({ id }: ResolvedColumn, path: FieldPath): void {
    const paths = this.#paths.get(id) ?? new Set();
    if (paths.has(path)) return;
    this.#paths.set(id, paths.add(path));
    this.size += 1;
  }

  #wantAll(expressions: readonly ResolvedExpression[]): void {
    for (const expression of expressions) this.#want(expression, WHOLE);
  }

  /** Requires of an expression what the column that it fills needs. */
  #wantFor(column: ResolvedColumn, expression: ResolvedExpression): void {
    for (const path of this.#pathsOf(column.id)) this.#want(expression, path);
  }

  #want(expression: ResolvedExpression, path: FieldPath): void {
    switch (expression.kind) {
      case 'literal':
      case 'parameter':
        return;
      case 'column':
        this.#wantColumn(expression.column, path);
        return;
      case 'field':
        this.#want(expression.base, path === WHOLE ? `${expression.index}` : `${expression.index}.${path}`);
        return;
      case 'call':
        this.#wantCall(expression, path);
        return;
      case 'cast':
        this.#want(expression.operand, WHOLE);
        return;
      case 'case':
        for (const { when, result } of expression.branches) {
          this.#want(when, WHOLE);
          this.#want(result, path);
        }
        this.#want(expression.otherwise, path);
        return;
      case 'array':
        for (const element of expression.elements) this.#want(element, path);
        return;
      case 'struct':
        this.#wantFields(expression.fields, path);
        return;
      case 'subquery':
        if (expression.operand !== null) this.#want(expression.operand, WHOLE);
        if (expression.column !== null) this.#wantColumn(expression.column, path);
        this.#visit(expression.scan);
        return;
      case 'let':
        this.#want(expression.result, path);
        for (const { column, value } of expression.variables.toReversed()) this.#wantFor(column, value);
        return;
      default: {
        const unreachable: never = expression;
        throw new TypeError(`expression ${JSON.stringify(unreachable)}`);
      }
    }
  }

  #wantCall(call: Extract<ResolvedExpression, { readonly kind: 'call' }>, path: FieldPath): void {
    const [first, ...others] = call.arguments;
    if (first === undefined) return;
    this.#want(first, ELEMENT_CALLS.includes(call.name) ? path : WHOLE);
    this.#wantAll(others);
  }

  #wantFields(fields: readonly ResolvedExpression[], path: FieldPath): void {
    if (path === WHOLE) {
      this.#wantAll(fields);
      return;
    }
    const [head = '', ...rest] = path.split('.');
    const field = fields[Number(head)];
    if (field !== undefined) this.#want(field, rest.join('.'));
  }

  #visit(scan: ResolvedScan): void {
    switch (scan.kind) {
      case 'table':
        this.#noteTable(scan);
        return;
      case 'single-row':
      case 'working-table':
        return;
      case 'cte':
        this.#passOn(scan.columns, scan.cte.columns);
        if (this.#visitedCtes.has(scan.cte.id)) return;
        this.#visitedCtes.add(scan.cte.id);
        this.#visit(scan.cte.scan);
        return;
      case 'filter':
        this.#want(scan.condition, WHOLE);
        this.#visit(scan.input);
        return;
      case 'project':
        // Later columns may stand on earlier ones.
        for (const { column, expression } of scan.computed.toReversed()) this.#wantFor(column, expression);
        this.#visit(scan.input);
        return;
      case 'unnest':
        this.#wantFor(scan.element, scan.array);
        this.#visit(scan.input);
        return;
      case 'join':
        if (scan.condition !== null) this.#want(scan.condition, WHOLE);
        this.#visit(scan.left);
        this.#visit(scan.right);
        return;
      case 'aggregate':
        this.#wantAll(scan.keys.map(({ expression }) => expression));
        for (const aggregate of scan.aggregates) this.#wantAggregate(aggregate);
        this.#visit(scan.input);
        return;
      case 'window':
        for (const window of scan.windows) this.#wantWindow(window);
        this.#visit(scan.input);
        return;
      case 'order':
        this.#wantKeys(scan.keys);
        this.#visit(scan.input);
        return;
      case 'limit':
        this.#visit(scan.input);
        return;
      case 'set-operation':
        for (const input of scan.inputs) {
          if (isUnionAll(scan)) this.#passOn(scan.columns, input.columns);
          else for (const column of input.columns) this.#wantColumn(column, WHOLE);
          this.#visit(input.scan);
        }
        return;
      default: {
        const unreachable: never = scan;
        throw new TypeError(`scan ${JSON.stringify(unreachable)}`);
      }
    }
  }

  #noteTable({ table, columns }: TableScan): void {
    const noted = this.#tables.get(table) ?? new Map();
    for (const column of columns) noted.set(column.id, column);
    this.#tables.set(table, noted);
  }

  /** Requires of columns what the columns at the same places need. */
  #passOn(outputs: readonly ResolvedColumn[], sources: readonly ResolvedColumn[]): void {
    for (const [index, { id }] of outputs.entries()) {
      const source = sources[index];
      if (source !== undefined) for (const path of this.#pathsOf(id)) this.#wantColumn(source, path);
    }
  }

  #wantAggregate({ column, arguments: values, having, orderBy }: ResolvedAggregate): void {
    if (this.#pathsOf(column.id).size === 0) return;
    this.#wantAll(values);
    if (having !== null) this.#want(having.expression, WHOLE);
    this.#wantKeys(orderBy);
  }

  #wantWindow({ column, arguments: values, partitionBy, orderBy }: ResolvedWindow): void {
    if (this.#pathsOf(column.id).size === 0) return;
    this.#wantAll([...values, ...partitionBy]);
    this.#wantKeys(orderBy);
  }

  #wantKeys(keys: readonly SortKey[]): void {
    this.#wantAll(keys.map(({ expression }) => expression));
  }
}

/** Whether each row of the result is one of an input. A step of a recursion uses columns that the result may not need. */
function isUnionAll({ operator, distinct, recursion }: SetOperationScan): boolean {
  return operator === 'UNION' && !distinct && recursion === undefined;
}

/** The leaves below a place in a column, by name. */
function leavesAt(name: string, type: SqlType, path: FieldPath): readonly string[] {
  if (type.kind === 'ARRAY') return leavesAt(name, type.element, path);
  if (type.kind !== 'STRUCT') return [name];
  if (path === WHOLE)
    return type.fields.flatMap((field) => leavesAt(`${name}.${field.name}`, field.type, WHOLE));
  const [head = '', ...rest] = path.split('.');
  const field = type.fields[Number(head)];
  return field === undefined ? [] : leavesAt(`${name}.${field.name}`, field.type, rest.join('.'));
}
