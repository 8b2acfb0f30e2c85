/** The kinds of fault that a query can have. */
export type FaultClass = 'syntax' | 'unknown_source' | 'unknown_field' | 'unsupported' | 'type';

/** A query that has no answer. */
export class LqlFault extends Error {
  readonly fault: FaultClass;

  constructor(fault: FaultClass, message: string) {
    super(message);
    this.fault = fault;
  }
}

export type Order = ':' | ':>' | ':>=' | ':<' | ':<=';

export const PERIODS = ['second', 'minute', 'hour', 'day'] as const;
export type Period = (typeof PERIODS)[number];

export const UNITS = [...PERIODS, 'week', 'month', 'year'] as const;
export type Unit = (typeof UNITS)[number];

export const LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;
export type Level = (typeof LEVELS)[number];

export const AGGREGATES = ['count', 'countd', 'avg', 'sum', 'max', 'p50', 'p95', 'p99'] as const;
export type AggregateName = (typeof AGGREGATES)[number];

/** A point in time as written. A date keeps that it is one: it may stand for its whole day. */
export interface Instant {
  readonly micros: bigint;
  readonly isDate: boolean;
  /** Whether a zone was written, or Unix time, which has one. */
  readonly zoned: boolean;
}

export type TimeTest =
  | { readonly kind: 'point'; readonly order: Order; readonly point: Instant | 'now' }
  | { readonly kind: 'between'; readonly from: Instant; readonly to: Instant }
  | { readonly kind: 'today' }
  | { readonly kind: 'yesterday' }
  | { readonly kind: 'this'; readonly unit: Unit }
  | { readonly kind: 'last'; readonly count: number; readonly unit: Unit };

export type FieldTest =
  | { readonly kind: 'compare'; readonly order: Order; readonly value: string }
  | { readonly kind: 'between'; readonly from: string; readonly to: string }
  | { readonly kind: 'matches'; readonly pattern: string }
  | { readonly kind: 'contains'; readonly value: string }
  | { readonly kind: 'containsMatch'; readonly pattern: string }
  | { readonly kind: 'null' };

/** A condition; `negated` asks for its complement. Paths are whole: `m.` is written out. */
export type Filter =
  | { readonly kind: 'message'; readonly negated: boolean; readonly regex: boolean; readonly text: string }
  | { readonly kind: 'time'; readonly negated: boolean; readonly test: TimeTest }
  | { readonly kind: 'levels'; readonly negated: boolean; readonly from: Level; readonly to: Level }
  | { readonly kind: 'field'; readonly negated: boolean; readonly path: string; readonly test: FieldTest };

export type Clause =
  | Filter
  | { readonly kind: 'from'; readonly source: string }
  /** A path of null is `*`. */
  | { readonly kind: 'select'; readonly path: string | null; readonly alias: string | null }
  | { readonly kind: 'aggregate'; readonly name: AggregateName; readonly path: string | null }
  | { readonly kind: 'group'; readonly period: Period };

export type Query = readonly Clause[];
