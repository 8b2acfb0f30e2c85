import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type OpenService, openService } from './open-isolated.ts';

/** One expression over one chunk of rows, which DuckDB can neither interrupt nor count the memory of. */
const BOMBS = [
  [
    'replacing each character by a long text',
    `select max(length(regexp_replace(repeat('a', 50000 + x), '.', repeat('b', 300))))
      from unnest(generate_array(1, 2000)) as x`,
  ],
  [
    'replacing in long texts',
    "select max(length(replace(repeat('a', 1000 + x),'a',repeat('b',10000)))) from unnest(generate_array(1, 600)) as x",
  ],
  [
    'joining long arrays',
    `select array_length(array_concat(generate_array(1,300000), generate_array(1,300000), generate_array(1,300000)))
      from logs.edge_logs, unnest(generate_array(1,100))`,
  ],
  [
    'comparing long texts',
    `select max(edit_distance(repeat('ab', 1900), repeat('ba', 1900 + mod(x, 5))))
      from unnest(generate_array(1, 100000)) as x`,
  ],
  [
    'repeating a text for each row',
    "select max(length(repeat('a', 1000000 + x))) from unnest(generate_array(1, 100000)) as x",
  ],
  [
    'pairing everything with everything',
    'select count(*) from unnest(generate_array(1,1000000)) a, unnest(generate_array(1,1000000)) b where mod(a*b, 7) = 8',
  ],
] as const;

describe('a query that takes all memory and CPU time', () => {
  const opened: OpenService[] = [];
  const service = () => opened[0] as OpenService;
  beforeAll(async () => {
    opened.push(await openService({ graceMs: 1_000 }));
  });
  afterAll(() => service().warehouse.close());

  test.each(BOMBS)('%s ends, without an effect on others', async (_name, sql) => {
    const { ask, askStored } = service();
    const answered: string[] = [];
    await ask('SELECT id FROM logs.edge_logs');
    const bomb = ask(sql, { deadlineMs: 1_500 }).then(
      ({ rows }) => ({ kind: `answered with ${rows}` }),
      (error: unknown) => error,
    );
    const ended = bomb.then(() => answered.push('bomb'));
    expect((await askStored('SELECT COUNT(*) AS n FROM logs.edge_logs')).rows).toEqual(['{"n":3}']);
    answered.push('stored');
    await ended;
    expect(answered).toEqual(['stored', 'bomb']);
    expect(await bomb).toMatchObject({
      kind: expect.stringMatching(/^(deadline_exceeded|resource_exhausted)$/),
      message: expect.not.stringMatching(/process|DuckDB|MiB|SIG/),
    });
    expect((await ask('SELECT COUNT(*) AS n FROM logs.edge_logs')).rows).toEqual(['{"n":3}']);
    expect((await askStored('SELECT COUNT(*) AS n FROM logs.edge_logs')).rows).toEqual(['{"n":3}']);
  });

  test('ends where it sorts more than there is room for', async () => {
    const sql = `SELECT REPEAT(CAST(MOD(a * b, 1009) AS STRING), 100) AS y
      FROM UNNEST(GENERATE_ARRAY(1, 1000000)) AS a, UNNEST(GENERATE_ARRAY(1, 1000)) AS b ORDER BY y DESC, a, b`;
    await expect(service().ask(sql, { deadlineMs: 1_500 })).rejects.toMatchObject({
      kind: expect.stringMatching(/^(deadline_exceeded|resource_exhausted)$/),
    });
    expect((await service().ask('SELECT COUNT(*) AS n FROM logs.edge_logs')).rows).toEqual(['{"n":3}']);
  });

  test('is refused for its memory when it has time enough, with the reason for the log', async () => {
    const [, sql] = BOMBS[1];
    await expect(service().ask(sql)).rejects.toMatchObject({
      kind: 'resource_exhausted',
      message: 'The query needs more memory than it may have; narrow the time range or select fewer columns.',
      cause: { message: expect.stringMatching(/resident memory above the limit/) },
    });
    expect(service().warnings.at(-1)).toMatch(/^a process with a consumer's query was ended by SIGKILL/);
  });

  test('leaves those beside it their rows', async () => {
    const { ask } = service();
    const [, sql] = BOMBS[1];
    const bomb = ask(sql).catch((error: unknown) => error);
    const others = [1, 2, 3, 4, 5, 6].map((n) =>
      ask(
        `SELECT COUNT(*) + ${n} AS n FROM UNNEST(GENERATE_ARRAY(1, 3000)) a, UNNEST(GENERATE_ARRAY(1, 3000)) b`,
      ),
    );
    const rows = (await Promise.all(others)).map((result) => result.rows);
    expect(rows).toEqual([1, 2, 3, 4, 5, 6].map((n) => [`{"n":${9_000_000 + n}}`]));
    expect(await bomb).toMatchObject({ kind: 'resource_exhausted' });
  });
});
