import type { TableSchemas } from '../../../schema/table-schema.ts';
import type { AddedField } from './column-tree.ts';

/** What became of one source's entries. */
export interface SourceReport {
  readonly rows: number;
  /** Malformed entries that were left out. */
  readonly skipped: number;
  readonly skippedFiles: readonly SkippedFile[];
  /** Fields that the schema lacked. */
  readonly addedFields: readonly AddedField[];
}

/** A file of which malformed entries were left out, and how many. */
export interface SkippedFile {
  readonly file: string;
  readonly skipped: number;
  /** Place, field and reason of the first malformed entry. */
  readonly first: string;
}

/** What became of the entries of a load, and the tables as they are after it. */
export interface LoadReport {
  /** By source, for every source of the schemas. */
  readonly sources: ReadonlyMap<string, SourceReport>;
  /** The tables as they are now: the schemas that were given, with the added fields. */
  readonly schemas: TableSchemas;
}
