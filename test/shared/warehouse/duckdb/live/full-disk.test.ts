import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from '@jest/globals';
import { CONTRACT_TABLES } from '../../contract/contract-logs.ts';
import { openLive } from './support/open-live.ts';

const folder = mkdtempSync(join(tmpdir(), 'full-disk-'));
const SCRIPT = new URL('./support/append-until-full.ts', import.meta.url).pathname;
/** The loaded database fits, and some hundred entries. */
const MOST_KIB = 4_096;
const COUNT = 'SELECT COUNT(*) AS n, COUNT(DISTINCT id) AS ids FROM logs.edge_logs';

afterAll(() => rmSync(folder, { recursive: true }));

describe('a store whose file of records cannot grow', () => {
  it('refuses batches as a whole, is read all the while, and takes batches when the file can grow again', async () => {
    const databaseFile = join(folder, 'logs.db');
    const logs = join(folder, 'none');
    mkdirSync(logs);
    const script = `ulimit -S -f ${MOST_KIB} && exec "$@"`;
    const child = spawn('bash', ['-c', script, 'bash', process.execPath, SCRIPT, databaseFile, logs], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {},
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const report = async () => JSON.parse((await lines.next()).value ?? 'null');

    const { taken, refusal, again, rows } = await report();
    expect(taken).toBeGreaterThan(0);
    expect(refusal).toEqual({
      kind: 'unavailable',
      message:
        'the entries were not stored: a file of the database may not grow any more; send them again later',
    });
    expect(again).toEqual(refusal);
    expect(rows).toEqual([`{"n":${taken},"ids":${taken}}`]);

    execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited']);
    child.stdin.write('\n');
    expect(await report()).toEqual({
      after: { taken: 20, duplicates: 0 },
      rows: [`{"n":${taken + 20},"ids":${taken + 20}}`],
    });
    expect(await report()).toEqual({ warnings: [] });

    const { ask, close, warnings } = await openLive({ schemas: CONTRACT_TABLES, logs, databaseFile });
    expect(await ask(COUNT)).toEqual([`{"n":${taken + 20},"ids":${taken + 20}}`]);
    expect(warnings).toEqual([]);
    await close();
  });
});
