import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type AccessToken, digestToken } from '../../../shared/access/access-token.ts';
import { fileTokenStore } from '../../../shared/access/file-token-store.ts';
import { issueToken } from '../../../shared/access/issue-token.ts';
import { readTokenFile, updateTokenFile } from '../../../shared/access/token-file.ts';
import { NO_LIMITS } from '../../../shared/access/token-limits.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';

const NOW_MS = Date.parse('2026-03-01T00:00:00Z');
let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lqe-tokens-'));
  path = join(folder, 'tokens.json');
});
afterEach(() => rm(folder, { recursive: true }));

function issue(name: string, changes: Partial<AccessToken> = {}): AccessToken {
  const request = { name, endpoints: null, projects: null, expiresAtMs: null };
  return { ...issueToken(request, NOW_MS).record, ...changes };
}

/** For many at once on a slow disk. */
const LOCK_WAIT_MS = 50_000;
const add = (token: AccessToken) => updateTokenFile(path, (tokens) => [...tokens, token], LOCK_WAIT_MS);

async function refusal(promise: Promise<unknown>): Promise<ServiceError> {
  const error = await promise.catch((thrown: unknown) => thrown);
  if (error instanceof ServiceError) return error;
  throw new Error('it went well, or failed in another way');
}

describe('a file of tokens', () => {
  test('gives back what was written, and holds digests only', async () => {
    const { token, record } = issueToken(
      { name: 'studio', endpoints: ['logs.all'], projects: ['blog', 'shop'], expiresAtMs: NOW_MS + 1 },
      NOW_MS,
    );
    const tokens = [record, issue('é 地', { revokedAtMs: NOW_MS })];
    await updateTokenFile(path, () => tokens);
    expect(await readTokenFile(path)).toEqual(tokens);
    const text = await readFile(path, 'utf8');
    expect(text).not.toContain(token);
    expect(text).not.toContain(token.slice(4));
    expect(JSON.parse(text)).toEqual({
      tokens: [
        {
          name: 'studio',
          digest: digestToken(token),
          createdAt: '2026-03-01T00:00:00.000Z',
          expiresAt: '2026-03-01T00:00:00.001Z',
          revokedAt: null,
          endpoints: ['logs.all'],
          projects: ['blog', 'shop'],
        },
        expect.objectContaining({ name: 'é 地', revokedAt: '2026-03-01T00:00:00.000Z' }),
      ],
    });
  });

  test('is for its owner only and leaves nothing beside it', async () => {
    path = join(folder, 'new', 'tokens.json');
    await add(issue('a'));
    await chmod(path, 0o644);
    await add(issue('b'));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'new'))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(folder, 'new'))).toEqual(['tokens.json']);
  });

  test('loses no change of many at once', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `token ${index}`);
    await Promise.all(names.map((name) => add(issue(name))));
    const found = (await readTokenFile(path)).map((token) => token.name);
    expect(found.sort()).toEqual(names.sort());
  });

  test('keeps limits where there are some, and reads files of before there were any', async () => {
    const limits = { ...NO_LIMITS, maxRows: 10, requestsPerMinute: 60 };
    const tokens = [issue('free'), issue('limited', { limits })];
    await updateTokenFile(path, () => tokens);
    expect(await readTokenFile(path)).toEqual(tokens);
    const written = JSON.parse(await readFile(path, 'utf8'));
    expect(written.tokens.map((token: object) => ('limits' in token ? token.limits : 'none'))).toEqual([
      'none',
      { maxRows: 10, maxBytesBilled: null, maxWindowSeconds: null, requestsPerMinute: 60 },
    ]);
  });

  test('stays as it is when the change throws or there is none', async () => {
    await add(issue('a'));
    const change = () => {
      throw new RangeError('no');
    };
    await expect(updateTokenFile(path, change)).rejects.toThrow(RangeError);
    await add(issue('b'));
    const { ino } = await stat(path);
    await updateTokenFile(path, () => null);
    expect((await stat(path)).ino).toBe(ino);
    expect(await readTokenFile(path)).toHaveLength(2);
  });

  test('waits for another process only so long', async () => {
    await writeFile(`${path}.lock`, '');
    const error = await refusal(updateTokenFile(path, () => [], 0));
    expect(error.kind).toBe('unavailable');
    expect(error.message).toContain(`delete ${path}.lock if none is`);
    expect(await readdir(folder)).toEqual(['tokens.json.lock']);
  });

  test('says which file cannot be written', async () => {
    await writeFile(join(folder, 'file'), '');
    const error = await refusal(updateTokenFile(join(folder, 'file', 'tokens.json'), () => []));
    expect(error.message).toContain(join(folder, 'file', 'tokens.json'));
    expect(error.kind).toBe('unavailable');
  });

  test('that does not exist holds no tokens', async () => {
    expect(await readTokenFile(path)).toEqual([]);
  });

  const valid = {
    name: 'a',
    digest: 'a'.repeat(64),
    createdAt: '2026-01-01T00:00:00Z',
    expiresAt: null,
    revokedAt: null,
    endpoints: null,
    projects: null,
  };
  test.each<[string, unknown, string]>([
    ['text', 'tokens', 'it is not JSON'],
    ['an array', [], 'expected object'],
    ['an unknown key', { tokens: [], more: 1 }, '"more"'],
    [
      'an unknown key of a token',
      { tokens: [{ ...valid, token: 'x' }] },
      'tokens.0: Unrecognized key: "token"',
    ],
    ['a missing limit', { tokens: [{ ...valid, endpoints: undefined }] }, 'tokens.0.endpoints'],
    ['an empty limit', { tokens: [{ ...valid, projects: [] }] }, 'tokens.0.projects'],
    ['limits that are none', { tokens: [{ ...valid, limits: null }] }, 'tokens.0.limits'],
    [
      'a limit left out',
      { tokens: [{ ...valid, limits: { maxRows: 1 } }] },
      'tokens.0.limits.maxBytesBilled',
    ],
    [
      'a limit that is not known',
      { tokens: [{ ...valid, limits: { ...NO_LIMITS, maxCalls: 1 } }] },
      'tokens.0.limits: Unrecognized key: "maxCalls"',
    ],
    [
      'a limit of nothing',
      { tokens: [{ ...valid, limits: { ...NO_LIMITS, maxRows: 0 } }] },
      'tokens.0.limits.maxRows',
    ],
    [
      'a limit as text',
      { tokens: [{ ...valid, limits: { ...NO_LIMITS, requestsPerMinute: '5' } }] },
      'tokens.0.limits.requestsPerMinute',
    ],
    [
      'a broken limit',
      { tokens: [{ ...valid, limits: { ...NO_LIMITS, maxWindowSeconds: 1.5 } }] },
      'tokens.0.limits.maxWindowSeconds',
    ],
    [
      'a digest in capitals',
      { tokens: [{ ...valid, digest: 'A'.repeat(64) }] },
      'tokens.0.digest: must be a SHA-256',
    ],
    [
      'a time without a zone',
      { tokens: [{ ...valid, expiresAt: '2026-01-01T00:00:00' }] },
      'tokens.0.expiresAt',
    ],
    ['an invalid day', { tokens: [{ ...valid, expiresAt: '2026-02-30T00:00:00Z' }] }, 'tokens.0.expiresAt'],
    ['a name with a line break', { tokens: [{ ...valid, name: 'a\nb' }] }, 'tokens.0.name: must be 1 to 100'],
    [
      'two tokens of one name',
      { tokens: [valid, { ...valid, digest: 'b'.repeat(64) }] },
      'two tokens have one name',
    ],
    ['two tokens of one digest', { tokens: [valid, { ...valid, name: 'b' }] }, 'two tokens have one digest'],
    ['more than 16 MiB', `"${'x'.repeat(17 * 1024 * 1024)}"`, 'it is larger than 16777216 bytes'],
  ])('is refused by name and reason when it holds %s', async (_, content, reason) => {
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    const error = await refusal(readTokenFile(path));
    expect(error.message).toContain(`${path} cannot be used: `);
    expect(error.message).toContain(reason);
    await expect(updateTokenFile(path, () => [])).rejects.toThrow(error.message);
  });
});

