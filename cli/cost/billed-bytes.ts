import { bytesBilledByRule, LEAST_BYTES_BILLED } from '../../shared/warehouse/bytes-billed.ts';
import { type CostModel, MIB, sumOf } from './model.ts';
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
    billed: Math.max(LEAST_BYTES_BILLED, sumOf(tables.map(({ billed }) => bytesBilledByRule(billed, 1)))),
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

/** The length of one partition of the log tables, in hours. */
export function partitionHours({ volumes }: Pick<CostModel, 'volumes'>): number {
  return volumes.partitionBy === 'HOUR' ? 1 : 24;
}

/** How many partitions a window touches that begins anywhere, at most: those in it and the one that its start cuts. */
export function partitionsOf(model: Pick<CostModel, 'volumes'>, windowHours: number): number {
  const { retentionDays } = model.volumes;
  return Math.ceil(Math.min(windowHours, retentionDays * 24) / partitionHours(model)) + 1;
}

/** How long an hour that is over stays open for late entries: the endpoint's grace, and a minute for clocks that differ. */
const GRACE_SECONDS = 15 * 60 + 60;

/**
 * The partitions that each query of a refresh reads where the hours that are over are kept: one query reads the hour
 * that the window's start cuts, another the running one, the hour before as long as it is open, and each hour once more
 * to keep it.
 */
export function sealedPartitions(refreshEverySeconds: number): readonly number[] {
  return [1, 1 + GRACE_SECONDS / 3600 + Math.min(1, refreshEverySeconds / 3600)];
}

/** The bytes of a refresh: of the queries over what is not kept, or of one over the whole window. */
export function refreshBytes(
  model: CostModel,
  reads: readonly TableRead[],
  {
    refreshEverySeconds,
    windowHours,
  }: { readonly refreshEverySeconds: number; readonly windowHours: number },
): RefreshBytes {
  const whole = partitionsOf(model, windowHours);
  const parts = sealedPartitions(refreshEverySeconds);
  if (!model.volumes.isSealed || sumOf(parts) >= whole)
    return { isSealed: false, queries: 1, billed: billedBytes(model, reads, whole).billed };
  const billed = sumOf(parts.map((partitions) => billedBytes(model, reads, partitions).billed));
  return { isSealed: true, queries: parts.length, billed };
}

/** The queries of one refresh, and the bytes that BigQuery bills for them. */
export interface RefreshBytes {
  readonly isSealed: boolean;
  readonly queries: number;
  /** By all of them together. */
  readonly billed: number;
}
