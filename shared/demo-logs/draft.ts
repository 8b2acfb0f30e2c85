import type { Moment } from './moment.ts';
import type { Period } from './slots.ts';

/** A log entry before it becomes text. Absent fields of `metadata` read as NULL. */
export interface Draft {
  readonly id: string;
  readonly at: Moment;
  readonly message: string;
  readonly project: string;
  readonly metadata: readonly object[];
}

/** All entries that one project has in one source, in any order; some may lie after the end of the period. */
export type DraftSource = (project: string, period: Period) => Iterable<Draft>;