describe('fileTokenStore', () => {
  test('follows the file within a second', async () => {
    let nowMs = 0;
    const store = fileTokenStore(path, () => nowMs);
    const token = issue('a');
    expect(await store.find(token.digest)).toBeNull();
    await add(token);
    nowMs = 999;
    expect(await store.find(token.digest)).toBeNull();
    nowMs = 1000;
    expect(await store.find(token.digest)).toEqual(token);
    await updateTokenFile(path, () => [{ ...token, revokedAtMs: NOW_MS }]);
    nowMs = 2000;
    expect((await store.find(token.digest))?.revokedAtMs).toBe(NOW_MS);
    await rm(path);
    nowMs = 3000;
    expect(await store.find(token.digest)).toBeNull();
  });

  test('sees a file of the same size and time', async () => {
    let nowMs = 0;
    const [first, second] = [issue('a'), issue('b')];
    await add(first);
    await utimes(path, 1, 1);
    const store = fileTokenStore(path, () => nowMs);
    expect(await store.find(first.digest)).toEqual(first);
    await updateTokenFile(path, () => [second]);
    await utimes(path, 1, 1);
    nowMs = 1000;
    expect(await store.find(first.digest)).toBeNull();
    expect(await store.find(second.digest)).toEqual(second);
  });

  test('accepts no token while the file cannot be used, and recovers', async () => {
    let nowMs = 0;
    const token = issue('a');
    await add(token);
    const good = await readFile(path, 'utf8');
    const store = fileTokenStore(path, () => nowMs);
    expect(await store.find(token.digest)).toEqual(token);
    await writeFile(path, good.slice(0, -5));
    for (nowMs of [1000, 1001, 2500]) {
      const error = await refusal(store.find(token.digest));
      expect(error.kind).toBe('unavailable');
      expect(error.message).not.toContain(path);
      expect(String(error.cause)).toContain(`${path} cannot be used: it is not JSON`);
    }
    await writeFile(path, good);
    nowMs = 3500;
    expect(await store.find(token.digest)).toEqual(token);
  });

  test('accepts no token when the path is a folder', async () => {
    const error = await refusal(fileTokenStore(folder, () => 0).find('0'.repeat(64)));
    expect(error.kind).toBe('unavailable');
  });

  test('checks again when the clock was set back', async () => {
    let nowMs = 1_000_000;
    const store = fileTokenStore(path, () => nowMs);
    const token = issue('a');
    await store.find(token.digest);
    await add(token);
    nowMs = 5;
    expect(await store.find(token.digest)).toEqual(token);
  });

  test('answers many at once from one file', async () => {
    const token = issue('a');
    await add(token);
    const store = fileTokenStore(path, () => 0);
    const found = await Promise.all(Array.from({ length: 50 }, () => store.find(token.digest)));
    expect(found).toEqual(Array(50).fill(token));
  });
});

