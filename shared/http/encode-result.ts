import { ServiceError } from '../errors/service-error.ts';
import { redactJsonText } from '../privacy/redact-json-text.ts';
import { redactText } from '../privacy/redact-text.ts';
import type { QueryResult } from '../warehouse/warehouse.ts';
import { ignoredParametersHeader } from './ignored-parameters.ts';
import { jsonReply, type Reply } from './reply.ts';

/** What the answer to the same URL hangs on besides the URL. */
const ON_RESULTS = ['Vary', 'X-API-KEY, Authorization, LF-ENDPOINT-REDACT-PII', 'X-Cache', 'BYPASS'] as const;

/** The same rows with what identifies persons replaced, each row on its own. */
export function redactRows(result: QueryResult): QueryResult {
  return { ...result, rows: result.rows.map((row) => redactJsonText(row).text) };
}

/** A failure whose message may quote values of the logs, without what identifies persons; its cause stays for the log. */
export function redactFailure(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { kind, message, details, headers, cause } = error;
  return new ServiceError(kind, redactText(message).text, { details, headers, cause });
}

/** The answer with a result: the rows' texts joined as they are, and in headers what the envelope does not tell. */
export function encodeResult(result: QueryResult, ignored: readonly string[]): Reply {
  const headers: string[] = [...ON_RESULTS, 'X-Row-Count', String(result.rows.length)];
  if (result.truncated) headers.push('X-Truncated', 'true');
  if (ignored.length > 0) headers.push('X-Ignored-Parameters', ignoredParametersHeader(ignored));
  return jsonReply(200, Buffer.from(`{"result":[${result.rows.join(',')}]}`), headers);
}
