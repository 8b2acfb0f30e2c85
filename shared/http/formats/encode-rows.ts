import type { CachedAnswer } from '../../cache/answer.ts';
import { encodeCsv } from './csv.ts';
import type { Format } from './format.ts';

/** Writes the rows of an answer in a format; as JSON they stand in the envelope. */
export function encodeRows(
  { columns, rows }: Pick<CachedAnswer, 'columns' | 'rows'>,
  format: Format,
): Buffer {
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
export function withMeta(envelope: Buffer, meta: object): Buffer {
  const end = Buffer.from(`,"meta":${JSON.stringify(meta)}}`);
  return Buffer.concat([envelope.subarray(0, -1), end]);
}
