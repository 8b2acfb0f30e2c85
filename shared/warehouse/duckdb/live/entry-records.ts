import * as z from 'zod';
import type { PackedRows } from '../loading/packed-columns.ts';
import { type TableShape, tableShape } from './table-shape.ts';

/**
 * What a file of records has. A `shape` says how the batches of a source after it were written; all those of a
 * source in one file are the same. The slots of a batch's columns are those of the shape's tree.
 */
export type EntryRecord =
  | { readonly kind: 'shape'; readonly source: string; readonly shape: TableShape }
  | ({ readonly kind: 'batch' } & EntryBatch);

/** Entries of one source, as one record of a file has them. */
export interface EntryBatch {
  readonly source: string;
  readonly rows: PackedRows;
  /** Those of the entries that have a flat record twice; null for none. */
  readonly repeated: PackedRows | null;
}

const size = z.int().nonnegative();
/** Columns by slot, with the bytes that each takes after the header, in their order. */
const packed = z.strictObject({
  form: z.enum(['plain', 'json']),
  count: z.int().positive(),
  columns: z.array(z.tuple([size, size])),
});
const header = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('shape'), source: z.string(), shape: tableShape }),
  z.strictObject({ kind: z.literal('batch'), source: z.string(), rows: packed, repeated: packed.nullable() }),
]);

const LINE_END = '\n'.charCodeAt(0);

/** The parts of a record's bytes: a line of JSON, and the columns after it. */
export function encodeRecord(record: EntryRecord): readonly Uint8Array[] {
  if (record.kind === 'shape') return [Buffer.from(`${JSON.stringify(record)}\n`)];
  const { kind, source, rows, repeated } = record;
  const line = {
    kind,
    source,
    rows: headerOf(rows),
    repeated: repeated === null ? null : headerOf(repeated),
  };
  const columns = [rows, repeated].flatMap((one) => (one === null ? [] : [...one.columns.values()]));
  return [Buffer.from(`${JSON.stringify(line)}\n`), ...columns];
}

/** Throws for bytes that `encodeRecord` did not make. */
export function decodeRecord(bytes: Buffer): EntryRecord {
  const lineEnd = bytes.indexOf(LINE_END);
  const parsed = header.parse(JSON.parse(bytes.toString('utf8', 0, lineEnd)));
  if (parsed.kind === 'shape') return parsed;
  const { kind, source } = parsed;
  let at = lineEnd + 1;
  const read = ({ form, count, columns }: z.infer<typeof packed>): PackedRows => {
    const bySlot = columns.map(([slot, length]): [number, Uint8Array] => {
      at += length;
      return [slot, bytes.subarray(at - length, at)];
    });
    return { form, count, columns: new Map(bySlot) };
  };
  const rows = read(parsed.rows);
  const repeated = parsed.repeated === null ? null : read(parsed.repeated);
  if (at !== bytes.length) throw new TypeError(`a record of ${bytes.length} bytes has columns of ${at}`);
  return { kind, source, rows, repeated };
}

function headerOf({ form, count, columns }: PackedRows): z.infer<typeof packed> {
  return { form, count, columns: [...columns].map(([slot, { length }]) => [slot, length]) };
}
