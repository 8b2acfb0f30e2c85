import { fieldType } from '../../../sql/analyzer/resolve-table.ts';
import { needsExactEncoding } from '../translate/encode-row.ts';
import { type RecordNode, treeSchema } from './column-tree.ts';

/** The names of the columns in whose text each number is encoded by itself, as it is in a row that has only that column. */
export function exactTexts(root: RecordNode): ReadonlySet<string> {
  const exact = treeSchema(root).filter((field) => needsExactEncoding(fieldType(field)));
  return new Set(exact.map(({ name }) => name));
}
