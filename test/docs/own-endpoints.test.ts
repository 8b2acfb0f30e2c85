import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { ENDPOINT_SETTINGS, endpointSettings } from '../../shared/endpoints/endpoint-settings.ts';
import { loadEndpoints } from '../../shared/endpoints/load-endpoints.ts';
import { PARAMETER_SETTINGS } from '../../shared/endpoints/parameter-settings.ts';
import { rowsOf, startRealService } from '../data/support/real-service.ts';
import { codeBlocks } from './support/code-blocks.ts';
import { referenceTable } from './support/settings-reference.ts';

const PAGE = 'docs/own-endpoints.md';
const NAME = 'errors.by-path';
const block = (info: string) => codeBlocks(PAGE).find((one) => one.info === info)?.text ?? '';

describe('the reference', () => {
  test.each([
    ['of an endpoint', ENDPOINT_SETTINGS],
    ['of a parameter', PARAMETER_SETTINGS],
  ])('lists the settings %s as they are, and no others', async (heading, table) => {
    const page = await readFile(PAGE, 'utf8');
    const [, rest = ''] = page.split(`\n## Settings ${heading}\n`);
    expect(rest.split('\n## ')[0]?.trim()).toBe(referenceTable(table));
  });

  test('shows settings of sealed buckets that the schema takes', () => {
    const blocks = codeBlocks(PAGE).filter(({ info }) => info === 'json');
    const shown = blocks
      .map(({ text }) => JSON.parse(text) as object)
      .filter((one) => 'sealedBuckets' in one);
    expect(shown).toHaveLength(1);
    const { sealedBuckets } = endpointSettings.shape;
    expect(z.strictObject({ sealedBuckets }).safeParse(shown[0]).error).toBeUndefined();
  });

  test('is of all that the schema takes', () => {
    expect(Object.keys(endpointSettings.shape).sort()).toEqual(Object.keys(ENDPOINT_SETTINGS).sort());
  });
});

describe('the tutorial', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'own-endpoints-'));
    await writeFile(join(folder, `${NAME}.sql`), block('sql endpoint'));
    await writeFile(join(folder, `${NAME}.json`), block('json'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('makes an endpoint that answers', async () => {
    const running = await startRealService('--queries', folder);
    try {
      const rows = rowsOf<{ path: string; errors: number }>(
        await running.ask(NAME, 'project=demo&kind=server'),
      );
      expect(rows.length).toBeGreaterThan(0);
      expect((await running.ask(NAME, 'project=demo&kind=sever')).status).toBe(400);
      expect((await running.ask(NAME, 'project=demo&kind=client&lql=c:count(*)')).status).toBe(200);
    } finally {
      await running.close();
    }
  });

  test('shows a fault as it is reported', async () => {
    const settings = JSON.parse(block('json')) as object;
    await writeFile(join(folder, `${NAME}.json`), JSON.stringify({ ...settings, warmEverySeconds: 90 }));
    const error = (await loadEndpoints(folder).catch((thrown: unknown) => thrown)) as Error;
    expect(`lqe: ${error.message.replace(folder, 'queries')}`).toBe(block('text').trim());
  });
});
