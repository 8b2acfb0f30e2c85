import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aroundSql, relatedSql } from '../../../shared/query-edit/context-query.ts';
import type { SqlType } from '../../../shared/sql/types/sql-type.ts';
import { type RealService, startRealService } from '../../data/support/real-service.ts';

const TEXT: SqlType = { kind: 'STRING' };
const source = (fields: readonly string[]) => [
  { name: 'id', type: TEXT },
  { name: 'timestamp', type: { kind: 'TIMESTAMP' } as SqlType },
  { name: 'event_message', type: TEXT },
  {
    name: 'metadata',
    type: {
      kind: 'ARRAY',
      element: { kind: 'STRUCT', fields: fields.map((name) => ({ name, type: TEXT })) },
    } as SqlType,
  },
];
const SOURCES = new Map([
  ['auth_logs', source(['request_id', 'path'])],
  ['postgrest_logs', source(['host'])],
]);

const STARTED: RealService[] = [];
beforeAll(async () => void STARTED.push(await startRealService('--now', '2026-01-31T12:10:00Z')));
afterAll(() => STARTED[0]?.close());
async function rowsOf(sql: string) {
  const answer = await (STARTED[0] as RealService).ask(
    'logs.all',
    new URLSearchParams({ project: 'demo', sql }),
  );
  expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.anything()]);
  return (answer.json() as { result: { id: string; timestamp: number; source?: string }[] }).result;
}

test('around an entry are the ones before and after it, the latest first', async () => {
  const entries = await rowsOf('select id, timestamp from auth_logs order by timestamp desc limit 300');
  const middle = entries[150];
  const around = await rowsOf(aroundSql('auth_logs', BigInt(middle?.timestamp ?? 0), SOURCES));
  expect(around.map(({ id }) => id)).toEqual(entries.slice(100, 200).map(({ id }) => id));
});

test('related entries of all sources carry the request’s id', async () => {
  const [entry] = await rowsOf(
    'select t.id, t.timestamp, m.request_id as source from auth_logs t, unnest(metadata) m where m.request_id is not null limit 1',
  );
  const related = await rowsOf(relatedSql([entry?.source ?? '', "it's"], SOURCES));
  expect(related.map(({ id }) => id)).toContain(entry?.id);
});

test.each(['nope', "x' or 1"])('there is nothing around an entry of %s', (name) => {
  expect(() => aroundSql(name, 0n, SOURCES)).toThrow(/There is no source/);
});
