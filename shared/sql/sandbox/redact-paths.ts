import type { TableSchemas } from '../../schema/table-schema.ts';
import { analyzeSources } from '../analyzer/analyze.ts';
import {
  call,
  column,
  fieldOf,
  isNull,
  literal,
  path as pathOf,
  query as queryOf,
  select,
  sortedBy,
  star,
  subquery,
  tableSubquery,
  unnest,
} from '../ast/build.ts';
import type { Expression, OrderItem } from '../ast/expression.ts';
import type { Query, SelectItem } from '../ast/query.ts';
import { parseStatement } from '../parser/parse-query.ts';
import { printQuery } from '../print/print-query.ts';
import type { ParameterType } from '../types/query-parameter.ts';
import type { SqlType } from '../types/sql-type.ts';
import { catalogTypes } from './catalog-types.ts';

/** What stands in the place of a value. */
const PLACEHOLDER = literal('STRING', 'REDACTED');

export interface RedactPathsOptions {
  readonly endpointSql: string;
  /** Paths from a column of the CTEs to a text, such as `metadata.request.headers.cookie`. */
  readonly paths: readonly string[];
  readonly parameterTypes: ReadonlyMap<string, ParameterType>;
  readonly tables: TableSchemas;
  readonly dataset: string;
}

/** A stored query whose CTEs hide what some paths lead to. */
export interface RedactedQuery {
  readonly sql: string;
  /** Paths that lead to no text in any of the CTEs. */
  readonly unknown: readonly string[];
}

/** The fields to replace by name; null where the value itself is. */
type PathTree = ReadonlyMap<string, PathTree> | null;

/**
 * A stored query whose CTEs hold a placeholder wherever one of the paths leads, in every element of repeated records:
 * no query over them can see what stood there, whatever it does with it. NULL stays NULL. Throws a ServiceError
 * (invalid_argument) for a stored query that does not parse or resolve.
 */
export function redactPaths(options: RedactPathsOptions): RedactedQuery {
  const { endpointSql, paths, tables, dataset } = options;
  const query = parseStatement(endpointSql);
  const catalog = { dataset, tables, parameters: catalogTypes(options.parameterTypes) };
  const { ctes } = analyzeSources(query, endpointSql, catalog);
  const known = new Set<string>();
  const redacted = query.ctes.map((cte) => {
    const columns = ctes.get(cte.name.toLowerCase())?.columns ?? [];
    const replaced = columns.flatMap(({ name, column: { type } }) => {
      const own = paths.filter((path) => leadsToText(path.split('.'), name, type));
      for (const path of own) known.add(path);
      const tree = treeOf(own.map((path) => path.split('.').slice(1)));
      return own.length === 0 ? [] : [{ name, expression: redactedValue(pathOf(name), type, tree, 1) }];
    });
    if (replaced.length === 0) return cte;
    const orderBy = orderOf(
      cte.query,
      columns.map(({ name }) => name),
    );
    const hidden = select([star(replaced)], { from: tableSubquery(cte.query) });
    return { ...cte, query: queryOf(hidden, { orderBy }) };
  });
  return {
    sql: known.size === 0 ? endpointSql : printQuery({ ...query, ctes: redacted }),
    unknown: paths.filter((path) => !known.has(path)),
  };
}

/** The order of a CTE's rows by its columns, for the query that is put around it; as far as columns define it. */
function orderOf(query: Query, columns: readonly string[]): readonly OrderItem[] {
  const items: OrderItem[] = [];
  for (const { expression, descending } of query.orderBy) {
    const name = expression.kind === 'name' || expression.kind === 'field' ? expression.name : undefined;
    const found = columns.find((one) => one.toLowerCase() === name?.toLowerCase());
    if (found === undefined) break;
    items.push(sortedBy(pathOf(found), descending));
  }
  return items;
}

function leadsToText([first, ...rest]: readonly string[], column: string, type: SqlType): boolean {
  return first?.toLowerCase() === column.toLowerCase() && isText(rest, type);
}

function isText(path: readonly string[], type: SqlType): boolean {
  const [name, ...rest] = path;
  if (type.kind === 'ARRAY') return isText(path, type.element);
  if (name === undefined) return type.kind === 'STRING';
  if (type.kind !== 'STRUCT') return false;
  const field = type.fields.find((one) => one.name.toLowerCase() === name.toLowerCase());
  return field !== undefined && isText(rest, field.type);
}

function treeOf(paths: readonly (readonly string[])[]): PathTree {
  if (paths.some((path) => path.length === 0)) return null;
  const byName = Map.groupBy(paths, ([name = '']) => name.toLowerCase());
  return new Map([...byName].map(([name, own]) => [name, treeOf(own.map((path) => path.slice(1)))]));
}

/** A value with what the tree names replaced; `depth` keeps the names of elements apart. */
function redactedValue(value: Expression, type: SqlType, tree: PathTree, depth: number): Expression {
  if (type.kind === 'ARRAY') {
    const [name, offset] = [`lqe_element_${depth}`, `lqe_offset_${depth}`];
    const { element } = type;
    const clauses = { from: unnest(value, name, offset) };
    const replaced =
      element.kind === 'STRUCT'
        ? select([replacedFields(pathOf(name), element, tree, depth + 1)], { as: 'STRUCT', ...clauses })
        : select([column(redactedValue(pathOf(name), element, tree, depth + 1))], clauses);
    return subquery('array', queryOf(replaced, { orderBy: [sortedBy(pathOf(offset))] }));
  }
  if (type.kind === 'STRUCT') {
    const replaced = select([replacedFields(value, type, tree, depth + 1)], { as: 'STRUCT' });
    return subquery('scalar', queryOf(replaced));
  }
  return call('IF', isNull(value), literal('NULL', 'NULL'), PLACEHOLDER);
}

function replacedFields(
  record: Expression,
  { fields }: Extract<SqlType, { kind: 'STRUCT' }>,
  tree: PathTree,
  depth: number,
): SelectItem {
  const replaced = fields.flatMap(({ name, type }) => {
    const own = tree?.get(name.toLowerCase());
    if (own === undefined) return [];
    return [{ name, expression: redactedValue(fieldOf(record, name), type, own, depth) }];
  });
  return star(replaced, record);
}
