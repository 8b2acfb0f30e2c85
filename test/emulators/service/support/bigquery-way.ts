import {
  type FakeAnswer,
  type FakeCall,
  startFakeBigQuery,
} from '../../../shared/warehouse/bigquery/support/fake-bigquery.ts';
import { emulatorHost } from '../../bigquery/support/emulated-dataset.ts';

/** What becomes of a call in place of the emulator's own answer, which `passOn` gets. */
export type BigQueryFault = (
  call: FakeCall,
  passOn: () => Promise<FakeAnswer>,
) => FakeAnswer | Promise<FakeAnswer>;

/** A way to the emulator of BigQuery on which calls can fail. */
export interface BigQueryWay {
  readonly host: string;
  /** Every call so far, whatever became of it. */
  readonly calls: readonly FakeCall[];
  /** Null passes all calls on. */
  fault: BigQueryFault | null;
  close(): Promise<void>;
}

export async function startBigQueryWay(): Promise<BigQueryWay> {
  const fake = await startFakeBigQuery((call) => {
    const { fault } = way;
    return fault === null ? passOn(call) : fault(call, () => passOn(call));
  });
  const way: BigQueryWay = { host: fake.host, calls: fake.calls, fault: null, close: fake.close };
  return way;
}

async function passOn({ method, path, query, body }: FakeCall): Promise<FakeAnswer> {
  const response = await fetch(`http://${emulatorHost()}${path}?${query}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: body === null ? null : JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}
