import type { ResolvedScan } from '../../../../sql/resolved/scan.ts';
import type { KnownData } from './known-data.ts';

/** The columns of the answer that may come as JSON text instead of as values. */
export interface TextOutputs {
  /** The ids of those that rows can be put together from as text. */
  readonly wanted: ReadonlySet<number>;
  /** The ids of those that the plan has as text; passes add to it. */
  readonly used: Set<number>;
}

/** What a pass may use besides the plan. */
export interface PassContext {
  /** What is known besides the query's text. */
  readonly known: KnownData;
  /** The ids of the columns that the query answers. */
  readonly outputs: ReadonlySet<number>;
  readonly texts: TextOutputs;
  /** An id for a column that the plan does not have. */
  readonly newColumnId: () => number;
}

/** One rewriting of a plan into another with the same rows. */
export interface Pass {
  readonly name: string;
  /** Whether it runs once over the query, before its pages are planned, or over the plan that a page is read with. */
  readonly stage: 'query' | 'page';
  /** Whether the pass may rewrite a scan. Where it may rewrite none of a plan, it need not run. */
  readonly isCandidate: (scan: ResolvedScan, context: PassContext) => boolean;
  readonly run: (plan: ResolvedScan, context: PassContext) => ResolvedScan;
}
