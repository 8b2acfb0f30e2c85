import { etagOf } from '../cache/answer.ts';
import type { CacheEntry } from '../cache/cache-entry.ts';
import type { AnswerMeta } from './answer-meta.ts';
import type { AnswerOptions } from './answer-options.ts';
import { type Coding, compress, MIN_COMPRESSED_BYTES } from './formats/coding.ts';
import { encodeCsv } from './formats/csv.ts';
import { type Format, MEDIA_TYPES } from './formats/format.ts';

/** A body with what describes its bytes. */
export interface EncodedAnswer {
  readonly body: Buffer;
  readonly mediaType: string;
  readonly coding: Coding;
  /** A strong validator of these bytes; null where they hang on more than the rows, or nobody wants it. */
  readonly etag: string | null;
}

/**
 * Writes an answer as the caller wants it. Bodies of an answer that is kept are made once and kept with it; the
 * envelope with `meta` differs from request to request and is made each time. `hasTag`: whether the caller may keep it.
 */
export async function encodeAnswer(
  entry: CacheEntry,
  options: AnswerOptions,
  meta: AnswerMeta | null,
  hasTag: boolean,
): Promise<EncodedAnswer> {
  const { format } = options;
  const plain = await keptBody(entry, format, () => Promise.resolve(encodeRows(entry, format)));
  const coding = plain.length < MIN_COMPRESSED_BYTES ? 'identity' : options.coding;
  const mediaType = MEDIA_TYPES[format];
  if (meta !== null) {
    const body = await compress(withMeta(plain, meta), coding);
    return { body, mediaType, coding, etag: null };
  }
  const representation = coding === 'identity' ? format : `${format}-${coding}`;
  const body = await keptBody(entry, representation, () => compress(plain, coding));
  return { body, mediaType, coding, etag: hasTag ? etagOf(entry.contentHash, representation) : null };
}

async function keptBody(
  entry: CacheEntry,
  representation: string,
  make: () => Promise<Buffer>,
): Promise<Buffer> {
  const kept = entry.bodies.get(representation);
  if (kept !== undefined) return kept;
  const body = await make();
  entry.bodies.set(representation, body);
  return body;
}

function encodeRows({ answer: { columns, rows } }: CacheEntry, format: Format): Buffer {
  switch (format) {
    case 'json':
      return joinRows(rows, '{"result":[', ',', ']}');
    case 'ndjson':
      return joinRows(rows, '', '\n', rows.length === 0 ? '' : '\n');
    case 'csv':
      return Buffer.from(encodeCsv(columns, rows));
    default: {
      const unreachable: never = format;
      throw new TypeError(`format ${unreachable}`);
    }
  }
}

/** The rows in UTF-8, without a text of all of them in between. The texts around them are ASCII. */
function joinRows(rows: readonly string[], start: string, separator: string, end: string): Buffer {
  const around = start.length + end.length + separator.length * Math.max(0, rows.length - 1);
  const buffer = Buffer.allocUnsafe(rows.reduce((sum, row) => sum + Buffer.byteLength(row), around));
  let at = buffer.write(start, 'latin1');
  for (const [index, row] of rows.entries()) {
    if (index > 0) at += buffer.write(separator, at, 'latin1');
    at += buffer.write(row, at, 'utf8');
  }
  buffer.write(end, at, 'latin1');
  return buffer;
}

/** The envelope with one more member at its end. */
function withMeta(envelope: Buffer, meta: AnswerMeta): Buffer {
  const end = Buffer.from(`,"meta":${JSON.stringify(meta)}}`);
  return Buffer.concat([envelope.subarray(0, -1), end]);
}
