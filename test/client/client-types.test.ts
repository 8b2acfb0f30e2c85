import { describe, expect, test } from '@jest/globals';
import { type Compiled, compile } from './support/compile.ts';

/** What callers write, and what a compiler has to say of it: nothing, or what the pattern matches. */
const CALLS: readonly (readonly [call: string, complaint: RegExp | null])[] = [
  ["query('usage.api-counts', { project: 'demo', interval: 'weekly' })", /"?weekly"?/],
  ["query('usage.api-counts', { interval: 'weekly' })", /No overload/],
  ["query('usage.api-counts', { project: 'demo' })", /interval/],
  ["query('usage.api-counts', { project: 'demo', interval: 'daily' })", null],
  ["query('usage.api-counts', { project: 'demo', interval: 'daily', more: 1 })", /more/],
  ["query('usage.api-counts', { project: 'demo', interval: 'weekly' }, { sql: 'select 1' })", /"?weekly"?/],
  [
    "query('usage.api-counts', { project: 'demo', interval: 'daily', more: 1 }, { sql: 'select @more' })",
    null,
  ],
  [
    "query<{ n: number }>('usage.api-counts', { project: 'demo', interval: 'daily' }, { lql: 'c:count(*)' }).then(({ rows }) => rows[0]?.n.toFixed())",
    null,
  ],
  [
    "query('usage.api-counts', { project: 'demo', interval: 'daily' }).then(({ rows }) => rows[0]?.total_rest_requests)",
    null,
  ],
  [
    "query('usage.api-counts', { project: 'demo', interval: 'daily' }).then(({ rows }) => rows[0]?.total)",
    /total/,
  ],
  ["query('logs.all', { project: 'demo', iso_timestamp_start: new Date() }, { redactPii: true })", null],
  ["query('logs.all', { project: 'demo' }, { timestamps: 'iso' })", null],
  ["query('logs.all', { project: 'demo' }, { timestamps: 'seconds' })", /seconds/],
  ["query('logs.all', { project: 5 })", /No overload/],
  ["query('logs.all', {})", /project/],
  ["query('some.other', { anything: 1 })", null],
  ["query('some.other', { anything: 1 }, { sql: 'select 1' })", null],
  ["query<{ n: number }>('some.other', {}).then(({ rows }) => rows[0]?.n.toFixed())", null],
  ['query(name, { anything: 1 })', null],
];

const compiled: Compiled = await compile(
  CALLS.map(([call]) => `void client.${call};`),
  "import { makeClient } from '../../../client/client.js';\ndeclare const name: string;\nconst client = makeClient({ baseUrl: '', token: '' });",
);

describe('a call of the client', () => {
  test.each(
    CALLS.map(
      ([call, complaint], index) =>
        [complaint === null ? 'compiles' : 'does not compile', call, complaint, index] as const,
    ),
  )('%s: %s', (_, _call, complaint, index) => {
    const said = compiled.complaints(index);
    if (complaint === null) expect(said).toBe('');
    else expect(said).toMatch(complaint);
  });
});
