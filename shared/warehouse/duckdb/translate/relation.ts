import { clauses, column, duck, joined, type Sql, word } from './duck/sql.ts';
/** A column of a relation: the SQL that computes it inside the relation's SELECT. */
export interface RelationColumn {
  readonly sql: Sql;
  /** Whether the SQL is cheap and short enough to be written more than once. */
  readonly isSimple: boolean;
}

/** The columns of a relation by the ids of the resolved columns. */
export type RelationColumns = ReadonlyMap<number, RelationColumn>;

/**
 * One SELECT of DuckDB in the making. Scans of a resolved query become one by adding clauses; where a clause would
 * come too late, the SELECT so far becomes a derived table of a new one.
 */
export interface Relation {
  /** What stands after FROM; null for a SELECT without it. */
  readonly from: Sql | null;
  /** Whether `from` joins two relations. */
  readonly isJoin: boolean;
  readonly where: readonly Sql[];
  /** Whether the select list holds aggregates or window functions, so that no WHERE can be added any more. */
  readonly isComputed: boolean;
  readonly groupBy: Sql | null;
  readonly having: Sql | null;
  readonly orderBy: Sql | null;
  readonly limit: Sql | null;
  readonly columns: RelationColumns;
}

export const SINGLE_ROW: Relation = {
  from: null,
  isJoin: false,
  where: [],
  isComputed: false,
  groupBy: null,
  having: null,
  orderBy: null,
  limit: null,
  columns: new Map(),
};

/** A column's name in generated SQL; ids are unique in a query, so names never clash, in subqueries neither. */
export function columnName(id: number): Sql {
  return word(`c${id}`);
}

/** The SELECT with the columns of `ids`, under their generated names. Ids that it does not have are passed over. */
export function selectText(relation: Relation, ids: Iterable<number>): Sql {
  const list: Sql[] = [];
  for (const id of ids) {
    const column = relation.columns.get(id);
    if (column !== undefined) list.push(duck`${column.sql} AS ${columnName(id)}`);
  }
  return selectListText(relation, list.length === 0 ? word('1 AS c0') : joined(list, ', '));
}

/** The SELECT with any text as its list. */
export function selectListText(relation: Relation, list: Sql): Sql {
  return clauses(
    duck`SELECT ${list}`,
    relation.from === null ? null : duck`FROM ${relation.from}`,
    relation.where.length === 0 ? null : duck`WHERE ${joined(relation.where, ' AND ')}`,
    relation.groupBy === null ? null : duck`GROUP BY ${relation.groupBy}`,
    relation.having === null ? null : duck`HAVING ${relation.having}`,
    relation.orderBy === null ? null : duck`ORDER BY ${relation.orderBy}`,
    relation.limit,
  );
}

/** A new SELECT over a query's text, which gives the columns of `ids` under their generated names. */
export function derivedTable(query: Sql, alias: Sql, ids: Iterable<number>): Relation {
  const columns = new Map<number, RelationColumn>();
  for (const id of ids) columns.set(id, { sql: column(alias, columnName(id)), isSimple: true });
  return { ...SINGLE_ROW, from: duck`(${query}) AS ${alias}`, columns };
}

/** An order without LIMIT means nothing to what stands around it: the relation without it. */
export function withoutOrder(relation: Relation): Relation {
  return relation.limit === null ? { ...relation, orderBy: null } : relation;
}
