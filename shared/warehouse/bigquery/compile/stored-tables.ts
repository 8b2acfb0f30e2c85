import type { TableSchemas } from '../../../schema/table-schema.ts';
import { tableSubquery } from '../../../sql/ast/build.ts';
import type { FromItem, TablePath } from '../../../sql/ast/query.ts';
import type { SourceTables } from '../source-tables.ts';
import { emptyRelation } from './empty-relation.ts';

/** Which table or view each source is read from, and which columns it has. */
export interface SourcePlaces {
  readonly schemas: TableSchemas;
  /** Of all sources in the schemas. */
  readonly tables: SourceTables;
}

/**
 * What stands for a source in FROM: the path of its table or view, or, where the source is absent, a relation without
 * rows. The source keeps the name that the query knows it by.
 */
export function storedTable(item: TablePath, source: string, { schemas, tables }: SourcePlaces): FromItem {
  const place = tables.get(source);
  const schema = schemas.get(source);
  if (place === undefined || schema === undefined) throw new TypeError(`no place for ${source}`);
  if (place === null) return tableSubquery(emptyRelation(schema), item.alias ?? source);
  const path = [place.project, place.dataset, place.table];
  return { ...item, path, alias: item.alias ?? (place.table === source ? null : source) };
}
