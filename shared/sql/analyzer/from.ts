import type { ResolvedScan } from '../resolved/scan.ts';
import { type FromNames, NO_NAMES } from './scope.ts';

/** Rows together with the names that they bring. */
export interface From {
  readonly scan: ResolvedScan;
  readonly names: FromNames;
}

/** What a query without FROM reads: one row without columns. */
export const NO_FROM: From = { scan: { kind: 'single-row' }, names: NO_NAMES };
