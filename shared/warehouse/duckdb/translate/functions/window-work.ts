import type { ResolvedWindow } from '../../../../sql/resolved/expression.ts';
import { duck, EMPTY, type Sql, word } from '../duck/sql.ts';
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
export type MeasureWork = (window: ResolvedWindow, sql: readonly Sql[]) => WindowWork | null;

/** A translator of calls whose work over windows is limited. */
export function limited<Translate extends object>(translate: Translate, measureWork: MeasureWork) {
  return Object.assign(translate, { measureWork });
}

/** For ARRAY_AGG with OVER: at most `MAX_ELEMENTS_OF_ROWS` elements in the arrays of all rows. */
export const elementsOfArrays: MeasureWork = ({ name, distinct }, [value]) => ({
  perRow: (over) => duck`count(${distinct ? duck`DISTINCT ${value}` : word('*')}) ${over}`,
  limit: MAX_ELEMENTS_OF_ROWS,
  message: `${name} with OVER makes at most ${MAX_ELEMENTS_OF_ROWS} elements for all rows together`,
});

/**
 * For STRING_AGG with OVER: at most `MAX_BYTES_OF_ROWS` bytes in the texts of all rows, separators included. With
 * DISTINCT, each value counts as the longest one.
 */
export const bytesOfTexts: MeasureWork = (window, [value = EMPTY, separator]) => {
  const type = window.column.type;
  const between = separator === undefined ? duck`1` : byteLength(separator, type);
  const bytes = duck`${byteLength(value, type)} + ${between}`;
  return {
    perRow: (over) =>
      window.distinct
        ? duck`count(DISTINCT ${value}) ${over} * max(${bytes}) ${over}`
        : duck`sum(${bytes}) ${over}`,
    limit: MAX_BYTES_OF_ROWS,
    message: `${window.name} with OVER makes at most ${MAX_BYTES_OF_ROWS} bytes for all rows together`,
  };
};

/**
 * For FIRST_VALUE, LAST_VALUE and NTH_VALUE: with IGNORE NULLS, the frames of all rows have at most `MAX_ROWS_OF_FRAMES`
 * rows. Without it, they are not limited.
 */
export const rowsOfFrames: MeasureWork = ({ name, nulls }) => {
  if (nulls !== 'IGNORE') return null;
  return {
    perRow: (over) => duck`count(*) ${over}`,
    limit: MAX_ROWS_OF_FRAMES,
    message: `${name} with IGNORE NULLS takes frames of at most ${MAX_ROWS_OF_FRAMES} rows together`,
  };
};
