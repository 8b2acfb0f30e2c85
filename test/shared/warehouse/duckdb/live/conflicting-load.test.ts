import { afterAll, afterEach, expect, test } from '@jest/globals';
import { entry, liveServices } from './support/live-services.ts';

const services = liveServices();
afterEach(() => services.stopAll());
afterAll(() => services.remove());

test('logs whose fields have another kind than entries that arrived are refused, with what to do', async () => {
  const first = await services.start([]);
  await first.live.append('app_logs', [entry('a', 1, { region: { name: 'eu' } })]);
  await services.stop(first);
  const { databaseFile } = first;
  await expect(services.start([entry('b', 2, { region: 'eu' })], { databaseFile })).rejects.toThrow(
    /another kind of field region than the loaded ones; load the logs into another database file \(--database\), or /,
  );
  const again = await services.start([entry('b', 2, { region: { name: 'us' } })], { databaseFile });
  expect(await again.ask('SELECT COUNT(*) AS n FROM logs.app_logs')).toEqual(['{"n":2}']);
});
