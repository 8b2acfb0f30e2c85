import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadTableSchemas } from '../../shared/schema/load-table-schemas.ts';
import { makeDataset } from '../emulators/bigquery/support/emulated-dataset.ts';
import {
  BUNDLE_TOKEN,
  buildBundles,
  type RunningBundle,
  startBundle,
} from '../emulators/build/support/running-bundle.ts';
import startEmulators from '../emulators/support/global-setup.ts';
import stopEmulators from '../emulators/support/global-teardown.ts';
import { useBrowser } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import { answered, columnTexts, DAY, parts, runQuery } from './support/explorer.ts';

/*
 * The explorer as it is deployed: out of the gateway's bundle, installed outside the repository, with the logs in BigQuery
 * and the tokens in Firestore. useBrowser fails a test whose page wrote an error, broke its policy or asked another server.
 */
const open = useBrowser();
/** For emulators, bundles, and the installation of one on a busy machine. */
const START_TIMEOUT_MS = 900_000;
const state: { folder?: string; gateway?: RunningBundle } = {};

beforeAll(async () => {
  await startEmulators();
  state.folder = await mkdtemp(join(tmpdir(), 'explorer-bundle-'));
  const built = join(state.folder, 'built');
  await buildBundles(built);
  const lines = [1, 2, 3].map((minutes) =>
    JSON.stringify({
      id: randomUUID(),
      timestamp: new Date(Date.now() - minutes * 60_000).toISOString(),
      project: DAY.project,
      event_message: `GET /rest/v1/todos ${minutes}`,
      metadata: [{ request: [{ method: 'GET', path: '/rest/v1/todos' }], response: [{ status_code: 200 }] }],
    }),
  );
  const dataset = await makeDataset(
    await loadTableSchemas('queries/sources'),
    new Map([['edge_logs', lines]]),
  );
  state.gateway = await startBundle('gateway', {
    built,
    folder: join(state.folder, 'gateway'),
    dataset,
    env: { LQE_EXPLORER: 'true' },
  });
}, START_TIMEOUT_MS);
afterAll(async () => {
  await state.gateway?.stop();
  await stopEmulators();
  if (state.folder !== undefined) await rm(state.folder, { recursive: true });
});

const url = () => `${state.gateway?.url}/`;

test('the page of a bundle shows logs of BigQuery to whoever pastes a token, and runs SQL and LQL', async () => {
  const { page } = await open({ url: url(), question: DAY, token: null });
  const { tokenDialog, histogram } = parts(page);
  await tokenDialog.getByLabel('Token').fill(BUNDLE_TOKEN);
  await page.keyboard.press('Enter');
  await answered(page, '3');
  await histogram.waitFor();
  await runQuery(
    page,
    'select r.method, count(*) as entries from edge_logs t cross join unnest(t.metadata) as m cross join unnest(m.request) as r group by 1',
  );
  await answered(page, '1');
  await eventually(() => columnTexts(page, 1)).toEqual(['3']);
  await page.getByRole('radio', { name: 'LQL', exact: true }).check({ force: true });
  await runQuery(page, 'f:edge_logs s:event_message s:timestamp');
  await answered(page, '3');
});

test('the page of a bundle takes no sign-in by link', async () => {
  const { page } = await open({
    url: url(),
    question: { ...DAY, code: 'a'.repeat(22) },
    token: null,
    expects: [404],
  });
  await page.locator('#problem .problem, dialog[open]').first().waitFor();
  expect(page.url()).not.toContain('code=');
  await eventually(() => page.evaluate(() => sessionStorage.getItem('lqe.token'))).toBeNull();
});
