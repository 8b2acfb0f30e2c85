import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import * as z from 'zod';
import type { Column, ScalarTypeName, SqlType } from '../sql/types/sql-type.ts';
import { pageTokenSchema } from '../warehouse/page-token-schema.ts';
import type { CachedAnswer } from './answer.ts';

/** The first bytes of an answer, the last of them the version of what follows. */
const MAGIC = Buffer.from('LQEA\u0002', 'latin1');
const CHECKSUM_BYTES = 32;
const PREFIX_BYTES = MAGIC.length + CHECKSUM_BYTES;
const LENGTH_BYTES = 4;
/** An answer that unpacks to more is not one of ours, or was meant to fill the memory. */
const MAX_UNPACKED_BYTES = 128 * 1024 * 1024;

/** Quality 1 leaves about a tenth of the rows of logs; quality 4 takes four times as long for little less. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/** Makes the bytes of an answer fewer, and many again. */
export interface Packing {
  pack(bytes: Buffer): Promise<Buffer>;
  /** Fails for bytes that are not packed, and for those that unpack to more than `maxBytes`. */
  unpack(bytes: Buffer, maxBytes: number): Promise<Buffer>;
}

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Packs with Brotli, in its own thread. */
export const brotliPacking: Packing = {
  pack: (bytes) => compress(bytes, QUALITY),
  unpack: (bytes, maxOutputLength) => decompress(bytes, { maxOutputLength }),
};

const SCALARS: Readonly<Record<ScalarTypeName, true>> = {
  BOOL: true,
  INT64: true,
  FLOAT64: true,
  NUMERIC: true,
  BIGNUMERIC: true,
  STRING: true,
  BYTES: true,
  DATE: true,
  DATETIME: true,
  TIME: true,
  TIMESTAMP: true,
  INTERVAL: true,
  JSON: true,
};

const sqlType: z.ZodType<SqlType> = z.lazy(() =>
  z.union([
    z.strictObject({ kind: z.enum(Object.keys(SCALARS) as ScalarTypeName[]) }),
    z.strictObject({ kind: z.literal('ARRAY'), element: sqlType }),
    z.strictObject({ kind: z.literal('STRUCT'), fields: z.array(column) }),
  ]),
);
const column: z.ZodType<Column> = z.strictObject({ name: z.string(), type: sqlType });
const header = z.strictObject({
  columns: z.array(column).readonly(),
  /** In UTF-16 code units, in the order of the rows. */
  rowLengths: z.array(z.int().min(2)),
  truncated: z.boolean(),
  bytesProcessed: z.number().min(0).nullable(),
  bytesBilled: z.number().min(0).nullable(),
  rowsScanned: z.number().min(0).optional(),
  // An earlier version had the place of the next page there, in its own form.
  facts: z.record(z.string(), z.json()).refine((facts) => !('rest' in facts)),
  pageToken: pageTokenSchema.optional(),
  contentHash: z.string().min(1).max(100),
});

type Header = Omit<z.infer<typeof header>, 'facts'> & Pick<CachedAnswer, 'facts'>;

/** An answer read back, or why the bytes are none. */
export type DecodedAnswer =
  | { readonly kind: 'answer'; readonly answer: CachedAnswer; readonly contentHash: string }
  | { readonly kind: 'unreadable'; readonly reason: string };

/**
 * Writes an answer for a store: packed, with a checksum over the bytes and the key, so
 * that neither a part of it nor a copy under another key passes for an answer.
 */
export async function encodeAnswer(
  key: string,
  answer: CachedAnswer,
  contentHash: string,
  { pack }: Pick<Packing, 'pack'> = brotliPacking,
): Promise<Uint8Array> {
  const { columns, rows, truncated, bytesProcessed, bytesBilled, rowsScanned, facts, pageToken } = answer;
  const rowLengths = rows.map((row) => row.length);
  const fields: Header = {
    columns,
    rowLengths,
    truncated,
    bytesProcessed,
    bytesBilled,
    rowsScanned,
    facts,
    pageToken,
    contentHash,
  };
  const head = Buffer.from(JSON.stringify(fields));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(head.length);
  const packed = await pack(Buffer.concat([length, head, Buffer.from(rows.join(''))]));
  return Buffer.concat([MAGIC, checksumOf(key, packed), packed]);
}

/** Reads what `encodeAnswer` wrote under the same key. Never throws, whatever the bytes are. */
export async function decodeAnswer(
  key: string,
  bytes: Uint8Array,
  { unpack }: Pick<Packing, 'unpack'> = brotliPacking,
): Promise<DecodedAnswer> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!buffer.subarray(0, MAGIC.length).equals(MAGIC)) return unreadable('it is of another version');
  const packed = buffer.subarray(PREFIX_BYTES);
  const checksum = buffer.subarray(MAGIC.length, PREFIX_BYTES);
  if (!checksum.equals(checksumOf(key, packed))) return unreadable('its checksum is wrong');
  try {
    return readPayload(await unpack(packed, MAX_UNPACKED_BYTES));
  } catch (error) {
    return unreadable(error instanceof Error ? error.name : 'it cannot be unpacked');
  }
}

function readPayload(payload: Buffer): DecodedAnswer {
  const headEnd = LENGTH_BYTES + payload.readUInt32BE(0);
  if (headEnd > payload.length) return unreadable('it ends early');
  const { rowLengths, contentHash, ...fields } = header.parse(
    JSON.parse(payload.toString('utf8', LENGTH_BYTES, headEnd)),
  );
  const text = payload.toString('utf8', headEnd);
  let end = 0;
  const rows = rowLengths.map((length) => {
    end += length;
    return text.slice(end - length, end);
  });
  if (end !== text.length) return unreadable('its rows have other lengths');
  return { kind: 'answer', answer: { ...fields, rows }, contentHash };
}

function checksumOf(key: string, packed: Buffer): Buffer {
  return hash('sha256', Buffer.concat([Buffer.from(`${key}\n`), packed]), 'buffer');
}

function unreadable(reason: string): DecodedAnswer {
  return { kind: 'unreadable', reason };
}
