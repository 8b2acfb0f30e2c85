import { type CostModel, MIB, QUERY_MINIMUM_BYTES, sumOf } from './model.ts';
import type { TableRead } from './query-reads.ts';

/** What BigQuery says of a query before it runs, and what it bills. */
export interface BilledBytes {
  /** Whole partitions of the leaves that are read, whatever clustering leaves out: what caps are held against. */
  readonly estimate: number;
  readonly billed: number;
}

/**
 * The bytes of a query whose window covers some partitions. Of each table the leaves that are read count, of each
 * partition as much as clustering cannot leave out. At least 10 MiB are billed for each table.
 */
export function billedBytes(model: CostModel, reads: readonly TableRead[], partitions: number): BilledBytes {
  const tables = reads.map((read) => tableBytes(model, read, partitions));
  return {
    estimate: sumOf(tables.map(({ estimate }) => estimate)),
    billed: Math.max(
      QUERY_MINIMUM_BYTES,
      sumOf(tables.map(({ billed }) => Math.max(QUERY_MINIMUM_BYTES, Math.ceil(billed / MIB) * MIB))),
    ),
  };
}

function tableBytes(
  model: CostModel,
  { table, leaves, isOfOneProject }: TableRead,
  partitions: number,
): BilledBytes {
  const { projects, blockMib } = model.volumes;
  const partition = (model.bytesPerHour.get(table) ?? 0) * partitionHours(model);
  const estimate = partition * leafShare(model, table, leaves) * partitions;
  if (!isOfOneProject || partition === 0) return { estimate, billed: estimate };
  const kept = Math.max(1 / projects, Math.min(1, (blockMib * MIB) / partition));
  return { estimate, billed: estimate * kept };
}

/** The part of a table's bytes that some of its leaves have; all of it where nothing was measured. */
export function leafShare(
  { sizes }: Pick<CostModel, 'sizes'>,
  table: string,
  leaves: ReadonlySet<string>,
): number {
  const measured = sizes.get(table)?.bytes;
  const total = sumOf(measured?.values() ?? []);
  return measured === undefined || total === 0
    ? 1
    : sumOf([...leaves].map((leaf) => measured.get(leaf) ?? 0)) / total;
}

export function partitionHours({ volumes }: Pick<CostModel, 'volumes'>): number {
  return volumes.partitionBy === 'HOUR' ? 1 : 24;
}

/** How many partitions a window touches that begins anywhere, at most: those in it and the one that its start cuts. */
export function partitionsOf(model: Pick<CostModel, 'volumes'>, windowHours: number): number {
  const { retentionDays } = model.volumes;
  return Math.ceil(Math.min(windowHours, retentionDays * 24) / partitionHours(model)) + 1;
}

/**
 * How many partitions one refresh reads where the hours that are over are kept: the one that the window's start cuts,
 * and the running one. Each hour that ends is read once more to be kept, which one refresh in an hour does.
 */
export function sealedPartitions(refreshEverySeconds: number): number {
  return EDGES + Math.min(1, refreshEverySeconds / 3600);
}

const EDGES = 2;
