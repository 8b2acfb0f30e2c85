import { compare, type Fields, isEqual } from './values.ts';

export type Operator = '==' | '<' | '<=' | '>' | '>=';

export interface Filter {
  readonly field: string;
  readonly operator: Operator;
  readonly value: unknown;
}

export interface Order {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

/** Which documents of a collection are wanted, in which order, with which fields. */
export interface QueryPlan {
  readonly collection: string;
  readonly filters: readonly Filter[];
  readonly orders: readonly Order[];
  readonly limit: number | null;
  /** Null for all. */
  readonly fields: readonly string[] | null;
}

export interface Candidate {
  readonly id: string;
  readonly fields: Fields;
}

/** Whether a document is one that the query finds, but for its limit. A field that is not there equals nothing. */
export function isMatch({ filters, orders }: QueryPlan, fields: Fields): boolean {
  return (
    orders.every(({ field }) => field in fields) &&
    filters.every(({ field, operator, value }) => {
      if (!(field in fields)) return false;
      const found = fields[field];
      if (operator === '==') return isEqual(found, value);
      if (typeof found !== typeof value || (found === null) !== (value === null)) return false;
      const order = compare(found, value);
      switch (operator) {
        case '<':
          return order < 0;
        case '<=':
          return order <= 0;
        case '>':
          return order > 0;
        case '>=':
          return order >= 0;
        default: {
          const unreachable: never = operator;
          throw new TypeError(String(unreachable));
        }
      }
    })
  );
}

/** What a query finds. Ties, and everything where no order is asked for, come in the order of ids. */
export function select<Found extends Candidate>(plan: QueryPlan, all: Iterable<Found>): Found[] {
  const found = [...all].filter(({ fields }) => isMatch(plan, fields));
  const orders = impliedOrders(plan);
  const last = orders.at(-1)?.direction === 'desc' ? -1 : 1;
  found.sort((one, other) => {
    for (const { field, direction } of orders) {
      const order = compare(one.fields[field], other.fields[field]);
      if (order !== 0) return direction === 'desc' ? -order : order;
    }
    return last * (one.id < other.id ? -1 : Number(one.id > other.id));
  });
  return plan.limit === null ? found : found.slice(0, plan.limit);
}

/** A query with inequalities is ordered by their fields, too, after the orders that it names. */
export function impliedOrders({ filters, orders }: QueryPlan): readonly Order[] {
  const unequal = filters.filter(({ operator }) => operator !== '==').map(({ field }) => field);
  const others = new Set(unequal.sort()).difference(new Set(orders.map(({ field }) => field)));
  const direction = orders.at(-1)?.direction ?? 'asc';
  return [...orders, ...[...others].map((field) => ({ field, direction }))];
}
