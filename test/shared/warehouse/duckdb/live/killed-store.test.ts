import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { CONTRACT_TABLES } from '../../contract/contract-logs.ts';
import { openLive } from './support/open-live.ts';

const folder = mkdtempSync(join(tmpdir(), 'killed-store-'));
const SCRIPT = new URL('./support/append-until-killed.ts', import.meta.url).pathname;
const KILLS = 12;

afterAll(() => rmSync(folder, { recursive: true }));

/** Appends in a process of its own, which is killed `afterMs` after its first batch; answers the batches that it was told were taken. */
async function appendAndKill(databaseFile: string, run: number, afterMs: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [SCRIPT, databaseFile, String(run)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {},
  });
  let output = '';
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += String(chunk);
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  for await (const chunk of child.stdout) {
    if (!output.includes('\n')) setTimeout(() => child.kill('SIGKILL'), afterMs);
    output += String(chunk);
  }
  await closed;
  expect(output.startsWith('open\n') ? '' : errors).toBe('');
  // The last line may have been cut off.
  return output.split('\n').slice(1, -1);
}

describe('a store whose process is killed again and again', () => {
  it('has all that was taken, each entry once, and no part of a batch', async () => {
    const databaseFile = join(folder, 'logs.db');
    const taken: string[] = [];
    for (let run = 0; run < KILLS; run += 1) {
      // From while it opens what the last one left to when much was merged.
      taken.push(...(await appendAndKill(databaseFile, run, 20 + ((run * 389) % 1_500))));
    }
    expect(taken.length).toBeGreaterThan(KILLS);
    const logs = join(folder, 'none');
    mkdirSync(logs);
    const { run, live, close } = await openLive({ schemas: CONTRACT_TABLES, logs, databaseFile });
    const check = async () => {
      const { rows } = await run(
        'SELECT event_message AS batch, COUNT(*) AS n, COUNT(DISTINCT id) AS ids FROM logs.edge_logs GROUP BY batch',
        { maxRows: 1_000_000 },
      );
      const counts = rows.map((row) => JSON.parse(row) as { batch: string; n: number; ids: number });
      expect(counts.filter(({ n, ids }) => n !== 5 || ids !== 5)).toEqual([]);
      const stored = new Set(counts.map(({ batch }) => batch));
      expect(taken.filter((batch) => !stored.has(batch))).toEqual([]);
    };
    await check();
    await live.settle();
    await check();
    await close();
  });
});
