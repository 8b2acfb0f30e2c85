import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeStarts, type Starts, stop, urlOf } from './support/starts.ts';

let starts: Starts;
beforeAll(async () => {
  starts = await makeStarts();
});
afterAll(() => starts.end());

const TOKEN = 'token-of-the-tests-of-saved-queries';

test('saved queries are served to holders of a token, and read again when a file has changed', async () => {
  const folder = await starts.folderOf('team', {
    'Server errors.sql':
      '-- description: What failed, the newest first\n-- window: 24h\nselect id from edge_logs limit 3',
    'logins.lql': 'f:auth_logs login',
  });
  const service = starts.start(['--port', '0', '--saved', folder], { LQE_TOKEN: TOKEN });
  const url = await urlOf(service);
  const saved = async (token: string) => {
    const answer = await fetch(`${url}/explorer/saved.json`, { headers: { 'x-api-key': token } });
    return { status: answer.status, body: (await answer.json()) as { queries: { name: string }[] } };
  };
  expect(await saved(TOKEN)).toEqual({
    status: 200,
    body: {
      queries: [
        {
          name: 'Server errors',
          language: 'sql',
          query: 'select id from edge_logs limit 3',
          description: 'What failed, the newest first',
          endpoint: 'logs.all',
          window: { last: '24h' },
        },
        {
          name: 'logins',
          language: 'lql',
          query: 'f:auth_logs login',
          description: '',
          endpoint: 'logs.all',
          window: null,
        },
      ],
    },
  });
  expect((await saved(`${TOKEN}x`)).status).toBe(401);
  await writeFile(join(folder, 'more.sql'), 'select nope from edge_logs');
  await writeFile(join(folder, 'slow.sql'), 'select timestamp from edge_logs');
  expect((await saved(TOKEN)).body.queries.map(({ name }) => name)).toEqual([
    'Server errors',
    'logins',
    'slow',
  ]);
  await service.printed(/more\.sql: .*nope/);
  await stop(service);
});

test('a start ends with every fault of the saved queries, each with its file and place', async () => {
  const folder = await starts.folderOf('faulty', {
    'a.sql': '-- window: 1h\n\nselect nope from edge_logs',
    'b.lql': '-- description: x\nf:edge_logs m.nope:1',
    'c.sql': '-- endpoint: usage.all\nselect 1',
    'd.sql': 'select * from secret.tables',
  });
  const { code, stdout, stderr } = await starts.start(['--port', '0', '--saved', folder]).ended;
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/a\.sql: .*nope.*line 3, column 8/);
  expect(stderr).toMatch(/b\.lql: .*nope/);
  expect(stderr).toMatch(/c\.sql: endpoint: there is no 'usage\.all'/);
  expect(stderr).toMatch(/d\.sql: .*secret/);
});

test('a folder of saved queries that does not exist is refused', async () => {
  const { code, stderr } = await starts.start(['--port', '0', '--saved', 'gone']).ended;
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /--saved \(or LQE_SAVED\) was given 'gone', which does not exist; it takes the path of a folder/,
  );
});
