import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from '@jest/globals';
import { CONTRACT_TABLES } from '../../contract/contract-logs.ts';
import { openLive } from './support/open-live.ts';

const folder = mkdtempSync(join(tmpdir(), 'full-disk-segment-'));
const SCRIPT = new URL('./support/seal-on-full-disk.ts', import.meta.url).pathname;
/** A file of records fits, and no segment with its entries. */
const MOST_BYTES = 400 * 1024;
const COUNT = 'SELECT COUNT(*) AS n, COUNT(DISTINCT id) AS ids FROM logs.edge_logs';

const children: ChildProcess[] = [];

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** A process and those that it has started. */
function family(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number))];
}

function limitFiles(pid: number, bytes: number | 'unlimited'): void {
  for (const one of family(pid)) execFileSync('prlimit', ['--pid', String(one), `--fsize=${bytes}:`]);
}

const counted = (entries: number) => [`{"n":${entries},"ids":${entries}}`];

describe('a segment that does not fit on the disk', () => {
  it('leaves its entries where they were, and nothing of itself, and is written when there is room', async () => {
    const databaseFile = join(folder, 'logs.db');
    const logs = join(folder, 'logs');
    mkdirSync(logs);
    const child = spawn(process.execPath, [SCRIPT, databaseFile, logs], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {},
    });
    children.push(child);
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const report = async () => JSON.parse((await lines.next()).value ?? 'null');
    const { pid = 0 } = child;
    expect(await report()).toBe('open');

    // No segment was written yet: one cannot be.
    limitFiles(pid, MOST_BYTES);
    child.stdin.write('\n');
    const first = await report();
    expect(first).toMatchObject({
      rows: counted(151),
      names: ['records-n.log', 'records-n.log'],
    });
    const [warning] = first.warnings;
    expect(warning).toContain('could not be put into a segment, and stay as they are');

    limitFiles(pid, 'unlimited');
    child.stdin.write('\n');
    expect(await report()).toMatchObject({ rows: counted(302), warnings: [] });

    // Those that are there can be read, and not merged.
    limitFiles(pid, MOST_BYTES);
    child.stdin.write('\n');
    const third = await report();
    expect(third.rows).toEqual(counted(453));
    expect(third.warnings.length).toBeGreaterThan(0);
    expect(third.names.filter((name: string) => name.includes('.tmp'))).toEqual([]);
    const closed = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await closed;

    const { ask, live, close, warnings } = await openLive({ schemas: CONTRACT_TABLES, logs, databaseFile });
    expect(await ask(COUNT)).toEqual(counted(453));
    await live.settle();
    expect(await ask(COUNT)).toEqual(counted(453));
    expect(warnings).toEqual([]);
    await close();
    expect(readdirSync(`${databaseFile}.live`).filter((name) => name.includes('.tmp'))).toEqual([]);
  });
});
