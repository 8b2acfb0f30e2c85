import { afterEach, expect, test } from '@jest/globals';
import { failureKind, nextPage } from '../../contract/paging.ts';
import { ENDLESS, type OpenService, openService } from './open-isolated.ts';

const MANY = 'SELECT x FROM UNNEST(GENERATE_ARRAY(1, 2600)) AS x ORDER BY x';

const opened: OpenService[] = [];
afterEach(async () => {
  for (const { warehouse } of opened.splice(0)) await warehouse.close();
});

async function open(...args: Parameters<typeof openService>): Promise<OpenService> {
  const service = await openService(...args);
  opened.push(service);
  return service;
}

async function killProcess({ isolated }: OpenService): Promise<void> {
  const [pid] = isolated.pids();
  if (pid === undefined) throw new Error('there is no process');
  process.kill(pid, 'SIGKILL');
}

test("pages of consumers' queries are gone with the process that kept them, those of stored ones are not", async () => {
  const service = await open();
  const { warehouse } = service;
  const [asked, stored] = [await service.ask(MANY), await service.askStored(MANY)];
  const second = await nextPage(warehouse, asked.pageToken);
  await killProcess(service);
  // It may not have ended yet, or a new one may have begun.
  expect(await failureKind(nextPage(warehouse, second.pageToken))).toBe('gone');
  expect((await service.ask('SELECT 1 AS a')).rows).toEqual(['{"a":1}']);
  expect(await failureKind(nextPage(warehouse, second.pageToken))).toBe('gone');
  expect(await failureKind(nextPage(warehouse, asked.pageToken))).toBe('gone');
  expect((await nextPage(warehouse, stored.pageToken)).rows[0]).toBe('{"x":1001}');
});

test('a page can be read while other queries keep the process busy', async () => {
  const service = await open();
  const { warehouse } = service;
  const { pageToken } = await service.ask(MANY);
  const caller = new AbortController();
  const busy = failureKind(service.ask(ENDLESS, { signal: caller.signal }));
  const second = await nextPage(warehouse, pageToken);
  expect(second.rows).toHaveLength(1000);
  caller.abort();
  expect(await busy).toBe('deadline_exceeded');
});

test('a token of one place means nothing in the other', async () => {
  const { ask, askStored, warehouse } = await open();
  const [asked, stored] = [await ask(MANY), await askStored(MANY)];
  const token = asked.pageToken;
  if (token?.kind !== 'worker' || stored.pageToken === undefined) throw new Error('there is no next page');
  expect(await failureKind(nextPage(warehouse, token.page))).toBe('gone');
  expect(await failureKind(nextPage(warehouse, { ...token, page: stored.pageToken }))).toBe('gone');
});

test('is gone when the warehouse is closed', async () => {
  const { ask, warehouse } = await open();
  const { pageToken } = await ask(MANY);
  await warehouse.close();
  opened.pop();
  expect(['gone', 'unavailable']).toContain(await failureKind(nextPage(warehouse, pageToken)));
});
