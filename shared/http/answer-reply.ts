import type { IncomingHttpHeaders } from 'node:http';
import type { CacheReply } from '../cache/result-cache.ts';
import { type AnswerFacts, factHeaders, metaOf } from './answer-meta.ts';
import type { AnswerOptions } from './answer-options.ts';
import { encodeAnswer } from './encode-answer.ts';
import { bodyReply, emptyReply, NO_STORE, type Reply } from './reply.ts';

/** What the answer to the same URL hangs on besides the URL. */
const VARY = 'Accept, Accept-Encoding, X-API-KEY, Authorization, LF-ENDPOINT-REDACT-PII';

/** What replying needs to know of the request. */
export interface ReplyContext {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly options: AnswerOptions;
  /** How long the caller may keep the answer, its age counted; 0 for not at all. */
  readonly ttlSeconds: number;
}

/**
 * The reply with an answer: its body in the caller's format and coding, and in headers what the rows do not tell. A
 * caller that has these bytes already gets 304 (RFC 9110, section 13.1.2).
 */
export async function answerReply(
  { entry, ageSeconds, hold }: CacheReply,
  facts: AnswerFacts,
  { method, headers, options, ttlSeconds }: ReplyContext,
): Promise<Reply> {
  const isKept = ttlSeconds > 0;
  const meta = options.hasMeta ? metaOf(facts) : null;
  const { body, mediaType, coding, etag } = await encodeAnswer(entry, options, meta, isKept);
  hold.encoded(body);
  const cacheControl = isKept ? `private, max-age=${Math.max(0, ttlSeconds - ageSeconds)}` : NO_STORE;
  const own = ['Vary', VARY, ...factHeaders(facts)];
  if (isKept && etag !== null) {
    own.push('ETag', etag);
    if (isRead(method) && matches(headers['if-none-match'], etag)) {
      return emptyReply(304, ['Cache-Control', cacheControl, ...own]);
    }
  }
  if (coding !== 'identity') own.push('Content-Encoding', coding);
  return bodyReply(200, mediaType, cacheControl, body, own);
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Whether an `If-None-Match` names the tag, or any; weak ones count (RFC 9110, section 13.1.2). */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
