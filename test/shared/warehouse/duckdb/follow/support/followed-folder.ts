import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { LogSink } from '../../../../../../shared/ingest/log-sink.ts';
import { loadConfig } from '../../../../../../shared/runtime/config.ts';
import { processContext } from '../../../../../../shared/runtime/config-context.ts';
import { openDuckDb } from '../../../../../../shared/runtime/open-duckdb.ts';
import type { TableSchemas } from '../../../../../../shared/schema/table-schema.ts';
import { followLogs } from '../../../../../../shared/warehouse/duckdb/follow/follow-logs.ts';
import { SCHEMAS } from '../../loading/log-folder.ts';

/** A folder whose files are followed, and the database that their entries go to. */
export interface FollowedFolder {
  readonly path: string;
  readonly warnings: string[];
  file(name: string): string;
  write(name: string, text: string | Uint8Array): void;
  append(name: string, text: string): void;
  /** Loads what is there, and follows from then on; with the database of the start before. `wrap` stands before the sink. */
  start(wrap?: (sink: LogSink) => LogSink, schemas?: TableSchemas): Promise<void>;
  /** Loads what is there without following it, with the same database. */
  load(): Promise<void>;
  readonly databaseFile: string;
  stop(): Promise<void>;
  /** The messages of the entries of a source, in order of time and message. */
  messages(source?: string): Promise<readonly string[]>;
  rows(sql: string): Promise<readonly string[]>;
  /** Resolves when a source has these messages, or fails with those that it has after ten seconds. */
  expectMessages(expected: readonly string[], source?: string): Promise<void>;
  expectWarning(pattern: RegExp): Promise<void>;
  remove(): Promise<void>;
}

const WAIT_MS = 20_000;
const STEP_MS = 30;

export function followedFolder(): FollowedFolder {
  const base = mkdtempSync(join(tmpdir(), 'follow-'));
  const path = join(base, 'logs');
  mkdirSync(path);
  const warnings: string[] = [];
  const databaseFile = join(base, 'logs.duckdb');
  const warn = (message: string) => void warnings.push(message);
  const open = (signal: AbortSignal, more: readonly string[], schemas: TableSchemas = SCHEMAS) => {
    const argv = ['--logs', path, '--database', databaseFile, '--memory-limit', '128', ...more];
    const options = { warn, signal, nowMicros: 0n, clockMicros: () => 0n, progress: () => {} };
    return openDuckDb(schemas, loadConfig(argv, {}, processContext(false)), options);
  };
  let running: { opened: Awaited<ReturnType<typeof openDuckDb>>; stop: () => Promise<void> } | null = null;

  const rows = async (sql: string) => {
    const { rows: found } = await running!.opened.warehouse.run(
      { sql, parameters: new Map() },
      { maxRows: 1_000_000, deadlineMs: 60_000, nowMicros: 0n },
    );
    return found;
  };
  const messages = async (source = 'app_logs') =>
    (await rows(`SELECT event_message AS m FROM logs.${source} ORDER BY timestamp, event_message`)).map(
      (row) => (JSON.parse(row) as { m: string }).m,
    );
  const eventually = async (check: () => Promise<boolean>) => {
    const endMs = performance.now() + WAIT_MS;
    while (!(await check()) && performance.now() < endMs) await sleep(STEP_MS);
  };

  return {
    path,
    warnings,
    file: (name) => join(path, name),
    write: (name, text) => writeFileSync(join(path, name), text),
    append: (name, text) => appendFileSync(join(path, name), text),
    start: async (wrap = (sink) => sink, schemas = SCHEMAS) => {
      const stop = new AbortController();
      const { signal } = stop;
      const opened = await open(signal, ['--follow'], schemas);
      const { logs, logSink } = opened;
      const following = followLogs({
        ...{ ...logs.follow!, directory: path, sink: wrap(logSink), warn, signal },
        intervalMs: 20,
      });
      running = {
        opened,
        stop: async () => {
          stop.abort();
          await following;
          await opened.warehouse.close();
        },
      };
    },
    databaseFile,
    load: async () => {
      await (await open(new AbortController().signal, [])).warehouse.close();
    },
    stop: async () => {
      await running?.stop();
      running = null;
    },
    rows,
    messages,
    expectMessages: async (expected, source) => {
      let found: readonly string[] = [];
      await eventually(async () => {
        found = await messages(source);
        return JSON.stringify(found) === JSON.stringify(expected);
      });
      expect(found).toEqual(expected);
    },
    expectWarning: async (pattern) => {
      await eventually(async () => warnings.some((warning) => pattern.test(warning)));
      expect(warnings.join('\n')).toMatch(pattern);
    },
    remove: async () => {
      await running?.stop();
      running = null;
      rmSync(base, { recursive: true });
    },
  };
}

/** The line of an entry, without an id unless it is given. */
export function line(message: string, second: number, rest: object = {}): string {
  const timestamp = `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`;
  return `${JSON.stringify({ timestamp, event_message: message, ...rest })}\n`;
}
