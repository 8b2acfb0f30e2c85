import { randomBytes } from 'node:crypto';
import type { CachedAnswer } from '../../../../shared/cache/answer.ts';
import type { AnswerRequest } from '../../../../shared/cache/result-cache.ts';

/** An answer of one column with the values given. */
export function answerOf(...values: readonly (string | number)[]): CachedAnswer {
  return {
    columns: [{ name: 'v', type: { kind: 'JSON' } }],
    rows: values.map((value) => JSON.stringify({ v: value })),
    truncated: false,
    bytesProcessed: 10_000,
    bytesBilled: 10_485_760,
    facts: {},
  };
}

/** An answer that takes about so many bytes, and that no compression makes much smaller. */
export function largeAnswer(bytes: number): CachedAnswer {
  const rowBytes = 10_000;
  const row = () => randomBytes((rowBytes * 3) / 4).toString('base64');
  return answerOf(...Array.from({ length: Math.ceil(bytes / rowBytes) }, row));
}

/** A request with what most tests want, changed where they do not. */
export function requestOf(
  compute: AnswerRequest['compute'],
  changes: Partial<AnswerRequest> = {},
): AnswerRequest {
  return {
    ttlSeconds: 900,
    refresh: false,
    recheckSeconds: null,
    signal: new AbortController().signal,
    compute,
    ...changes,
  };
}
