import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SETTINGS, type Setting } from '../../shared/runtime/settings.ts';
import { close, listen } from '../shared/http/support/http-client.ts';
import { entry, lines, makeStarts, type Starts } from './support/starts.ts';

let starts: Starts;
beforeAll(async () => {
  starts = await makeStarts();
});
afterAll(() => starts.end());

describe('what the operator has to put right', () => {
  let taken: { port: number; close: () => Promise<void> };
  beforeAll(async () => {
    const server = createServer();
    taken = { port: await listen(server), close: () => close(server) };
    await starts.folderOf('none', {});
    await starts.folderOf('bad-line', {
      'edge_logs.ndjson': `${lines(entry('a'))}{"id":"b","timestamp":"soon"}\n`,
    });
    await starts.folderOf('bad-schema', { 'edge_logs.json': '[{"name":"id","type":"TEXT"}]' });
    const [sql, json] = await Promise.all(
      ['sql', 'json'].map((kind) => readFile(`queries/usage.api-counts.${kind}`, 'utf8')),
    );
    await starts.folderOf('bad-query', {
      'usage.api-counts.sql': `${sql}`.replace('DATETIME(bucket', 'DATETIME(bukket'),
      'usage.api-counts.json': `${json}`,
    });
    await starts.folderOf('bad-parameter', {
      'usage.api-counts.sql': `${sql}`.replace('@project', '@project, @more'),
      'usage.api-counts.json': `${json}`,
    });
    await writeFile(join(starts.folder, 'not-a-database.db'), 'x'.repeat(10_000));
    await writeFile(join(starts.folder, 'bad-tokens.json'), '{');
  });
  afterAll(() => taken.close());

  test.each<[string, string[], RegExp]>([
    ['an unknown option', ['--prot', '80'], /--prot.*--port/],
    ['an invalid value', ['--port', 'http'], /--port \(or LQE_PORT\) was given 'http'/],
    ['a folder that is not there', ['--logs', 'nowhere'], /--logs .*'nowhere', which does not exist/],
    ['a malformed log line', ['--logs', 'bad-line'], /edge_logs\.ndjson, line 2: timestamp: /],
    [
      'a broken query',
      ['--queries', 'bad-query', '--logs', 'none'],
      /bad-query\/usage\.api-counts\.sql: .* bukket; did you mean bucket\? \(line 18, column 12\)/,
    ],
    [
      'an undeclared parameter',
      ['--queries', 'bad-parameter'],
      /usage\.api-counts\.sql: @more is used but not declared/,
    ],
    [
      'a schema with an unknown type',
      ['--sources', 'bad-schema'],
      /bad-schema\/edge_logs\.json: \[0\]\.type: .*"STRING"/,
    ],
    [
      'a file that is no database',
      ['--database', 'not-a-database.db'],
      /not-a-database\.db: it is not a DuckDB database/,
    ],
    [
      'a malformed file of tokens',
      ['--tokens', 'bad-tokens.json'],
      /bad-tokens\.json cannot be used: it is not JSON/,
    ],
  ])('%s is reported in one line, with exit code 2', async (_, argv, message) => {
    const { code, stdout, stderr } = await starts.start(
      argv[0] === '--port' ? argv : ['--port', '0', ...argv],
    ).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^lqe: [^\n]+\n$/);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at |node_modules|DuckDB.*Error/);
  });

  test('a port in use is reported in one line, before any logs are loaded', async () => {
    const argv = ['--port', String(taken.port), '--host', '127.0.0.1', '--logs', 'bad-line'];
    const { code, stdout, stderr } = await starts.start(argv).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      `lqe: port ${taken.port} is in use; name another one with --port (0 picks a free one)\n`,
    );
  });

  test('a variable that is no setting is reported, and stops nothing by itself', async () => {
    const argv = ['--port', String(taken.port), '--host', '127.0.0.1'];
    const { stderr } = await starts.start(argv, { LQE_PROT: '80', LQE_URL: 'http://localhost' }).ended;
    expect(stderr.split('\n')).toEqual([
      'LQE_PROT is not a setting and has no effect; rename it to LQE_PORT, or remove it.',
      `lqe: port ${taken.port} is in use; name another one with --port (0 picks a free one)`,
      '',
    ]);
  });

  test('several faults are reported at once, a line each', async () => {
    const { code, stderr } = await starts.start(['--port', '99999', '--now', 'noon', '--logs', 'nowhere'])
      .ended;
    expect(code).toBe(2);
    expect(stderr.match(/^lqe: /gm)).toHaveLength(3);
    expect(stderr.split('\n')).toHaveLength(4);
  });

  test('--help lists every option with its variable and starts nothing', async () => {
    const { code, stdout, stderr } = await starts.start(['--help', '--prot']).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const help = stdout.replaceAll(/\s+/g, ' ');
    for (const { flag, env } of Object.values<Setting>(SETTINGS)) {
      expect(help).toMatch(flag === null ? ` ${env} ` : new RegExp(` ${flag}\\b.* \\(or ${env}; `));
    }
  });
});
