/**
 * Most instructions that the regular expressions of one query may have together, as readRe2() counts them. RE2's own limit
 * lies near 87,000 for each, and to check this many takes some 30 ms at most.
 */
export const MAX_RE2_SIZE = 30_000;
