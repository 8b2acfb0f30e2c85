import type { TableSchemas } from '../../schema/table-schema.ts';
import { analyzeSources } from '../analyzer/analyze.ts';
import type { Query } from '../ast/query.ts';
import { tokenize } from '../lexer/lexer.ts';
import type { ParameterType } from '../types/query-parameter.ts';
import type { SqlType } from '../types/sql-type.ts';
import { canonicalText, printToken } from './canonical-text.ts';
import { catalogTypes } from './catalog-types.ts';
import { splitWith } from './split-with.ts';
import { readStoredQuery } from './stored-query.ts';

/** What stands in the place of a value. */
const PLACEHOLDER = "'REDACTED'";

export interface RedactPathsOptions {
  readonly endpointSql: string;
  /** Paths from a column of the CTEs to a text, such as `metadata.request.headers.cookie`. */
  readonly paths: readonly string[];
  readonly parameterTypes: ReadonlyMap<string, ParameterType>;
  readonly tables: TableSchemas;
  readonly dataset: string;
}

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
  const { query } = readStoredQuery(endpointSql);
  const catalog = { dataset, tables, parameters: catalogTypes(options.parameterTypes) };
  const { ctes } = analyzeSources(query, endpointSql, catalog);
  const { entries, rest } = splitWith(tokenize(endpointSql));
  const known = new Set<string>();
  const redacted = entries.map(({ name, body }, index) => {
    const columns = ctes.get(name.value.toLowerCase())?.columns ?? [];
    const text = canonicalText(body);
    const replaced = columns.flatMap(({ name: column, column: { type } }) => {
      const own = paths.filter((path) => leadsToText(path.split('.'), column, type));
      for (const path of own) known.add(path);
      const tree = treeOf(own.map((path) => path.split('.').slice(1)));
      return own.length === 0 ? [] : [`${redactedValue(quote(column), type, tree, 1)} AS ${quote(column)}`];
    });
    const order = orderOf(
      query.ctes[index]?.query,
      columns.map((one) => one.name),
    );
    const inner =
      replaced.length === 0 ? text : `SELECT * REPLACE ( ${replaced.join(' , ')} ) FROM ( ${text} )${order}`;
    return `${printToken(name)} AS ( ${inner} )`;
  });
  const sql = entries.length === 0 ? endpointSql : `WITH ${redacted.join(' , ')} ${canonicalText(rest)}`;
  return { sql, unknown: paths.filter((path) => !known.has(path)) };
}

/** The order of a CTE's rows by its columns, for the query that is put around it; as far as columns tell it. */
function orderOf(query: Query | undefined, columns: readonly string[]): string {
  const items: string[] = [];
  for (const { expression, descending } of query?.orderBy ?? []) {
    const name = expression.kind === 'name' || expression.kind === 'field' ? expression.name : undefined;
    const column = columns.find((one) => one.toLowerCase() === name?.toLowerCase());
    if (column === undefined) break;
    items.push(`${quote(column)}${descending ? ' DESC' : ''}`);
  }
  return items.length === 0 ? '' : ` ORDER BY ${items.join(' , ')}`;
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

/** The expression for a value with what the tree names replaced; `depth` keeps the names of elements apart. */
function redactedValue(expression: string, type: SqlType, tree: PathTree, depth: number): string {
  if (type.kind === 'ARRAY') {
    const [element, offset] = [`lqe_element_${depth}`, `lqe_offset_${depth}`];
    const from = `FROM UNNEST ( ${expression} ) AS ${element} WITH OFFSET AS ${offset} ORDER BY ${offset}`;
    const value =
      type.element.kind === 'STRUCT'
        ? `AS STRUCT ${replacedFields(element, type.element, tree, depth + 1)}`
        : redactedValue(element, type.element, tree, depth + 1);
    return `ARRAY ( SELECT ${value} ${from} )`;
  }
  if (type.kind === 'STRUCT')
    return `( SELECT AS STRUCT ${replacedFields(expression, type, tree, depth + 1)} )`;
  return `IF ( ${expression} IS NULL , NULL , ${PLACEHOLDER} )`;
}

function replacedFields(
  expression: string,
  { fields }: Extract<SqlType, { kind: 'STRUCT' }>,
  tree: PathTree,
  depth: number,
): string {
  const replaced = fields.flatMap(({ name, type }) => {
    const own = tree?.get(name.toLowerCase());
    if (own === undefined) return [];
    return [`${redactedValue(`${expression} . ${quote(name)}`, type, own, depth)} AS ${quote(name)}`];
  });
  return `${expression} . * REPLACE ( ${replaced.join(' , ')} )`;
}

function quote(name: string): string {
  return `\`${name}\``;
}
