import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import type { TableSchemas } from '../../shared/schema/table-schema.ts';
import type { Deployment } from './deployment.ts';
import type { EntrySizes } from './entry-sizes.ts';
import type { PriceName, Prices } from './prices.ts';
import { PRICES } from './prices.ts';
import { queryReads, type TableRead } from './query-reads.ts';
import type { Volumes } from './volumes.ts';

/** Hours of a month, on average. */
export const MONTH_HOURS = 730;
export const MONTH_SECONDS = MONTH_HOURS * 3600;
export const KIB = 1024;
export const MIB = 1024 * KIB;
export const GIB = 1024 * MIB;
export const TIB = 1024 * GIB;

/** All that costs are computed from. */
export interface CostModel {
  readonly volumes: Volumes;
  readonly prices: Prices;
  readonly deployment: Deployment;
  readonly endpoints: readonly Endpoint[];
  /** What each endpoint's stored query reads. */
  readonly reads: ReadonlyMap<Endpoint, readonly TableRead[]>;
  /** Bytes that are written in an hour, by source. */
  readonly bytesPerHour: ReadonlyMap<string, number>;
  readonly sizes: EntrySizes;
}

/** A line of the answer. */
export interface CostRow {
  readonly item: string;
  /** How the amount comes about, every factor with its number. */
  readonly arithmetic: string;
  readonly usd: number;
}

/** The costs of one part of the deployment, under one heading. */
export interface CostSection {
  readonly title: string;
  readonly rows: readonly CostRow[];
}

/** What a CostModel is computed from; the schemas resolve the stored queries. */
export type ModelParts = Omit<CostModel, 'reads' | 'bytesPerHour'> & { readonly schemas: TableSchemas };

/** Adds to its parts what each stored query reads, and how many bytes each source writes in an hour. */
export function makeModel({ schemas, ...parts }: ModelParts): CostModel {
  return {
    ...parts,
    reads: new Map(parts.endpoints.map((endpoint) => [endpoint, queryReads(endpoint, schemas)])),
    bytesPerHour: bytesPerHour(parts.volumes, parts.sizes),
  };
}

/** Amount × price, in US dollars. */
export function priceOf({ prices }: Pick<CostModel, 'prices'>, name: PriceName, amount: number): number {
  return (amount * prices[name]) / PRICES[name].per;
}

/** A row of one price: the arithmetic of the amount, then the price. */
export function rowOf(
  model: CostModel,
  item: string,
  name: PriceName,
  { amount, from }: { readonly amount: number; readonly from: string },
): CostRow {
  const { per } = PRICES[name];
  const price = model.prices[name];
  const arithmetic = per === 1 ? `${from} × ${price}` : `${from} × ${price} ÷ ${formatCount(per)}`;
  return { item, arithmetic, usd: priceOf(model, name, amount) };
}

/** The logs' bytes by source: as is said, and what is left as the measured entries are distributed. */
function bytesPerHour({ tibPerMonth, shares }: Volumes, sizes: EntrySizes): ReadonlyMap<string, number> {
  const measured = new Map([...sizes].map(([source, { bytes }]) => [source, sumOf(bytes.values())]));
  const free = [...measured].filter(([source]) => !shares.has(source));
  const freeBytes = sumOf(free.map(([, bytes]) => bytes));
  const freeShare = 1 - sumOf(shares.values()) / 100;
  const total = (tibPerMonth * TIB) / MONTH_HOURS;
  return new Map([
    ...[...shares].map(([source, percent]) => [source, (total * percent) / 100] as const),
    ...free.map(
      ([source, bytes]) => [source, total * freeShare * (freeBytes === 0 ? 0 : bytes / freeBytes)] as const,
    ),
  ]);
}

/** The sum of some numbers; 0 for none. */
export function sumOf(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** A count as people write it, with four digits that say something. */
export function formatCount(value: number): string {
  const rounded = value >= 1000 ? Math.round(value) : Number(value.toPrecision(4));
  return rounded.toLocaleString('en-US', { maximumFractionDigits: 6 });
}