describe('issueToken', () => {
  const request = { name: 'a', endpoints: null, projects: null, expiresAtMs: null };

  test('makes another token each time, of 32 random bytes', () => {
    const tokens = Array.from({ length: 100 }, () => issueToken(request, NOW_MS));
    expect(new Set(tokens.map(({ token }) => token)).size).toBe(100);
    for (const { token, record } of tokens) {
      expect(token).toMatch(/^lqe_[A-Za-z0-9_-]{43}$/);
      expect(record.digest).toBe(digestToken(token));
    }
  });

  test.each<[string, Partial<typeof request> | object, RegExp]>([
    ['no name', { name: '' }, /token's name must be 1 to 100/],
    ['a long name', { name: 'x'.repeat(101) }, /name must be/],
    ['a name with an escape', { name: 'a\u001b[2J' }, /name must be/],
    ['a name with a space at its end', { name: 'a ' }, /name must be/],
    ['an empty list', { endpoints: [] }, /endpoints must be 1 to 1000/],
    ['an empty project', { projects: ['a', ''] }, /projects must be/],
    ['a limit of nothing', { limits: { ...NO_LIMITS, maxRows: 0 } }, /maxRows must be a whole number from 1/],
    [
      'a cap below what BigQuery bills',
      { limits: { ...NO_LIMITS, maxBytesBilled: 1 } },
      /maxBytesBilled must be a whole number from 10485760/,
    ],
    [
      'a limit that is no number',
      { limits: { ...NO_LIMITS, requestsPerMinute: Number.NaN } },
      /requestsPerMinute must/,
    ],
    ['an expiry that is now', { expiresAtMs: NOW_MS }, /expiry must lie in the future/],
    ['an expiry that is no number', { expiresAtMs: Number.NaN }, /expiry must lie in the future/],
  ])('refuses %s', (_, changes, message) => {
    expect(() => issueToken({ ...request, ...changes }, NOW_MS)).toThrow(message);
  });
});
