import type { Endpoint } from '../endpoints/endpoint.ts';
import type { QueryText, WarehouseQuery } from './warehouse.ts';

/** What a query is compiled from, whatever its values are. */
export function textOf({ sql, tree, parameters }: WarehouseQuery): QueryText {
  return { sql, tree, parameterTypes: new Map([...parameters].map(([name, { type }]) => [name, type])) };
}

/** What an endpoint's stored query is compiled from. */
export function storedText({ sql, parameters }: Pick<Endpoint, 'sql' | 'parameters'>): QueryText {
  return { sql, parameterTypes: new Map(parameters.map(({ name, type }) => [name, type])) };
}

/** A key that is the same for the same query. */
export function textKey({ sql, parameterTypes }: QueryText): string {
  return JSON.stringify([...parameterTypes]) + sql;
}
