import type { FieldSchema, TableSchema } from '../../schema/table-schema.ts';
import type { TablePath } from '../ast/query.ts';
import type { ResolvedScan } from '../resolved/scan.ts';
import { didYouMean, nearestNames } from '../text/nearest-names.ts';
import { arrayOf, type SqlType } from '../types/sql-type.ts';
import { analysisError, type Environment, newColumn } from './environment.ts';
import type { From } from './from.ts';
import { type NamedColumn, namesOf, type RangeVariable } from './scope.ts';

/**
 * A name in FROM that is no array: a CTE in scope, or, in stored queries only, a table of the warehouse. Nothing else
 * can be named.
 */
export function resolveTable(environment: Environment, item: TablePath): From {
  const { path, offset, at } = item;
  if (offset !== null) throw analysisError(environment, offset.at, 'WITH OFFSET needs an array');
  const [first = '', second] = path;
  if (path.length === 1) {
    const found = environment.ctes.get(first.toLowerCase());
    if (found !== undefined) return fromCte(environment, item, first);
  }
  const { dataset, tables } = environment.catalog;
  const schema =
    path.length === 2 && first === dataset && second !== undefined ? tables.get(second) : undefined;
  if (schema !== undefined && second !== undefined) return fromTable(environment, item, second, schema);
  const sources = [...environment.ctes.values()].map(({ cte }) => cte.name);
  const name = path.join('.');
  const hint = didYouMean(name, sources) || tableHint(environment.catalog, path);
  const list =
    sources.length === 0 ? '' : `${hint.endsWith('?') ? '' : '.'} Sources here: ${sources.join(', ')}`;
  throw analysisError(environment, at, `Table not found: ${name}${hint}${list}`);
}

/** How a stored query names the warehouse's tables; nothing where the query may name none. */
function tableHint({ dataset, tables }: Environment['catalog'], path: readonly string[]): string {
  const [first] = tables.keys();
  if (first === undefined) return '';
  const near = nearestNames(path.join('.').split('.').at(-1) ?? '', tables.keys()).map(
    (table) => `${dataset}.${table}`,
  );
  const example = near.length === 0 ? ` such as ${dataset}.${first}` : `; did you mean ${near.join(' or ')}?`;
  return `; tables are written ${dataset}.<source>${example}`;
}

function fromCte(environment: Environment, { alias, at }: TablePath, name: string): From {
  const named = environment.ctes.get(name.toLowerCase());
  if (named === undefined) throw new TypeError('the CTE was looked up before');
  const { recursion, refusal } = named;
  if (refusal !== undefined) throw analysisError(environment, at, refusal);
  const columns = named.cte.columns.map((column) => newColumn(environment, column.name, column.type));
  const scan: ResolvedScan =
    recursion === undefined
      ? { kind: 'cte', cte: named.cte, columns }
      : { kind: 'working-table', recursion, columns };
  const [only] = columns;
  if (named.isValueTable && only !== undefined) {
    return from(scan, { kind: 'value', alias: alias ?? name, column: only });
  }
  const visible = named.columns.flatMap((output, index): NamedColumn[] => {
    const column = columns[index];
    return column === undefined ? [] : [{ name: output.name, column }];
  });
  return from(scan, { kind: 'columns', alias: alias ?? name, columns: visible });
}

function fromTable(environment: Environment, item: TablePath, table: string, schema: TableSchema): From {
  environment.catalog.onTable?.(table, item);
  const columns = schema.map((field) => newColumn(environment, field.name, fieldType(field)));
  return from(
    { kind: 'table', table, columns },
    {
      kind: 'columns',
      alias: item.alias ?? table,
      columns: columns.map((column) => ({ name: column.name, column })),
    },
  );
}

function from(scan: ResolvedScan, range: RangeVariable): From {
  return { scan, names: namesOf(range) };
}

/** The type of a field of a table's schema. */
export function fieldType(field: FieldSchema): SqlType {
  const type: SqlType =
    field.type === 'STRUCT'
      ? {
          kind: 'STRUCT',
          fields: field.fields.map((inner) => ({ name: inner.name, type: fieldType(inner) })),
        }
      : { kind: field.type };
  return field.mode === 'REPEATED' ? arrayOf(type) : type;
}
