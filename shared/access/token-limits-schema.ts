import * as z from 'zod';
import { LIMIT_RANGES, type TokenLimits } from './token-limits.ts';

const limit = (name: keyof TokenLimits) => {
  const [smallest, largest] = LIMIT_RANGES[name];
  return z.int().min(smallest).max(largest).nullable();
};

/** All four limits and nothing else: one that this version does not know would go unheeded. */
export const tokenLimits = z.strictObject({
  maxRows: limit('maxRows'),
  maxBytesBilled: limit('maxBytesBilled'),
  maxWindowSeconds: limit('maxWindowSeconds'),
  requestsPerMinute: limit('requestsPerMinute'),
});
