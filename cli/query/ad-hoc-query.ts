import type { Readable } from 'node:stream';
import type { Arguments } from '../arguments/parse-arguments.ts';
import { UsageError } from '../arguments/usage-error.ts';

/** A query of the caller's own in one of the two languages. */
export type AdHocQuery =
  | { readonly sql: string; readonly lql?: never }
  | { readonly lql: string; readonly sql?: never };

/** More than any service takes; what comes is held in memory. */
const MAX_BYTES = 1024 * 1024;

/**
 * The query that `--sql` or `--lql` gives, `-` from standard input; null without one. Throws a UsageError for both,
 * and for input that is empty, too long or not UTF-8.
 */
export async function readAdHocQuery(given: Arguments, stdin: Readable): Promise<AdHocQuery | null> {
  const [sql, lql] = [given.text('--sql'), given.text('--lql')];
  if (sql !== undefined && lql !== undefined) throw new UsageError('Give --sql or --lql, not both.');
  if (sql !== undefined) return { sql: sql === '-' ? await readAll(stdin) : sql };
  if (lql !== undefined) return { lql: lql === '-' ? await readAll(stdin) : lql };
  return null;
}

async function readAll(stdin: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > MAX_BYTES) throw new UsageError('The query on standard input is longer than 1 MiB.');
    chunks.push(bytes);
  }
  const text = decode(Buffer.concat(chunks));
  if (text.trim() === '') throw new UsageError('There is no query on standard input.');
  return text;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new UsageError('The query on standard input is not UTF-8 text.', { cause });
  }
}
