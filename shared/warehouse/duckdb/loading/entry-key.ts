import { PROJECT_COLUMN } from '../../stored-dataset.ts';
import { quoteIdentifier } from '../quote.ts';
import { type Column, declaredText, type RecordNode } from './column-tree.ts';

/** The column whose text many programs write as a number. */
export const ID_COLUMN = 'id';

/** The columns of a table that tell an entry from all others of its source. */
export interface KeyColumns {
  readonly id: Column | undefined;
  /** Ids are those of a project: what one project sends must neither keep out nor tell anything of the entries of another. */
  readonly project: Column | undefined;
}

/** The key columns that a table has. */
export function keyColumns(root: RecordNode): KeyColumns {
  return { id: declaredText(root, ID_COLUMN), project: declaredText(root, PROJECT_COLUMN) };
}

/** What tells an entry from all others of its source; null for an entry without an id, which is taken each time. */
export function entryKey(id: string | null, project: string | null): string | null {
  return id === null ? null : `${id}\0${project ?? ''}`;
}

/** The id in a key. Names of projects have no NUL, ids may. */
export function idOfKey(key: string): string {
  return key.slice(0, key.lastIndexOf('\0'));
}

/** The key in DuckDB SQL, over rows that have these columns. */
export function entryKeySql(hasProject: boolean): string {
  const project = hasProject ? `coalesce(${quoteIdentifier(PROJECT_COLUMN)}, '')` : "''";
  return `${quoteIdentifier(ID_COLUMN)} || chr(0) || ${project}`;
}
