import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RealService, startRealService } from '../../data/support/real-service.ts';

let running: RealService;
beforeAll(async () => {
  running = await startRealService('--now', '2026-01-31T12:10:00Z');
});
afterAll(() => running.close());

async function hintsOf(query: string): Promise<unknown> {
  const { status, text } = await running.ask('logs.all', `meta=true&${query}`);
  expect(status).toBe(200);
  return (JSON.parse(text) as { meta: { hints: unknown } }).meta.hints;
}

describe('an answer without rows', () => {
  const late = expect.stringMatching(
    /^edge_logs has no entries within the bounds of time; the newest is of 2026-01-31T12:0\d:\d\d\.\d{6}Z\.$/,
  );

  test.each([
    ['of the endpoint itself', 'project=demo&iso_timestamp_start=2026-02-01'],
    ["of a consumer's own query", 'project=demo&iso_timestamp_end=2000-01-01&sql=select+id+from+edge_logs'],
    ['of LQL', 'project=demo&iso_timestamp_start=2026-02-01&lql=f:edge_logs+s:id'],
    ['of LQL that bounds time itself', 'project=demo&lql=f:edge_logs+t:2001-01-01+s:id'],
  ])('%s says when the newest entry was, where the bounds leave none', async (_, query) => {
    expect(await hintsOf(query)).toEqual([late]);
  });

  test.each([
    ['of the request', 'iso_timestamp_start=2026-02-01&iso_timestamp_end=2026-01-01'],
    ['of the request and LQL', 'iso_timestamp_start=2026-02-01&lql=f:edge_logs+t:2026-01-01'],
    ['of LQL', 'lql=f:edge_logs+t:today+t:yesterday'],
    ['that are one instant', 'iso_timestamp_start=2026-01-31&iso_timestamp_end=2026-01-31'],
  ])('says that the bounds %s exclude each other', async (_, bounds) => {
    expect(await hintsOf(`project=demo&${bounds}`)).toEqual([
      'The bounds of time exclude each other: the start does not lie before the end.',
    ]);
  });

  test('says that there is nothing at all', async () => {
    expect(await hintsOf('project=nobody&iso_timestamp_start=2026-01-01')).toEqual([
      'edge_logs has no entries at all for these parameters.',
    ]);
  });

  test.each([
    [
      'the bounds leave entries, and the query none of them',
      'project=demo&iso_timestamp_start=2020-01-01&sql=select+id+from+edge_logs+where+false',
    ],
    ['there are no bounds', 'project=nobody'],
    ['LQL finds nothing in a time that has entries', 'project=demo&lql=f:edge_logs+t:last@1d+"no+such+text"'],
    ['there are rows', 'project=demo&iso_timestamp_start=2020-01-01'],
    [
      'several sources are read',
      'project=demo&iso_timestamp_end=2000-01-01&sql=select+id+from+edge_logs+union+all+select+id+from+auth_logs',
    ],
  ])('says nothing where %s', async (_, query) => {
    expect(await hintsOf(query)).toEqual([]);
  });
});
