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

/** What a batch is answered that does not fit. */
const REFUSAL = {
  kind: 'unavailable',
  message: 'the entries were not stored: a file of the database may not grow any more; send them again later',
};

describe('a store whose file of records cannot grow', () => {
  it.each([
    ['the last of many batches', 20],
    ['the first batch of the file', 3_000],
  ])(
    'refuses %s as a whole, is read all the while, and takes batches when there is room',
    async (_, first) => {
      const databaseFile = join(folder, `${first}.db`);
      const logs = join(folder, String(first));
      mkdirSync(logs);
      const script = `ulimit -S -f ${MOST_KIB} && exec "$@"`;
      const argv = [process.execPath, SCRIPT, databaseFile, logs, String(first)];
      const child = spawn('bash', ['-c', script, 'bash', ...argv], {
        stdio: ['pipe', 'pipe', 'inherit'],
        env: {},
      });
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
      const report = async () => JSON.parse((await lines.next()).value ?? 'null');

      const { taken, refusal, again, rows } = await report();
      expect(taken > 0).toBe(first === 20);
      expect(refusal).toEqual(REFUSAL);
      expect(again).toEqual(first === 20 ? REFUSAL : { taken: 20, duplicates: 0 });
      const before = first === 20 ? taken : 20;
      expect(rows).toEqual([`{"n":${before},"ids":${before}}`]);

      execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited']);
      child.stdin.write('\n');
      const all = [`{"n":${before + 20},"ids":${before + 20}}`];
      expect(await report()).toEqual({ after: { taken: 20, duplicates: 0 }, rows: all });
      expect(await report()).toEqual({ warnings: [] });

      const { ask, close, warnings } = await openLive({ schemas: CONTRACT_TABLES, logs, databaseFile });
      expect(await ask(COUNT)).toEqual(all);
      expect(warnings).toEqual([]);
      await close();
    },
  );
});
