import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { UsageError } from '../../cli/arguments/usage-error.ts';
import { runTokens } from '../../cli/tokens.ts';
import { digestToken } from '../../shared/access/access-token.ts';
import { authenticate } from '../../shared/access/authenticate.ts';
import { fileTokenStore } from '../../shared/access/file-token-store.ts';
import { readTokenFile } from '../../shared/access/token-file.ts';
import { NO_LIMITS } from '../../shared/access/token-limits.ts';

let folder: string;
let tokensFile: string;
let nowMs: number;
let env: Record<string, string>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lqe-cli-'));
  tokensFile = join(folder, 'tokens.json');
  nowMs = Date.parse('2026-03-01T00:00:00Z');
  env = {};
});
afterEach(() => rm(folder, { recursive: true }));

async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const running = runTokens(argv, {
    stdout: {
      write: (text: string) => {
        out += text;
      },
    },
    stderr: {
      write: (text: string) => {
        err += text;
      },
    },
    tokensFile,
    env,
    nowMs: () => nowMs,
  });
  const code = await running.catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    err += error.message;
    return 2;
  });
  return { code, out, err };
}

describe('lqe tokens', () => {
  test('issues a token that works until it is revoked', async () => {
    const issued = await run('issue', '--name', 'studio');
    expect(issued).toMatchObject({ code: 0, out: expect.stringMatching(/^lqe_[A-Za-z0-9_-]{43}\n$/) });
    expect(issued.err).toContain('shown only now');
    const token = issued.out.trim();
    const store = fileTokenStore(tokensFile, () => nowMs);
    const headers = { 'x-api-key': token };
    expect((await authenticate(headers, store, nowMs)).name).toBe('studio');

    nowMs += 1000;
    expect(await run('revoke', 'studio')).toEqual({
      code: 0,
      out: 'Revoked the token "studio"; running services refuse it within a second.\n',
      err: '',
    });
    await expect(authenticate(headers, store, nowMs)).rejects.toThrow('was revoked');
    nowMs += 1000;
    expect((await run('revoke', 'studio')).out).toBe('The token "studio" was revoked before.\n');
    expect((await readTokenFile(tokensFile))[0]?.revokedAtMs).toBe(nowMs - 1000);
  });

  test('shows a token once and keeps its digest only', async () => {
    const token = (await run('issue', '--name', 'studio')).out.trim();
    const later = [await run('list'), await run('show', 'studio'), await run('revoke', 'studio')];
    expect(JSON.stringify(later)).not.toContain(token);
    expect(await readFile(tokensFile, 'utf8')).not.toContain(token);
    expect(later[1]?.out).toContain(digestToken(token));
  });

  test('limits a token to endpoints, projects, a time and what it may take', async () => {
    const { out } = await run(
      ...['issue', '--name', 'studio', '--endpoint', 'logs.all', '--endpoint=x', '--project', 'blog'],
      ...['--expires', '30d', '--max-rows', '10', '--max-bytes', '2GiB', '--max-window=7d'],
      ...['--requests-per-minute', '60'],
      ...['--sql-deadline', '1m'],
      ...['--cpu-per-minute', '120'],
    );
    expect(await readTokenFile(tokensFile)).toEqual([
      {
        digest: digestToken(out.trim()),
        name: 'studio',
        createdAtMs: nowMs,
        expiresAtMs: nowMs + 30 * 86_400_000,
        revokedAtMs: null,
        endpoints: ['logs.all', 'x'],
        projects: ['blog'],
        writes: null,
        limits: {
          maxRows: 10,
          maxBytesBilled: 2_147_483_648,
          maxWindowSeconds: 604_800,
          requestsPerMinute: 60,
          sqlDeadlineSeconds: 60,
          cpuSecondsPerMinute: 120,
        },
      },
    ]);
  });

  test('issues a token that writes to sources and reads nothing', async () => {
    const { code } = await run(
      ...['issue', '--name', 'vector', '--write', 'edge_logs', '--write=auth_logs'],
      ...['--expires', '30d', '--requests-per-minute', '600', '--project', 'demo'],
    );
    expect(code).toBe(0);
    expect(await readTokenFile(tokensFile)).toMatchObject([
      { endpoints: null, projects: ['demo'], writes: ['edge_logs', 'auth_logs'] },
    ]);
    expect((await run('show', 'vector')).out).toContain('writes     edge_logs, auth_logs\n');
    expect((await run('show', 'vector')).out).toContain('endpoints  none\n');
    expect((await run('show', 'vector')).out).toContain('projects   demo\n');
  });

  test('writes files of tokens that read as before there were tokens that write', async () => {
    await run('issue', '--name', 'studio');
    expect(await readFile(tokensFile, 'utf8')).not.toContain('writes');
  });

  test.each([
    ['12h', '2026-03-01T12:00:00.000Z'],
    ['365d', '2027-03-01T00:00:00.000Z'],
    ['2026-04-01', '2026-04-01T00:00:00.000Z'],
    ['2026-04-01T10:00:00', '2026-04-01T10:00:00.000Z'],
    ['2026-04-01T10:00:00+02:00', '2026-04-01T08:00:00.000Z'],
  ])('reads --expires %s', async (text, expected) => {
    await run('issue', '--name', 'a', '--expires', text);
    const [token] = await readTokenFile(tokensFile);
    expect(new Date(token?.expiresAtMs ?? 0).toISOString()).toBe(expected);
  });

  test('lists tokens with their state and limits', async () => {
    expect(await run('list')).toEqual({ code: 0, out: '', err: `There are no tokens in ${tokensFile}.\n` });
    await run('issue', '--name', 'studio one', '--endpoint', 'logs.all', '--endpoint', 'x');
    await run(
      'issue',
      '--name',
      'old',
      '--expires',
      '1h',
      '--project',
      'blog',
      '--max-rows=5',
      '--max-window=90s',
    );
    await run('issue', '--name', 'gone');
    await run('revoke', 'gone');
    nowMs += 3_600_000;
    const [first, second, third] = await readTokenFile(tokensFile);
    const { out } = await run('list');
    const created = '2026-03-01T00:00:00.000Z';
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['NAME', 'DIGEST', 'STATE', 'CREATED', 'EXPIRES', 'ENDPOINTS', 'PROJECTS', 'WRITES', 'LIMITS'],
      [
        'studio one',
        first?.digest.slice(0, 12),
        'active',
        created,
        'never',
        'logs.all, x',
        'all',
        'none',
        'none',
      ],
      [
        'old',
        second?.digest.slice(0, 12),
        'expired',
        created,
        '2026-03-01T01:00:00.000Z',
        'all',
        'blog',
        'none',
        'rows=5 window=90',
      ],
      ['gone', third?.digest.slice(0, 12), 'revoked', created, 'never', 'all', 'all', 'none', 'none'],
      [''],
    ]);
  });

  test('finds a token by the beginning of its digest', async () => {
    await run('issue', '--name', 'a', '--project', 'blog', '--requests-per-minute', '6');
    const digest = (await readTokenFile(tokensFile))[0]?.digest ?? '';
    const { code, out } = await run('show', digest.slice(0, 8).toUpperCase());
    expect(code).toBe(0);
    expect(out).toBe(
      [
        'name       a',
        `digest     ${digest}`,
        'state      active',
        'created    2026-03-01T00:00:00.000Z',
        'expires    never',
        'revoked    never',
        'endpoints  all',
        'projects   blog',
        'writes     none',
        'rows       no limit',
        "bytes      the service's",
        'window     no limit',
        'rate       6 requests a minute',
        "deadline   the service's",
        "cpu        the service's",
        '',
      ].join('\n'),
    );
    expect((await run('show', digest.slice(0, 5))).code).toBe(1);
  });

  test('shows records as JSON', async () => {
    await run('issue', '--name', 'a', '--project', 'blog', '--max-rows', '7', '--expires', '1h');
    const record = {
      name: 'a',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      state: 'active',
      createdAt: '2026-03-01T00:00:00.000Z',
      expiresAt: '2026-03-01T01:00:00.000Z',
      revokedAt: null,
      endpoints: null,
      projects: ['blog'],
      writes: null,
      limits: { ...NO_LIMITS, maxRows: 7 },
    };
    expect(JSON.parse((await run('show', 'a', '--json')).out)).toEqual(record);
    expect(JSON.parse((await run('list', '--json')).out)).toEqual([record]);
  });

  test('lists no tokens as an empty list', async () => {
    expect(await run('list', '--json')).toEqual({ code: 0, out: '[]\n', err: '' });
  });

  test.each<[string, Record<string, string>, string]>([
    ['an unknown store', { LQE_TOKEN_STORE: 'redis' }, "LQE_TOKEN_STORE) was given 'redis'"],
    ['Firestore without a project', { LQE_TOKEN_STORE: 'firestore' }, 'LQE_GOOGLE_PROJECT'],
    [
      'an invalid project',
      { LQE_TOKEN_STORE: 'firestore', LQE_GOOGLE_PROJECT: '-' },
      "LQE_GOOGLE_PROJECT) was given '-'",
    ],
  ])('refuses %s in the environment', async (_, given, message) => {
    env = given;
    const { code, err } = await run('list');
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test('lets an option win over the environment, and an empty variable count as none', async () => {
    env = { LQE_TOKEN_STORE: 'firestore', LQE_GOOGLE_PROJECT: '-' };
    expect((await run('list', '--store', 'file')).code).toBe(0);
    env = { LQE_TOKEN_STORE: '' };
    expect((await run('list')).code).toBe(0);
  });

  test('asks for more digits where digests begin alike', async () => {
    const record = {
      createdAt: '2026-01-01T00:00:00Z',
      expiresAt: null,
      revokedAt: null,
      endpoints: null,
      projects: null,
    };
    const tokens = ['a', 'b'].map((name) => ({ ...record, name, digest: 'abcdef'.padEnd(64, name) }));
    await writeFile(tokensFile, JSON.stringify({ tokens }));
    expect((await run('show', 'abcdef')).err).toBe(
      'Several digests begin with these digits; give more digits.\n',
    );
    expect((await run('show', 'abcdefb')).out).toContain('name       b\n');
  });

  test.each(['--help', '-h'])('explains itself with %s', async (option) => {
    const { code, out } = await run(option);
    expect(code).toBe(0);
    for (const word of [
      'issue',
      'list',
      'show',
      'revoke',
      '--name',
      '--endpoint',
      '--project',
      '--expires',
      '--max-rows',
      '--max-bytes',
      '--max-window',
      '--requests-per-minute',
      '--store',
      '--google-project',
      '--token-database',
      '--json',
      'gcloud auth application-default login',
    ]) {
      expect(out).toContain(word);
    }
  });

  test.each<[string, string[], string]>([
    ['no command', [], 'needs ACTION, one of issue, list, show, revoke'],
    ['an unknown command', ['lits'], "not 'lits'. Did you mean list?"],
    ['an unknown option', ['issue', '--nmae', 'a'], "no option '--nmae'; did you mean --name?"],
    ['an option without its value', ['issue', '--name'], '--name needs a value'],
    ['no name', ['issue'], 'needs --name'],
    ['an empty name', ['issue', '--name', ''], '--name needs a value'],
    ['a name that is too long', ['issue', '--name', 'a'.repeat(101)], 'name must be 1 to 100'],
    ['two names', ['issue', '--name', 'a', '--name', 'b'], 'Give --name once'],
    ['a name that is taken', ['issue', '--name', 'taken'], 'a token named "taken" already'],
    ['an empty project', ['issue', '--name', 'a', '--project', ''], '--project needs a value'],
    ['a project with a line break', ['issue', '--name', 'a', '--project', 'a\nb'], 'projects must be'],
    ['more after the command', ['issue', 'a'], 'takes no "a"'],
    ['an option of another command', ['revoke', 'taken', '--name', 'a'], '"revoke" takes no --name'],
    ['more after list', ['list', 'a'], '"list" takes no "a"'],
    ['a source with a bad name', ['issue', '--name', 'a', '--write', 'Edge Logs'], 'such as edge_logs'],
    [
      'a writer with an endpoint',
      ['issue', '--name', 'a', '--write', 'b', '--endpoint', 'c'],
      "token's endpoints",
    ],
    ['a writer with rows', ['issue', '--name', 'a', '--write', 'b', '--max-rows', '1'], "token's maxRows"],
    ['no token to show', ['show'], 'needs a token'],
    ['two tokens to revoke', ['revoke', 'a', 'b'], "takes no 'b'; quote a value that has spaces"],
    ['a span without a unit', ['issue', '--name', 'a', '--expires', '30'], '30d or 12h'],
    ['no span', ['issue', '--name', 'a', '--expires', '0d'], '30d or 12h'],
    ['an invalid day', ['issue', '--name', 'a', '--expires', '2026-02-30'], '30d or 12h'],
    [
      'no rows at all',
      ['issue', '--name', 'a', '--max-rows', '0'],
      '--max-rows takes a whole number, from 1',
    ],
    [
      'rows that are no number',
      ['issue', '--name', 'a', '--max-rows', '1e3'],
      '--max-rows takes a whole number.',
    ],
    ['rows twice', ['issue', '--name', 'a', '--max-rows=1', '--max-rows=2'], 'Give --max-rows once'],
    ['bytes below the least', ['issue', '--name', 'a', '--max-bytes', '1MiB'], 'from 10485760 to'],
    ['bytes beyond the most', ['issue', '--name', 'a', '--max-bytes', '99999TiB'], 'from 10485760 to'],
    ['another unit of bytes', ['issue', '--name', 'a', '--max-bytes', '1GB'], 'such as 500MiB, 2GiB'],
    ['an invalid unit', ['issue', '--name', 'a', '--max-bytes', '1constructor'], 'such as 500MiB, 2GiB'],
    ['a window without a unit', ['issue', '--name', 'a', '--max-window', '3600'], '90s, 30m, 24h or 7d'],
    ['a window of nothing', ['issue', '--name', 'a', '--max-window', '0h'], 'from 1 to 3162240000 seconds'],
    ['a deadline without a unit', ['issue', '--name', 'a', '--sql-deadline', '5'], '5s or 1m'],
    ['a deadline too long', ['issue', '--name', 'a', '--sql-deadline', '2h'], 'from 1 to 3600 seconds'],
    ['no CPU time', ['issue', '--name', 'a', '--cpu-per-minute', '0'], 'from 1 to 100000 seconds'],
    ['CPU time in minutes', ['issue', '--name', 'a', '--cpu-per-minute', '1m'], '30 or 120s'],
    ['a negative rate', ['issue', '--name', 'a', '--requests-per-minute=-1'], 'takes a whole number'],
    ['an empty rate', ['issue', '--name', 'a', '--requests-per-minute', ''], 'needs a value'],
    ['a limit of another command', ['list', '--max-rows', '1'], '"list" takes no --max-rows'],
    ['JSON of what is issued', ['issue', '--name', 'a', '--json'], '"issue" takes no --json'],
    ['an unknown store', ['list', '--store', 'redis'], "--store takes one of file, firestore, not 'redis'"],
    ['an empty store', ['list', '--store', ''], '--store needs a value: --store file|firestore'],
    ['two stores', ['list', '--store', 'file', '--store', 'firestore'], 'Give --store once'],
    [
      'Firestore without a project',
      ['list', '--store', 'firestore'],
      'need --google-project (or LQE_GOOGLE_PROJECT)',
    ],
    [
      'a project beside a file',
      ['list', '--google-project', 'demo-lqe'],
      '--google-project needs --store firestore',
    ],
    ['a database beside a file', ['list', '--token-database', 'lqe-db'], 'needs --store firestore'],
    [
      'an invalid project',
      ['list', '--store', 'firestore', '--google-project', 'Demo'],
      "--google-project (or LQE_GOOGLE_PROJECT) was given 'Demo'",
    ],
    [
      'an invalid database',
      ['list', '--store=firestore', '--google-project=demo-lqe', '--token-database', 'x/y'],
      "--token-database (or LQE_TOKEN_DATABASE) was given 'x/y'",
    ],
    ['a time that is over', ['issue', '--name', 'a', '--expires', '2026-03-01T00:00:00Z'], 'in the past'],
  ])('refuses %s with one line', async (_, argv, message) => {
    await run('issue', '--name', 'taken');
    const { code, out, err } = await run(...argv);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
    expect(err).toMatch(/^[^\n]+[.?]$/);
    expect(await readTokenFile(tokensFile)).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['tokens.json']);
  });

  test('fails with one line and exit code 1 when there is no such token', async () => {
    const secret = `lqe_${'x'.repeat(43)}`;
    for (const command of ['show', 'revoke']) {
      const { code, out, err } = await run(command, secret);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(/^No token has this name[^\n]+\n$/);
      expect(err).not.toContain(secret);
    }
  });

  test.each([['issue', '--name', 'a'], ['list'], ['show', 'a'], ['revoke', 'a']])(
    'names a malformed file and leaves it alone: %s',
    async (...argv) => {
      await writeFile(tokensFile, '{');
      const { code, err } = await run(...argv);
      expect(code).toBe(1);
      expect(err).toBe(`The file of access tokens ${tokensFile} cannot be used: it is not JSON.\n`);
      expect(await readFile(tokensFile, 'utf8')).toBe('{');
    },
  );

  test('loses no token when processes issue at the same time', async () => {
    const script = `
      import { runTokens } from ${JSON.stringify(new URL('../../cli/tokens.ts', import.meta.url).href)};
      const io = { stdout: process.stdout, tokensFile: process.argv[1], env: {}, nowMs: () => Date.now() };
      for (let n = 0; n < 10; ) {
        let told = '';
        const stderr = { write: (text) => (told += text) };
        const code = await runTokens(['issue', '--name', process.argv[2] + n], { ...io, stderr });
        if (code === 0) n += 1;
        // The others may hold the file for long where the disk is slow.
        else if (!told.startsWith('Another process is changing')) throw new Error(told);
      }`;
    const issueTen = (name: string) =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, tokensFile, name]);
    const outputs = await Promise.all(['a', 'b', 'c'].map(issueTen));
    const printed = outputs.flatMap(({ stdout }) => stdout.trim().split('\n'));
    const kept = (await readTokenFile(tokensFile)).map((token) => token.digest);
    expect(kept.sort()).toEqual(printed.map(digestToken).sort());
    expect(kept).toHaveLength(30);
  });
});
