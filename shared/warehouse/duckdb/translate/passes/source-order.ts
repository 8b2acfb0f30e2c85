import { inheritOrder } from '../../../source-order.ts';
import type { Pass } from './pass.ts';

/** A plain SELECT from one CTE has the order of the CTE's query. */
export const SOURCE_ORDER: Pass = {
  name: 'order of the source',
  stage: 'query',
  isCandidate: (scan) => scan.kind === 'cte',
  run: inheritOrder,
};
