import type { ComputedColumn, ResolvedScan } from '../../../../../sql/resolved/scan.ts';

/** The rows of a scan with more columns, in the same order. */
export function projected(scan: ResolvedScan, computed: readonly ComputedColumn[]): ResolvedScan {
  if (scan.kind === 'order') return { ...scan, input: projected(scan.input, computed) };
  if (scan.kind === 'limit' && scan.input.kind === 'order') {
    return { ...scan, input: projected(scan.input, computed) };
  }
  return { kind: 'project', input: scan, computed };
}
