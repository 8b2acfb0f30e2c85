import { etagOf } from '../../cache/answer.ts';
import type { CacheEntry } from '../../cache/cache-entry.ts';
import type { CacheReply } from '../../cache/result-cache.ts';
import { compress, MIN_COMPRESSED_BYTES } from '../formats/coding.ts';
import { encodeRows, withMeta } from '../formats/encode-rows.ts';
import { MEDIA_TYPES } from '../formats/format.ts';
import { withTimestamps } from '../formats/timestamps.ts';
import type { QueryContext } from '../query/query-context.ts';
import { type AnswerNotes, metaOf, noteHeaders } from './answer-meta.ts';
import { bodyReply, emptyReply, NO_STORE, type Reply } from './reply.ts';

/** What the answer to the same URL depends on besides the URL. */
const VARY = 'Accept, Accept-Encoding, X-API-KEY, Authorization, LF-ENDPOINT-REDACT-PII';

/**
 * The reply with a result: its body in the caller's format and coding, and in headers what the rows do not show. A
 * caller that has these bytes already gets 304 (RFC 9110, section 13.1.2). Bodies of a cached result are made once and
 * stored with it; the envelope with `meta` differs from request to request and is made each time.
 */
export async function answerReply(
  { exchange, options }: Pick<QueryContext, 'exchange' | 'options'>,
  result: CacheReply,
  notes: AnswerNotes,
): Promise<Reply> {
  const { req, method, requestId } = exchange;
  const { entry, ageSeconds, hold, state } = result;
  exchange.notes.rows = entry.answer.rows.length;
  exchange.notes.cache = state;
  const { format, timestamps, hasMeta } = options;
  const plainName = timestamps === 'us' ? format : `${format}-${timestamps}`;
  const plain = await storedBody(entry, plainName, async () => {
    const { columns, rows } = entry.answer;
    return encodeRows({ columns, rows: withTimestamps(columns, rows, timestamps) }, format);
  });
  const coding = plain.length < MIN_COMPRESSED_BYTES ? 'identity' : options.coding;
  const representation = coding === 'identity' ? plainName : `${plainName}-${coding}`;
  const body = hasMeta
    ? await compress(withMeta(plain, metaOf(result, notes, requestId)), coding)
    : await storedBody(entry, representation, () => compress(plain, coding));
  hold.encoded(body);
  exchange.timing.end('encode');

  const { ttlSeconds } = notes;
  const mayStore = ttlSeconds > 0;
  const cacheControl = mayStore ? `private, max-age=${Math.max(0, ttlSeconds - ageSeconds)}` : NO_STORE;
  const headers = ['Vary', VARY, ...noteHeaders(result, notes)];
  if (mayStore && !hasMeta) {
    const etag = etagOf(entry.contentHash, representation);
    headers.push('ETag', etag);
    if (isRead(method) && matches(req.headers['if-none-match'], etag)) {
      return emptyReply(304, ['Cache-Control', cacheControl, ...headers]);
    }
  }
  if (coding !== 'identity') headers.push('Content-Encoding', coding);
  return bodyReply(200, MEDIA_TYPES[format], cacheControl, body, headers);
}

async function storedBody(
  { bodies }: CacheEntry,
  representation: string,
  make: () => Promise<Buffer>,
): Promise<Buffer> {
  const stored = bodies.get(representation);
  if (stored !== undefined) return stored;
  const body = await make();
  bodies.set(representation, body);
  return body;
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Whether an `If-None-Match` names the tag, or any; weak ones count (RFC 9110, section 13.1.2). */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
