import type { Column } from '../sql/types/sql-type.ts';
import type { WireValue } from './wire-literal.ts';

/** What a query is made to ask for, or to leave out. */
export interface ValueFilter {
  /** Whether the path begins with a column of the result, or of the source. */
  readonly of: 'result' | 'source';
  /** Names from the column to the value. */
  readonly path: readonly string[];
  readonly value: WireValue;
  /** Leaves the value out. */
  readonly negated: boolean;
  /** The type of a column of the result by its name in table schemas, for one that is no field of a source. */
  readonly type: string;
}

/** The columns of each source by its name. */
export type Sources = ReadonlyMap<string, readonly Column[]>;
