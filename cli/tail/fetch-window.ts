import { makeClient, QueryError } from '../../client/client.js';
import { formatMicros } from '../../shared/time/iso-timestamp.ts';
import type { ServiceAddress } from '../service/address.ts';
import { unexpectedService } from '../service/get.ts';
import { readEntry } from './entry.ts';
import type { WindowAnswer, WindowRequest } from './read-window.ts';
import type { TailQuery } from './tail-query.ts';

/** The parameters that bound the time of the endpoint's sources. */
export const TIME_BOUNDS = ['iso_timestamp_start', 'iso_timestamp_end'] as const;

export interface FetchWindowOptions {
  readonly address: ServiceAddress;
  readonly endpoint: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: TailQuery;
  readonly isRedacted: boolean;
  readonly signal: AbortSignal;
}

/** Asks the service for the newest entries of a window; the time is that of the answer's Date header. */
export function makeFetchWindow(
  options: FetchWindowOptions,
): (request: WindowRequest) => Promise<WindowAnswer & { readonly nowMicros: number }> {
  const { address, endpoint, parameters, query, isRedacted, signal } = options;
  const clock = { nowMs: Date.now() };
  const client = makeClient({
    ...address,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      // Local time would do only if both clocks agreed.
      const date = Date.parse(response.headers.get('date') ?? '');
      clock.nowMs = Number.isNaN(date) ? Date.now() : date;
      return response;
    },
  });
  const { maxRows, ...adHocQuery } = query;
  const [start, end] = TIME_BOUNDS;

  return async ({ startMicros, endMicros }) => {
    const bounds = { [start]: instant(startMicros), [end]: instant(endMicros) };
    const answer = await client.text(
      endpoint,
      { ...parameters, ...bounds },
      { ...adHocQuery, format: 'ndjson', redactPii: isRedacted, signal },
    );
    const { rowCount, truncated } = answer.facts;
    if (rowCount === null) throw unexpectedService();
    const lines = answer.text.split('\n').filter((line) => line !== '');
    const entries = lines.map((line) => readEntry(line) ?? refuse());
    return { entries, isFull: truncated || entries.length >= maxRows, nowMicros: clock.nowMs * 1000 };
  };
}

function instant(micros: number | null): string | null {
  return micros === null ? null : formatMicros(BigInt(micros));
}

function refuse(): never {
  throw new QueryError(
    'tail needs the columns id and timestamp; choose an endpoint that has them, and leave s: and c: out of --lql.',
    { code: 400, status: 'INVALID_ARGUMENT' },
  );
}
