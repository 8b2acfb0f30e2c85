import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { folderState } from '../../../shared/saved-queries/read-saved-folder.ts';
import { checkedQueries, makeSavedQueries } from '../../../shared/saved-queries/saved-queries.ts';
import { SAVED_LIMITS } from '../../../shared/saved-queries/saved-query.ts';

const made: string[] = [];
afterAll(() => Promise.all(made.map((folder) => rm(folder, { recursive: true }))));

async function folderOf(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'saved-'));
  made.push(folder);
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

/** Accepts every query but `wrong`. */
const RULES = {
  endpoints: ['logs.all', 'logs.own'],
  check: async (_: string, __: string, query: string) => (query.trim() === 'wrong' ? 'it is wrong' : null),
};
const read = async (folder: string) => {
  const { queries, faults } = await checkedQueries(folder, RULES);
  return { names: queries.map(({ name, language }) => `${name} ${language}`), faults };
};

describe('a folder has', () => {
  test('its queries in both languages by name, and nothing of hidden files, other files and subfolders', async () => {
    const folder = await folderOf({
      'b.sql': 'select 1',
      'a.lql': 'f:edge_logs',
      'a.sql': '-- endpoint: logs.own\nselect 2',
      '.c.sql': 'wrong',
      'README.md': '# Queries',
      'd.sql~': 'wrong',
      'e.SQL.txt': 'wrong',
    });
    await mkdir(join(folder, 'old.sql'));
    const { queries, faults } = await checkedQueries(folder, RULES);
    expect(faults).toEqual([]);
    expect(queries.map(({ name, language, endpoint, query }) => [name, language, endpoint, query])).toEqual([
      ['a', 'lql', 'logs.all', 'f:edge_logs'],
      ['a', 'sql', 'logs.own', 'select 2'],
      ['b', 'sql', 'logs.all', 'select 1'],
    ]);
  });

  test('files that links within it lead to, as mounted settings are', async () => {
    const folder = await folderOf({});
    await mkdir(join(folder, '..2026'));
    await writeFile(join(folder, '..2026', 'a.sql'), 'select 1');
    await symlink('..2026', join(folder, '..data'));
    await symlink('..data/a.sql', join(folder, 'a.sql'));
    expect(await read(folder)).toEqual({ names: ['a sql'], faults: [] });
  });

  test('no file from elsewhere', async () => {
    const other = await folderOf({ 'secret.sql': 'select 1' });
    const folder = await folderOf({});
    await symlink(join(other, 'secret.sql'), join(folder, 'a.sql'));
    await symlink(other, join(folder, 'b.sql'));
    await symlink(join(folder, 'gone'), join(folder, 'c.sql'));
    // Its name begins as the folder's does.
    await symlink(`${folder}-x`, join(folder, 'd.sql'));
    made.push(`${folder}-x`);
    await writeFile(`${folder}-x`, 'select 1');
    const outside = 'it is a link to a file outside the folder; put the file itself there';
    expect(await read(folder)).toEqual({
      names: [],
      faults: [
        `${folder}/a.sql: ${outside}`,
        `${folder}/b.sql: ${outside}`,
        `${folder}/c.sql: the file cannot be read (ENOENT)`,
        `${folder}/d.sql: ${outside}`,
      ],
    });
  });

  test('no pipe, on which reading would wait', async () => {
    const folder = await folderOf({});
    execFileSync('mkfifo', [join(folder, 'a.sql')]);
    expect(await read(folder)).toEqual({ names: [], faults: [`${folder}/a.sql: it is no regular file`] });
  });

  test('bounds on the size of a file, of all together, and on their number', async () => {
    const { fileBytes, totalBytes, files } = SAVED_LIMITS;
    const long = await folderOf({
      'a.sql': 'x'.repeat(fileBytes),
      'b.sql': 'x'.repeat(fileBytes + 1),
      'c.sql': Buffer.from([0x73, 0xff]),
    });
    expect(await read(long)).toEqual({
      names: ['a sql'],
      faults: [
        `${long}/b.sql: the file has more than 65536 bytes`,
        `${long}/c.sql: the file is not UTF-8 text`,
      ],
    });
    const count = totalBytes / fileBytes;
    const large = await folderOf(
      Object.fromEntries(
        Array.from({ length: count + 1 }, (_, n) => [`q${n + 10}.sql`, 'x'.repeat(fileBytes)]),
      ),
    );
    const { names, faults } = await read(large);
    expect(names).toHaveLength(count);
    expect(faults).toEqual([`${large}/q42.sql: all queries together have more than 2097152 bytes`]);
    const many = await folderOf(
      Object.fromEntries(Array.from({ length: files + 1 }, (_, n) => [`q${n + 1000}.sql`, 'select 1'])),
    );
    const first = await read(many);
    expect(first.names).toHaveLength(files);
    expect(first.faults).toEqual([
      `${many}: there are 201 queries; at most 200 are served, the first by name`,
    ]);
  });

  test('a fault for each query that cannot run, which names the file', async () => {
    const folder = await folderOf({
      'a.sql': 'wrong',
      'b.sql': '-- endpoint: logs.al\nselect 1',
      'c.sql': '-- windows: 1h\n',
      'd.sql': 'select 1',
    });
    expect(await read(folder)).toEqual({
      names: ['d sql'],
      faults: [
        `${folder}/a.sql: it is wrong`,
        `${folder}/b.sql: endpoint: there is no 'logs.al' for ad-hoc queries; it takes logs.all, logs.own`,
        `${folder}/c.sql: the header has the unknown key "windows"; did you mean window?`,
        `${folder}/c.sql: there is no query after the header`,
      ],
    });
  });
});

describe('while the service runs', () => {
  test('a folder is read again when its files have changed, and what is wrong is left out and reported once', async () => {
    const folder = await folderOf({ 'a.sql': 'select 1' });
    const state = await folderState(folder);
    const { queries } = await checkedQueries(folder, RULES);
    const warned: string[] = [];
    const saved = makeSavedQueries(folder, RULES, (message) => warned.push(message), { state, queries });
    const names = async () => (await saved.list()).map(({ name, query }) => `${name}: ${query}`);
    expect(await saved.list()).toBe(queries);
    await writeFile(join(folder, 'b.lql'), 'f:auth_logs');
    await writeFile(join(folder, 'a.sql'), 'select 1, 2');
    expect(await Promise.all([names(), names()])).toEqual([
      ['a: select 1, 2', 'b: f:auth_logs'],
      ['a: select 1, 2', 'b: f:auth_logs'],
    ]);
    await writeFile(join(folder, 'a.sql'), 'wrong');
    expect([await names(), await names()]).toEqual([['b: f:auth_logs'], ['b: f:auth_logs']]);
    expect(warned).toEqual([`${folder}/a.sql: it is wrong`]);
    await unlink(join(folder, 'a.sql'));
    await unlink(join(folder, 'b.lql'));
    expect(await names()).toEqual([]);
    await rm(folder, { recursive: true });
    expect(await names()).toEqual([]);
    expect(warned.at(-1)).toBe(`${folder}: the folder cannot be read (ENOENT)`);
    await mkdir(folder);
    await writeFile(join(folder, 'c.sql'), 'select 3');
    expect(await names()).toEqual(['c: select 3']);
  });
});
