import type { CachedAnswer } from '../cache/answer.ts';
import { ServiceError } from '../errors/service-error.ts';
import { redactJsonText } from '../privacy/redact-json-text.ts';
import { redactText } from '../privacy/redact-text.ts';
import type { RunOptions, Warehouse, WarehouseQuery } from '../warehouse/warehouse.ts';

/** Runs a query and redacts what it answers, the message of a failure too. */
export async function runQuery(
  warehouse: Warehouse,
  query: WarehouseQuery,
  options: RunOptions,
  isRedacted: boolean,
): Promise<CachedAnswer> {
  if (!isRedacted) return { ...(await warehouse.run(query, options)), facts: {} };
  const result = await warehouse.run(query, options).catch((error: unknown) => {
    throw redactFailure(error);
  });
  let redactions = 0;
  const rows = result.rows.map((row) => {
    const { text, count } = redactJsonText(row);
    redactions += count;
    return text;
  });
  return { ...result, rows, facts: { redactions } };
}

/** A failure whose message may quote values of the logs, without what identifies persons; its cause stays for the log. */
function redactFailure(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { kind, message, details, headers, cause } = error;
  return new ServiceError(kind, redactText(message).text, { details, headers, cause });
}
