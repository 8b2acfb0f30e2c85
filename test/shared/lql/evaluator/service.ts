import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RealService, startRealService } from '../../../data/support/real-service.ts';
import type { FaultClass } from './model.ts';

/** Starts the service over log files of the given lines. */
export async function startWithLines(
  files: Readonly<Record<string, readonly string[]>>,
): Promise<RealService> {
  const folder = await mkdtemp(join(tmpdir(), 'lql-logs-'));
  try {
    for (const [source, lines] of Object.entries(files)) {
      await writeFile(join(folder, `${source}.ndjson`), lines.map((line) => `${line}\n`).join(''));
    }
    return await startRealService('--logs', folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The project of all events of the data set. */
export const PROJECT = 'lqlcorpusprojectref0';

/** A row on the wire. */
export type WireRow = Readonly<Record<string, unknown>>;

export type ServiceReply =
  | { readonly kind: 'rows'; readonly rows: readonly WireRow[] }
  | { readonly kind: 'fault'; readonly fault: FaultClass };

/** Asks the service in LQL at a time. */
export async function askLql(service: RealService, lql: string, nowMicros: bigint): Promise<ServiceReply> {
  service.nowMicros = nowMicros;
  const answer = await service.ask('logs.all', new URLSearchParams({ project: PROJECT, lql }));
  const body = answer.json() as {
    readonly result?: readonly WireRow[];
    readonly error?: { readonly details?: readonly { readonly reason?: FaultClass }[] };
  };
  if (answer.status === 200 && body.result !== undefined) return { kind: 'rows', rows: body.result };
  const fault = body.error?.details?.find(({ reason }) => reason !== undefined)?.reason;
  if (answer.status !== 400 || fault === undefined) throw new Error(`${answer.status}: ${answer.text}`);
  return { kind: 'fault', fault };
}
