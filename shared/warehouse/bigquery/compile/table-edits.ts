import type { TableSchemas } from '../../../schema/table-schema.ts';
import type { TextEdit } from '../../../sql/text/text-edits.ts';
import { isSymbol, type TokenIndex } from '../../../sql/text/token-index.ts';
import type { SourceTables } from '../source-tables.ts';
import { emptyRelation } from './empty-relation.ts';
import { quoteName } from './quote-name.ts';

/** A source that a query names as `logs.<source>` in FROM. */
export interface NamedSource {
  readonly source: string;
  /** Whether the query gives it an alias; without one its columns are qualified by the source's name. */
  readonly hasAlias: boolean;
}

export interface TableEditsOptions {
  readonly schemas: TableSchemas;
  readonly tables: SourceTables;
}

/**
 * Writes where a query names a source what it stands for: the path of its table or view, or, where the source is absent, a
 * relation without rows. The source keeps the name that the query knows it by. `named` are the sources by their places.
 */
export function tableEdits(
  tokens: TokenIndex,
  named: ReadonlyMap<number, NamedSource>,
  { schemas, tables }: TableEditsOptions,
): readonly TextEdit[] {
  return [...named].map(([at, { source, hasAlias }]) => {
    const last = tokens.at(at, 2);
    if (!isSymbol(tokens.at(at, 1), '.') || last.value !== source)
      throw new TypeError(`no table path at ${at}`);
    const place = tables.get(source);
    const schema = schemas.get(source);
    if (place === undefined || schema === undefined) throw new TypeError(`no place for ${source}`);
    const alias = hasAlias || place?.table === source ? '' : ` AS ${quoteName(source)}`;
    const text =
      place === null
        ? emptyRelation(schema)
        : [place.project, place.dataset, place.table].map(quoteName).join('.');
    return { from: at, to: last.end, text: `${text}${alias}` };
  });
}
