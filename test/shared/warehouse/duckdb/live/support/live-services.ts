import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCHEMAS } from '../../loading/log-folder.ts';
import { type OpenLive, type OpenLiveOptions, openLive } from './open-live.ts';

export type LiveService = OpenLive & { readonly databaseFile: string };

/** Services in a folder of their own, which goes away with them. */
export interface LiveServices {
  /** A service over these loaded entries of app_logs; a second one of the same database goes on with what was taken. */
  start(lines: readonly string[], options?: Partial<OpenLiveOptions>): Promise<LiveService>;
  stop(service: LiveService): Promise<void>;
  stopAll(): Promise<void>;
  remove(): void;
}

export function liveServices(): LiveServices {
  const folder = mkdtempSync(join(tmpdir(), 'live-store-'));
  const open = new Set<LiveService>();
  let last = 0;
  const stop = async (service: LiveService) => {
    if (open.delete(service)) await service.close();
  };
  return {
    start: async (lines, options = {}) => {
      const logs = join(folder, String(++last));
      mkdirSync(logs);
      writeFileSync(join(logs, 'app_logs.ndjson'), lines.map((line) => `${line}\n`).join(''));
      const databaseFile = options.databaseFile ?? join(folder, `${last}.db`);
      const service = {
        ...(await openLive({ schemas: SCHEMAS, logs, databaseFile, ...options })),
        databaseFile,
      };
      open.add(service);
      return service;
    },
    stop,
    stopAll: async () => {
      for (const service of open) await stop(service);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** An entry of app_logs as a log file has it, at a second of one minute. */
export function entry(id: string, second: number, rest: object = {}): string {
  return JSON.stringify({ id, timestamp: `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`, ...rest });
}

export const IDS = 'SELECT id FROM logs.app_logs ORDER BY timestamp DESC LIMIT 100';

export function idsOf(rows: readonly string[]): readonly string[] {
  return rows.map((row) => (JSON.parse(row) as { id: string }).id);
}
