import { bytesBilledByRule } from '../../../../../shared/warehouse/bytes-billed.ts';
import { type FakeAnswer, type FakeCall, failed } from './fake-bigquery.ts';

const MICROS_PER_HOUR = 3_600_000_000n;

/** Tables that have a partition for each hour, as BigQuery bills them: whole partitions. */
export interface BilledTables {
  /** The parameters that bound the time of what is read. */
  readonly timeWindow: { readonly start: string; readonly end: string };
  /** The hours since the epoch that have entries; the last one is not part of it. */
  readonly hours: { readonly from: number; readonly to: number };
  /** What reading one hour reads, in bytes. */
  readonly bytesOf: (hour: number) => number;
}

/** What BigQuery answers to a dry run, and to a query that would bill more than it may; null for any other call. */
export function billedAnswer(call: FakeCall, tables: BilledTables): FakeAnswer | null {
  const { body, path } = call;
  const collection = path.split('/').at(-1);
  if (collection === 'jobs') return { json: { statistics: { query: { referencedTables: [] } } } };
  if (call.method !== 'POST' || collection !== 'queries') return null;
  const bytes = bytesRead(body.queryParameters ?? [], tables);
  if (body.dryRun === true)
    return { json: { totalBytesProcessed: String(bytes), schema: { fields: [] }, jobComplete: true } };
  const billed = bytesBilledByRule(bytes, 1);
  const cap = body.maximumBytesBilled;
  if (cap === undefined || billed <= Number(cap)) return null;
  const message = `Query exceeded limit for bytes billed: ${cap}. ${billed} or higher required.`;
  return failed(400, 'bytesBilledLimitExceeded', message);
}

/** The dry runs among the calls. */
export function dryRuns(calls: readonly FakeCall[]): readonly FakeCall[] {
  return calls.filter(({ body }) => body?.dryRun === true);
}

interface Sent {
  readonly name: string;
  readonly parameterValue: { readonly value: string | null };
}

function bytesRead(parameters: readonly Sent[], { timeWindow, hours, bytesOf }: BilledTables): number {
  const hourOf = (name: string) => {
    const text = parameters.find((parameter) => parameter.name === name)?.parameterValue.value ?? null;
    return text === null ? null : Number(microsOf(text) / MICROS_PER_HOUR);
  };
  const from = Math.max(hours.from, hourOf(timeWindow.start) ?? hours.from);
  const to = Math.min(hours.to, (hourOf(timeWindow.end) ?? hours.to) + 1);
  let bytes = 0;
  for (let hour = from; hour < to; hour++) bytes += bytesOf(hour);
  return bytes;
}

function microsOf(text: string): bigint {
  const [seconds = '', fraction = ''] = text.replace('+00:00', '').split('.');
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000n + BigInt(fraction);
}
