import type { QueryUsage } from '../../warehouse/warehouse.ts';
import type { RequestNotes, RouteDeps } from '../http-deps.ts';

/** Counts what the queries of one request took. */
export interface UsageNotes {
  /** Adds to the request's notes; once its line is written, writes a line of its own. */
  readonly count: (usage: QueryUsage) => void;
  /** Told when the request's line has been written. */
  readonly close: () => void;
}

/** Makes the count of one request. A query that was cancelled is counted some time after the answer that says so. */
export function makeUsageNotes(
  notes: RequestNotes,
  requestId: string,
  logger: Pick<RouteDeps['logger'], 'lateUsage'>,
): UsageNotes {
  let isWritten = false;
  return {
    count: ({ bytesProcessed, bytesBilled }) => {
      const taken: Pick<RequestNotes, 'bytesBilled' | 'bytesProcessed'> = isWritten ? {} : notes;
      if (bytesProcessed !== null) taken.bytesProcessed = (taken.bytesProcessed ?? 0) + bytesProcessed;
      if (bytesBilled !== null) taken.bytesBilled = (taken.bytesBilled ?? 0) + bytesBilled;
      if (!isWritten) return;
      logger.lateUsage({ requestId, notes: { ...callerOf(notes), ...taken } });
    },
    close: () => {
      isWritten = true;
    },
  };
}

/** Under what the bytes of a request are added up. */
function callerOf({ endpoint, token }: RequestNotes): Pick<RequestNotes, 'endpoint' | 'token'> {
  return { ...(endpoint === undefined ? {} : { endpoint }), ...(token === undefined ? {} : { token }) };
}
