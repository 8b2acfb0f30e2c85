import type { Column } from '../../../sql/types/sql-type.ts';
import type { RowMeter } from '../../row-meter.ts';
import type { QueryResult } from '../../warehouse.ts';
import { tooLong } from '../query-problems.ts';
import type { JobReference, QueryAnswer } from '../rest/answers.ts';
import { columnsOf } from './column-types.ts';
import { makeRowWriter } from './row-writer.ts';

/** The most characters of an answer's rows; what is answered is held in memory several times over. */
const MAX_RESULT_LENGTH = 32 * 1024 * 1024;

/** The rows of a result, and the job that has the others. */
export interface CollectedRows extends Pick<QueryResult, 'columns' | 'rows' | 'truncated'> {
  /** Null where BigQuery ran the query without one. */
  readonly job: JobReference | null;
}

/**
 * The rows of a query's pages as JSON texts, under the names of its columns (those of the first page's schema for null), until there is one more than `maxRows`; `meter` counts them.
 * Throws a ServiceError (resource_exhausted) for rows too long to be answered, InvalidResponse for malformed ones, and
 * whatever the pages throw.
 */
export async function collectRows(
  pages: AsyncIterable<QueryAnswer>,
  known: readonly Column[] | null,
  maxRows: number,
  meter: RowMeter,
): Promise<CollectedRows> {
  let columns = known ?? [];
  const rows: string[] = [];
  let length = 0;
  let job: JobReference | null = null;
  let write: ((row: unknown) => string) | undefined;
  for await (const page of pages) {
    if (write === undefined) {
      const schema = page.schema?.fields ?? [];
      columns = known ?? columnsOf(schema);
      write = makeRowWriter(
        schema,
        columns.map(({ name }) => name),
      );
    }
    job ??= page.jobReference ?? null;
    for (const row of page.rows ?? []) {
      const text = write(row);
      length += text.length;
      if (length > MAX_RESULT_LENGTH) throw tooLong();
      const growing = meter.add(text);
      if (growing !== null) await growing;
      rows.push(text);
    }
    if (rows.length > maxRows) break;
  }
  const truncated = rows.length > maxRows;
  return { columns, rows: truncated ? rows.slice(0, maxRows) : rows, truncated, job };
}
