import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { QueryResult, Warehouse } from '../../../shared/warehouse/warehouse.ts';
import type { Host } from '../world/host.ts';
import type { World } from '../world/world.ts';
import { SECRET } from './endpoints.ts';
import type { Ledger, Run } from './ledger.ts';

/** How queries fare. */
export interface QueryFates {
  /** Milliseconds that most queries take. */
  readonly usualMs: readonly [number, number];
  /** How likely a query takes up to `slowMs`. */
  readonly slow: number;
  readonly slowMs: number;
  readonly fails: number;
  /** How likely a query ends by its deadline alone. */
  readonly hangs: number;
}

/** A warehouse whose answers name the run that they are from, and whom it was for. */
export function simulatedWarehouse(
  world: World,
  host: Host,
  ledger: Ledger,
  fates: () => QueryFates,
  onRun: (run: Run) => void,
): Warehouse {
  return {
    tables: new Map(),
    prepare: async () => ({ columns: [] }),
    ping: async () => {},
    close: async () => {},
    run({ sql, parameters }, { deadlineMs, signal, labels }) {
      const { usualMs, slow, slowMs, fails, hangs } = fates();
      const run: Run = {
        number: ledger.runs.length,
        host,
        sql,
        project: String(parameters.get('project')?.value),
        isWarming: labels?.token === 'warming',
        account: labels?.token ?? '',
        startedMs: world.nowMs,
        endedMs: null,
        hasSucceeded: false,
      };
      ledger.runs.push(run);
      world.note(
        host.name,
        `run ${run.number} of ${sql} for ${run.project}${run.isWarming ? ', warming' : ''}`,
      );
      onRun(run);
      const [low, high] = world.random.chance(slow) ? [usualMs[1], slowMs] : usualMs;
      const takesMs = low + world.random.unit() * (high - low);
      const isFailing = world.random.chance(fails);
      const endsByDeadline = world.random.chance(hangs) || takesMs > deadlineMs;
      return new Promise<QueryResult>((resolve, reject) => {
        const end = (outcome: string) => {
          cancel();
          signal?.removeEventListener('abort', onAbort);
          run.endedMs = world.nowMs;
          world.note(host.name, `run ${run.number} ${outcome}`);
        };
        const onAbort = () => {
          end('is interrupted');
          reject(signal?.reason);
        };
        const cancel = world.after(endsByDeadline ? deadlineMs : takesMs, host, 'query', () => {
          if (endsByDeadline) {
            end('ends by its deadline');
            reject(new ServiceError('deadline_exceeded', 'The query took too long.'));
          } else if (isFailing) {
            end('fails');
            reject(new ServiceError('unavailable', 'The warehouse failed.'));
          } else {
            run.hasSucceeded = true;
            end('answers');
            resolve(resultOf(run));
          }
        });
        if (signal?.aborted) onAbort();
        else signal?.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
}

function resultOf({ number, sql, project }: Run): QueryResult {
  return {
    columns: [{ name: 'run', type: { kind: 'INT64' } }],
    rows: [JSON.stringify({ run: number, sql, project, from: SECRET })],
    truncated: false,
    bytesProcessed: 1000,
    bytesBilled: 10_485_760,
  };
}

/** What an answer's row says. */
export interface AnsweredRow {
  readonly run: number;
  readonly sql: string;
  readonly project: string;
  readonly from: string;
}
