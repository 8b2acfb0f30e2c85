import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeGateway } from '../../../../functions/gateway.ts';
import { type RealService, startWithLogs } from '../../../data/support/real-service.ts';
import { type Host, serve } from '../../http/support/hosts.ts';
import { type Answer, call } from '../../http/support/http-client.ts';
import { ACCEPTED } from './support/accepted.ts';
import { FORBIDDEN_NAMES, REFUSALS, REQUEST } from './support/refusals.ts';

/** Words of the inside: the engine, its catalogue and functions, names in generated SQL, the stored query's text. */
const INSIDE =
  /duckdb|logs\.main|struct_extract|struct_pack|list_transform|\bq\d+\b|\bc\d+\b|IFNULL|@iso_|0001-01-01|\.ts:|node_modules|\/tmp\/|TypeError|RangeError/gi;

const running: { real?: RealService; host?: Host } = {};

beforeAll(async () => {
  running.real = await startWithLogs({
    edge_logs: [
      { id: 'a', timestamp: 1_767_225_600_000_000, event_message: 'hello', project: 'demo', metadata: [] },
    ],
  });
  running.host = await serve(makeGateway({ ...running.real.service, forbiddenNames: FORBIDDEN_NAMES }));
});
afterAll(async () => {
  await running.host?.close();
  await running.real?.close();
});

/** Sends a query as a body, with what else requests carry. */
function send(sql: string, parameters: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const query = new URLSearchParams();
  for (const [name, values] of REQUEST) for (const value of values) query.append(name, value);
  return call(running.host?.port ?? 0, `/api/endpoints/query/logs.all?${query}`, {
    method: 'POST',
    headers: { 'x-api-key': running.real?.service.localToken ?? '' },
    body: JSON.stringify({ ...parameters, sql }),
  });
}

/** The words of the inside in an answer that are not the query's own. */
function inside(answer: string, sql: string): readonly string[] {
  const words = answer.match(INSIDE) ?? [];
  return words.filter((word) => !sql.toLowerCase().includes(word.toLowerCase()));
}

describe.each(REFUSALS)('over HTTP, %s:', (_, refusals) => {
  test.each(refusals.filter(({ sql }) => sql.isWellFormed()))(
    '$why answers 400 and why',
    async ({ sql, message }) => {
      const answer = await send(sql);
      const { error } = answer.json() as { error: { message: string } };
      expect([answer.status, error.message]).toEqual([400, expect.stringContaining(message)]);
      expect(inside(answer.text, sql)).toEqual([]);
    },
  );
});

/** Queries that begin to run: what the data or the engine make of them. */
const FAILURES: readonly (readonly [why: string, sql: string, code: number])[] = [
  ['a division by zero', 'select div(1, 0) from edge_logs', 400],
  ['a cast that fails', 'select cast(event_message as int64) from edge_logs', 400],
  ['a regular expression that is none', "select regexp_contains(event_message, '(') from edge_logs", 400],
  [
    'a time zone that is none',
    "select format_timestamp('%F', timestamp, 'Mars/Olympus') from edge_logs",
    400,
  ],
  ['a sum that overflows', 'select 9223372036854775807 + length(id) from edge_logs', 400],
  ['a subquery with two rows', 'select (select x from unnest([1, 2]) x) from edge_logs', 400],
  ['an array’s missing element', 'select [1][offset(length(id))] from edge_logs', 400],
  ['a failure by wish', "select error('no ' || event_message) from edge_logs", 400],
];

test.each(FAILURES)('%s reveals nothing of the inside', async (_, sql, code) => {
  const answer = await send(sql);
  expect([answer.status, answer.text]).toEqual([code, expect.anything()]);
  expect(inside(answer.text, sql)).toEqual([]);
});

test('what the embedded engine cannot do answers 400 with a message that says this', async () => {
  const answer = await send("select contains_substr(b'a', 'a') as h");
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('not supported by the embedded engine: ');
});

test.each(ACCEPTED.filter(({ why }) => why !== 'NET'))(
  '$why: rows and explanation tell nothing of the inside',
  async ({ sql }) => {
    const rows = await send(sql);
    expect([rows.status, rows.text]).toEqual([200, expect.anything()]);
    const explanation = await send(sql, { explain: 'true' });
    const { explain } = explanation.json() as { explain: { sources: string[]; warnings: string[] } };
    expect(inside(explain.warnings.join().replaceAll(/iso_timestamp_(?:start|end)/g, ''), sql)).toEqual([]);
    expect(explanation.text).not.toMatch(/\blogs\.|SELECT|WHERE/);
  },
);
