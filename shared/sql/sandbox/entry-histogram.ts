import {
  binary,
  COUNT_ALL,
  call,
  column,
  groupBy,
  integer,
  path,
  query,
  select,
  sortedBy,
  tableSubquery,
} from '../ast/build.ts';
import type { Query } from '../ast/query.ts';
import type { EntrySelection } from './entry-selection.ts';

/**
 * The query that counts selected entries by spans of so many seconds, which begin at multiples of that since the epoch: one
 * row for each span that has entries, in order, with the span's start as `timestamp` and their number as `count`.
 */
export function histogramQuery({ ctes, rows, time }: EntrySelection, seconds: number): Query {
  const at = call('UNIX_SECONDS', path(time));
  const width = integer(seconds);
  // MOD has the sign of its first argument, which is negative before 1970.
  const sinceStart = call('MOD', binary(call('MOD', at, width), '+', width), width);
  const start = call('TIMESTAMP_SECONDS', binary(at, '-', sinceStart));
  const body = select([column(start, 'timestamp'), column(COUNT_ALL, 'count')], {
    from: tableSubquery(query(rows)),
    groupBy: groupBy(integer(1)),
  });
  return query(body, { ctes, orderBy: [sortedBy(integer(1))] });
}
