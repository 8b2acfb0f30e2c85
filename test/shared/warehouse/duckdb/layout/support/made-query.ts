import type { Choices } from './choices.ts';
import { ExprMaker, pathsOf, type Variable } from './made-expr.ts';
import {
  columnsOf,
  type Expr,
  type FromItem,
  type OrderKey,
  type Query,
  type Relation,
  type Select,
  type SelectColumn,
} from './query.ts';
import { BOOL, INT64, isScalar, type NamedType, STRING, sameType, type Type } from './types.ts';

/** A table's name and the columns of its rows. */
export interface MadeTable {
  readonly name: string;
  readonly columns: readonly NamedType[];
}

/** Scalars that can be grouped and sorted by, and whose order the evaluation knows. */
const SORTABLE = ['STRING', 'INT64', 'BOOL', 'TIMESTAMP', 'DATE'] as const;

/** Makes a query over the tables. */
export function madeQuery(choices: Choices, tables: readonly MadeTable[]): Query {
  return new QueryMaker(choices, tables).whole();
}

class QueryMaker {
  readonly #choices: Choices;
  readonly #tables: readonly MadeTable[];
  readonly #exprs: ExprMaker;
  #ctes: readonly { readonly name: string; readonly query: Query }[] = [];
  #names = 0;

  constructor(choices: Choices, tables: readonly MadeTable[]) {
    this.#choices = choices;
    this.#tables = tables;
    this.#exprs = new ExprMaker(choices, {
      name: (prefix) => this.#name(prefix),
      relation: () => this.#relation(0),
    });
  }

  whole(): Query {
    const ctes = this.#choices.pick([0, 0, 1, 1, 2]);
    for (let index = 0; index < ctes; index += 1) {
      const cte = { name: `c${index}`, query: this.#query(1) };
      this.#ctes = [...this.#ctes, cte];
    }
    return { ...this.#query(2), ctes: this.#ctes };
  }

  /** `room` says how many subqueries in FROM may lie in each other. */
  #query(room: number): Query {
    const first = this.#select(room);
    const types = first.columns.map(({ value }) => value.type);
    const others = first.isPiped || !this.#choices.chance(15) ? [] : [this.#alike(first, types)];
    const selects = [first, ...others.filter((select) => select !== null)];
    const columns = first.columns.flatMap(({ value }, index) =>
      isScalar(value.type, ...SORTABLE) ? [index] : [],
    );
    const isOrdered = columns.length > 0 && this.#choices.chance(40);
    const orderBy: OrderKey[] = isOrdered
      ? this.#choices.several(1, 2, () => ({
          column: this.#choices.pick(columns),
          isDescending: this.#choices.chance(60),
        }))
      : [];
    // Without an order that leaves no choice, which rows a limit keeps is open; only the outermost query may cut.
    const limit =
      room === 2 && isOrdered && this.#choices.chance(50) ? this.#choices.pick([100, 1, 3, 5]) : null;
    return { ctes: [], selects, orderBy, limit };
  }

  #select(room: number): Select {
    const from = this.#from(room);
    const variables = variablesOf(from);
    const isGrouped = this.#choices.chance(20);
    return {
      from,
      where: this.#choices.chance(50) ? this.#exprs.condition(variables, 2) : null,
      columns: isGrouped ? this.#groupedColumns(variables) : this.#columns(variables),
      isGrouped,
      isPiped: this.#choices.chance(20),
    };
  }

  /** Another SELECT with columns of the same types; null where there is none. */
  #alike(first: Select, types: readonly Type[]): Select | null {
    if (first.isGrouped) return null;
    const from = this.#from(0);
    const variables = variablesOf(from);
    const columns: SelectColumn[] = [];
    for (const [index, type] of types.entries()) {
      const found = pathsOf(variables).filter((path) => sameType(path.type, type));
      const value = found.length > 0 ? this.#choices.pick(found) : this.#exprs.ofType(variables, type, 0);
      if (value === null) return null;
      columns.push({ name: first.columns[index]?.name ?? '', value });
    }
    return { from, where: null, columns, isGrouped: false, isPiped: false };
  }

  #columns(variables: readonly Variable[]): readonly SelectColumn[] {
    return this.#choices.several(1, 4, () => ({
      name: this.#name('k'),
      value: this.#exprs.output(variables),
    }));
  }

  #groupedColumns(variables: readonly Variable[]): readonly SelectColumn[] {
    const keys = this.#choices.several(0, 2, () => this.#exprs.ofKinds(variables, SORTABLE));
    const aggregates = this.#choices.several(1, 2, () => this.#aggregate(variables));
    return [...keys.filter((key) => key !== null), ...aggregates].map((value) => ({
      name: this.#name('k'),
      value,
    }));
  }

  #aggregate(variables: readonly Variable[]): Expr {
    const count: Expr = { op: 'aggregate', name: 'COUNT', arg: null, type: INT64 };
    switch (this.#choices.below(6)) {
      case 1:
        return { op: 'aggregate', name: 'COUNTIF', arg: this.#exprs.condition(variables, 2), type: INT64 };
      case 2: {
        const arg = this.#exprs.ofKinds(variables, SORTABLE);
        if (arg === null) return count;
        return { op: 'aggregate', name: this.#choices.pick(['COUNT', 'COUNT DISTINCT']), arg, type: INT64 };
      }
      case 3:
      case 4: {
        const arg = this.#exprs.ofKinds(variables, SORTABLE);
        if (arg === null || isScalar(arg.type, 'BOOL')) return count;
        return { op: 'aggregate', name: this.#choices.pick(['MIN', 'MAX']), arg, type: arg.type };
      }
      case 5:
        return { op: 'aggregate', name: 'LOGICAL_OR', arg: this.#exprs.condition(variables, 1), type: BOOL };
      default:
        return count;
    }
  }

  #from(room: number): readonly FromItem[] {
    const alias = this.#name('t');
    const items: FromItem[] = [
      { kind: 'relation', relation: this.#relation(room), alias, join: ',', on: null },
    ];
    const more = this.#choices.pick([1, 0, 2, 2, 3, 4]);
    for (let index = 0; index < more; index += 1) {
      const item = this.#choices.chance(8) ? this.#joined(items, room) : this.#unnest(items);
      if (item !== null) items.push(item);
    }
    return items;
  }

  #unnest(items: readonly FromItem[]): FromItem | null {
    const variables = variablesOf(items);
    const array = this.#exprs.array(variables);
    if (array === null) return null;
    const join = this.#choices.pick(['CROSS', 'INNER', ',', 'LEFT', 'LEFT'] as const);
    const alias = this.#name('u');
    const offset = this.#choices.chance(20) ? this.#name('o') : null;
    const item: FromItem = { kind: 'unnest', array, alias, offset, join, on: null };
    if (join === 'CROSS' || join === ',' || !this.#choices.chance(15)) return item;
    return { ...item, on: this.#exprs.condition(variablesOf([...items, item]), 2) };
  }

  /** By id, so that an entry finds itself; LEFT leaves out others by a further condition. */
  #joined(items: readonly FromItem[], room: number): FromItem | null {
    const relation = this.#relation(Math.min(room, 1));
    const item: FromItem = {
      kind: 'relation',
      relation,
      alias: this.#name('t'),
      join: this.#choices.pick(['INNER', 'LEFT'] as const),
      on: null,
    };
    const text = (variables: readonly Variable[]) =>
      pathsOf(variables).filter(({ type }) => isScalar(type, 'STRING'));
    const [left, right] = [text(variablesOf(items)), text(variablesOf([item]))];
    if (left.length === 0 || right.length === 0) return null;
    const args = [this.#choices.pick(left), this.#choices.pick(right)];
    const equal: Expr = { op: 'call', name: '=', args, type: BOOL };
    if (!this.#choices.chance(30)) return { ...item, on: equal };
    const further = this.#exprs.condition(variablesOf([item]), 0);
    return { ...item, on: { op: 'call', name: 'AND', args: [equal, further], type: BOOL } };
  }

  #relation(room: number): Relation {
    if (this.#ctes.length > 0 && this.#choices.chance(70)) {
      const cte = this.#choices.pick(this.#ctes);
      return { kind: 'cte', name: cte.name, columns: columnsOf(cte.query) };
    }
    if (room > 0 && this.#choices.chance(15)) {
      const query = this.#query(room - 1);
      return { kind: 'derived', query, columns: columnsOf(query) };
    }
    return { kind: 'table', ...this.#choices.pick(this.#tables) };
  }

  #name(prefix: string): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }
}

/** What the items of a FROM can be called by. */
function variablesOf(items: readonly FromItem[]): readonly Variable[] {
  return items.flatMap((item): Variable[] => {
    if (item.kind === 'relation') {
      return [{ name: item.alias, type: { kind: 'struct', fields: item.relation.columns }, isRow: true }];
    }
    const { array, alias, offset } = item;
    const element: Type = array.type.kind === 'array' ? array.type.element : STRING;
    const position = offset === null ? [] : [{ name: offset, type: INT64, isRow: false }];
    return [{ name: alias, type: element, isRow: false }, ...position];
  });
}
