import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** What the tests read of a request that was made. */
export interface EdgeRequest {
  readonly method?: string | null;
  readonly path?: string | null;
  readonly url?: string | null;
  readonly headers?: readonly { readonly x_real_ip?: string | null }[];
}

/** An entry as it stands in a log file, with its time in microseconds since the epoch besides. */
export interface EdgeEntry {
  readonly id: string;
  readonly micros: bigint;
  readonly project: string | null;
  readonly event_message: string;
  readonly metadata: readonly {
    readonly request?: readonly EdgeRequest[] | null;
    readonly response?: readonly { readonly status_code?: number | null }[] | null;
  }[];
}

/** The ten thousand real requests, in the order of the file. */
export function realEntries(): readonly EdgeEntry[] {
  const lines = gunzipSync(readFileSync('../shared/data/edge_logs.ndjson.gz'))
    .toString('utf8')
    .trim()
    .split('\n');
  return lines.map((line) => {
    const entry = JSON.parse(line) as EdgeEntry & { readonly timestamp: string };
    return { ...entry, micros: BigInt(Date.parse(entry.timestamp)) * 1000n };
  });
}

/** What logs.all has to answer, found without any of the service's code. Bounds in microseconds. */
export function newestEntries(
  entries: readonly EdgeEntry[],
  project: string,
  { start, end }: { readonly start?: bigint | undefined; readonly end?: bigint | undefined } = {},
): object[] {
  return entries
    .filter((entry) => entry.project === project)
    .filter(({ micros }) => (start === undefined || micros > start) && (end === undefined || micros <= end))
    .sort(newestFirst)
    .slice(0, 100)
    .map(({ id, micros, event_message, metadata }) => ({
      id,
      timestamp: Number(micros),
      event_message,
      metadata,
    }));
}

/** Of equal times the greater id comes first. */
function newestFirst(a: EdgeEntry, b: EdgeEntry): number {
  if (a.micros !== b.micros) return a.micros > b.micros ? -1 : 1;
  return a.id > b.id ? -1 : 1;
}

/** Leaves out what an answer may have beside an entry: fields that are NULL, and arrays that are empty. */
export function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  const filled = Object.entries(value).filter(
    ([, field]) => field !== null && !(Array.isArray(field) && field.length === 0),
  );
  return Object.fromEntries(filled.map(([name, field]) => [name, bare(field)]));
}
