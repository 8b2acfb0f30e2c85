/*
 * The parameters that translation adds to the query's parameters. They are symbols: whatever a query calls its parameters, it
 * cannot name these.
 */

/** The request's clock, a TIMESTAMP. */
export const NOW = Symbol('now');
/** The first and the last instant of a slice; both belong to it. */
export const SLICE_START = Symbol('slice start');
export const SLICE_END = Symbol('slice end');
