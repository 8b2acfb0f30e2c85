import type { Series } from './promql-engine.ts';

/** The minute at which an outage begins; everything before is a quiet day. */
export const BEGINS = 120;

/** The minutes that series have values for. */
const MINUTES = 181;

type Labels = Readonly<Record<string, string>>;

/** A time series as it grows: what it counts in a minute, or what it is in that minute; null is a minute without. */
export interface Metric {
  readonly kind: 'counter' | 'gauge';
  readonly labels: Labels;
  at(minute: number): number | null;
}

export const counter = (labels: Labels, perMinute: number): Metric => ({
  kind: 'counter',
  labels,
  at: () => perMinute,
});

export const gauge = (labels: Labels, value: number): Metric => ({ kind: 'gauge', labels, at: () => value });

/** Something that an outage does: to the metrics that have these labels, or as one that there was not before. */
export interface Change {
  readonly of: Labels;
  /** What it is from then on; null where the metric has no more values. */
  readonly becomes: number | null;
}

/** The metrics of a day with an outage. A change that fits no metric makes one. */
export function withOutage(metrics: readonly Metric[], changes: readonly Change[]): readonly Metric[] {
  let all = metrics;
  for (const { of, becomes } of changes) {
    const fits = ({ labels }: Metric) => Object.entries(of).every(([name, value]) => labels[name] === value);
    const then = (before: Metric): Metric => ({
      ...before,
      at: (minute) => (minute < BEGINS ? before.at(minute) : becomes),
    });
    all = all.some(fits)
      ? all.map((metric) => (fits(metric) ? then(metric) : metric))
      : [...all, then(counter(of, 0))];
  }
  return all;
}

/** The samples that Monitoring would answer with. */
export function seriesOf(metrics: readonly Metric[]): readonly Series[] {
  return metrics.map(({ kind, labels, at }) => {
    let total = 0;
    const values = Array.from({ length: MINUTES }, (_, minute) => {
      const value = at(minute);
      if (value === null || kind === 'gauge') return value;
      total += value;
      return total;
    });
    return { labels, values };
  });
}
