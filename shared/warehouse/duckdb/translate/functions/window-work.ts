import type { ResolvedWindow } from '../../../../sql/resolved/expression.ts';
import { duck, EMPTY, type Sql, textLiteral, word } from '../duck/sql.ts';
import { byteLength } from './joined-text.ts';

/** What a call over a window makes of all rows together, which may grow with the square of their number. */
export interface WindowWork {
  /** SQL of what the call makes for one row, over its window. */
  readonly perRow: (over: Sql) => Sql;
  /** The most of it for all rows. */
  readonly limit: number;
  readonly message: string;
}

/** Elements of all arrays, and bytes of all texts, that a call over a window makes. */
const MAX_ELEMENTS_OF_ROWS = 10_000_000;
const MAX_BYTES_OF_ROWS = 64 * 1024 * 1024;
/** Rows of all frames that IGNORE NULLS passes over; it looks at many at once. */
const MAX_ROWS_OF_FRAMES = 10_000_000_000;

/** The work of a call over a window that may be too much; null for one that takes about a pass over the rows. */
export function windowWork(window: ResolvedWindow, sql: readonly Sql[]): WindowWork | null {
  const [value = EMPTY, separator = textLiteral(',')] = sql;
  switch (window.name) {
    case 'ARRAY_AGG':
      return {
        perRow: (over) => duck`count(${window.distinct ? duck`DISTINCT ${value}` : word('*')}) ${over}`,
        limit: MAX_ELEMENTS_OF_ROWS,
        message: `ARRAY_AGG with OVER makes at most ${MAX_ELEMENTS_OF_ROWS} elements for all rows together`,
      };
    case 'STRING_AGG': {
      const type = window.column.type;
      const bytes = duck`${byteLength(value, type)} + ${byteLength(separator, type)}`;
      return {
        perRow: (over) =>
          window.distinct
            ? duck`count(DISTINCT ${value}) ${over} * max(${bytes}) ${over}`
            : duck`sum(${bytes}) ${over}`,
        limit: MAX_BYTES_OF_ROWS,
        message: `STRING_AGG with OVER makes at most ${MAX_BYTES_OF_ROWS} bytes for all rows together`,
      };
    }
    case 'FIRST_VALUE':
    case 'LAST_VALUE':
    case 'NTH_VALUE':
      if (window.nulls !== 'IGNORE') return null;
      return {
        perRow: (over) => duck`count(*) ${over}`,
        limit: MAX_ROWS_OF_FRAMES,
        message: `${window.name} with IGNORE NULLS takes frames of at most ${MAX_ROWS_OF_FRAMES} rows together`,
      };
    default:
      return null;
  }
}
