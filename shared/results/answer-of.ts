import type { CachedAnswer } from '../cache/answer.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Redactor } from '../privacy/redactor.ts';
import type { QueryResult } from '../warehouse/warehouse.ts';

/** The answer that a running query gives and, with a redactor, redacted, the message of a failure too. */
export async function answerOf(
  running: Promise<QueryResult>,
  redactor: Redactor | null,
): Promise<CachedAnswer> {
  if (redactor === null) return { ...(await running), facts: {} };
  const result = await running.catch((error: unknown) => {
    throw redactFailure(error, redactor);
  });
  let redactions = 0;
  const rows = result.rows.map((row) => {
    const { text, count } = redactor.json(row);
    redactions += count;
    return text;
  });
  return { ...result, rows, facts: { redactions } };
}

/** A failure whose message may quote values of the logs, without what identifies persons; its cause stays for the log. */
function redactFailure(error: unknown, redactor: Redactor): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { kind, message, details, headers, cause } = error;
  return new ServiceError(kind, redactor.text(message).text, { details, headers, cause });
}
