import type { TextEdit } from '../../../sql/text/text-edits.ts';
import { isSymbol, type TokenIndex } from '../../../sql/text/token-index.ts';
import type { DatasetReference } from '../dataset-reference.ts';

/** Writes the dataset's real path where a query names a table as `logs.<table>`. `tables` are those by their places. */
export function tableEdits(
  tokens: TokenIndex,
  tables: ReadonlyMap<number, string>,
  { project, dataset }: DatasetReference,
): readonly TextEdit[] {
  return [...tables].map(([at, table]) => {
    const last = tokens.at(at, 2);
    if (!isSymbol(tokens.at(at, 1), '.') || last.value !== table)
      throw new TypeError(`no table path at ${at}`);
    return { from: at, to: last.end, text: `\`${project}\`.\`${dataset}\`.\`${table}\`` };
  });
}
