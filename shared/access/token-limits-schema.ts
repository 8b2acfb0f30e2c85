import * as z from 'zod';
import { LIMIT_RANGES, NO_LIMITS, type TokenLimits } from './token-limits.ts';

const limit = (name: keyof TokenLimits) => {
  const [smallest, largest] = LIMIT_RANGES[name];
  return z.int().min(smallest).max(largest).nullable();
};

/**
 * All limits and nothing else: one that this version does not know would go unheeded. Tokens issued before there were the
 * last two have none of them.
 */
export const tokenLimits = z.strictObject({
  maxRows: limit('maxRows'),
  maxBytesBilled: limit('maxBytesBilled'),
  maxWindowSeconds: limit('maxWindowSeconds'),
  requestsPerMinute: limit('requestsPerMinute'),
  sqlDeadlineSeconds: limit('sqlDeadlineSeconds').default(null),
  cpuSecondsPerMinute: limit('cpuSecondsPerMinute').default(null),
});

/**
 * The inverse of `tokenLimits`: the last two limits are written where they are set, so that versions which do not know
 * them go on reading tokens without.
 */
export function writeTokenLimits(limits: TokenLimits): Partial<TokenLimits> {
  const { sqlDeadlineSeconds, cpuSecondsPerMinute, ...first } = { ...NO_LIMITS, ...limits };
  return {
    ...first,
    ...(sqlDeadlineSeconds === null ? {} : { sqlDeadlineSeconds }),
    ...(cpuSecondsPerMinute === null ? {} : { cpuSecondsPerMinute }),
  };
}
