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
 * row for each span that has entries, in order, with the span's start as `timestamp` and their number as `count`. Where a value
 * was asked for with the entries, there is a row for each span and value, which the column `asked` names.
 */
export function histogramQuery(selection: EntrySelection, seconds: number, asked = 'asked'): Query {
  const { ctes, rows, time } = selection;
  const at = call('UNIX_SECONDS', path(time));
  const width = integer(seconds);
  // MOD has the sign of its first argument, which is negative before 1970.
  const sinceStart = call('MOD', binary(call('MOD', at, width), '+', width), width);
  const start = call('TIMESTAMP_SECONDS', binary(at, '-', sinceStart));
  const by = selection.asked === null ? [] : [column(path(selection.asked), asked)];
  const keys = [integer(1), ...(by.length === 0 ? [] : [integer(2)])];
  const body = select([column(start, 'timestamp'), ...by, column(COUNT_ALL, 'count')], {
    from: tableSubquery(query(rows)),
    groupBy: groupBy(...keys),
  });
  return query(body, { ctes, orderBy: keys.map((key) => sortedBy(key)) });
}

/** The most values that a facet has. */
export const MAX_FACET_VALUES = 100;

/**
 * The query that counts selected entries by the value that was asked for with them: a row of `value` and `count` for each of
 * the most frequent values, the most frequent first; NULL is one of them.
 */
export function facetQuery({ ctes, rows, asked }: EntrySelection): Query {
  if (asked === null) throw new TypeError('a facet counts values that were asked for');
  const body = select([column(path(asked), 'value'), column(COUNT_ALL, 'count')], {
    from: tableSubquery(query(rows)),
    groupBy: groupBy(integer(1)),
  });
  const orderBy = [sortedBy(integer(2), true), sortedBy(integer(1))];
  return query(body, { ctes, orderBy, limit: integer(MAX_FACET_VALUES) });
}
