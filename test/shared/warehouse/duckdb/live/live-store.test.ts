import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { entry, IDS, idsOf, liveServices } from './support/live-services.ts';

const { start, stop, stopAll, remove } = liveServices();

afterEach(stopAll);
afterAll(remove);

const ALL = 'SELECT * FROM logs.app_logs ORDER BY timestamp, id';

describe('entries that arrive live', () => {
  it('are seen by the next query, in order of time wherever they arrive', async () => {
    const { live, ask, askIsolated } = await start([entry('a', 10), entry('b', 30)]);
    expect(idsOf(await ask(IDS))).toEqual(['b', 'a']);
    await live.append('app_logs', [entry('late', 20), entry('new', 40)]);
    expect(idsOf(await ask(IDS))).toEqual(['new', 'b', 'late', 'a']);
    expect(idsOf(await askIsolated(IDS))).toEqual(['new', 'b', 'late', 'a']);
    await live.append('app_logs', [entry('newer', 50)]);
    expect(idsOf(await askIsolated(IDS))).toEqual(['newer', 'new', 'b', 'late', 'a']);
    expect(idsOf(await ask(IDS))).toEqual(['newer', 'new', 'b', 'late', 'a']);
  });

  it('are there again after a restart, in segments or not', async () => {
    const first = await start([entry('a', 1)], { limits: { sealEntries: 2 } });
    for (let index = 0; index < 9; index += 1)
      await first.live.append('app_logs', [entry(`n${index}`, 10 + index)]);
    await first.live.settle();
    const rows = await first.ask(ALL);
    expect(rows).toHaveLength(10);
    await stop(first);
    const second = await start([entry('a', 1)], { databaseFile: first.databaseFile });
    expect(await second.ask(ALL)).toEqual(rows);
    expect(await second.askIsolated(ALL)).toEqual(rows);
    expect(second.warnings).toEqual([]);
  });

  it('are taken once by their id, whether loaded, in this batch, in an earlier one or in a segment', async () => {
    const { live, ask } = await start([entry('loaded', 1)], { limits: { sealEntries: 2 } });
    expect(
      await live.append('app_logs', [entry('x', 2), entry('x', 3), entry('loaded', 4), entry('y', 5)]),
    ).toEqual({
      taken: 2,
      duplicates: 2,
    });
    expect(await live.append('app_logs', [entry('y', 9), entry('z', 6)])).toEqual({
      taken: 1,
      duplicates: 1,
    });
    await live.settle();
    expect(await live.append('app_logs', [entry('x', 2)])).toEqual({ taken: 0, duplicates: 1 });
    const both = await Promise.all([1, 2].map(() => live.append('app_logs', [entry('at once', 7)])));
    expect(both.map(({ taken }) => taken).sort()).toEqual([0, 1]);
    expect(idsOf(await ask(IDS))).toEqual(['at once', 'z', 'y', 'x', 'loaded']);
  });

  it('are taken all or not at all, and the first that is malformed is named', async () => {
    const { live, ask, warehouse } = await start([entry('a', 1)]);
    const bad = [entry('b', 2, { extra: { deep: 1 } }), entry('c', 3, { metadata: [{ level: 5 }] })];
    await expect(live.append('app_logs', bad)).rejects.toMatchObject({
      kind: 'invalid_argument',
      details: [{ entry: 1, field: 'metadata.level' }],
    });
    expect(idsOf(await ask(IDS))).toEqual(['a']);
    expect(warehouse.tables.get('app_logs')?.map(({ name }) => name)).not.toContain('extra');
    await expect(live.append('nothing', [])).rejects.toMatchObject({ kind: 'invalid_argument' });
  });
});

/** Batches that change what is known of the tables, one after the other. */
const CHANGES: readonly (readonly [string, readonly (readonly string[])[]])[] = [
  [
    'a record that an entry has twice',
    [
      [entry('b', 2, { metadata: [{ level: 'x' }, { level: 'y', request: [{ method: 'GET' }, {}] }] })],
      [entry('c', 3, { metadata: [{ level: 'z' }] })],
    ],
  ],
  ['a record of which all loaded entries have one', [[entry('b', 2)], [entry('c', 3, { metadata: [] })]]],
  ['a new field', [[entry('b', 2, { extra: 'one' })], [entry('c', 3)], [entry('d', 4, { extra: 'two' })]]],
  [
    'a new field in a record',
    [
      [
        entry('b', 2, {
          metadata: [{ level: 'x', code: 5, request: [{ status: 200, headers: [{ host: 'h', port: 1 }] }] }],
        }),
      ],
      [entry('c', 3, { metadata: [{ level: 'y' }] })],
    ],
  ],
  [
    'a new record, and the same twice',
    [
      [entry('b', 2, { context: { host: 'h', tags: ['a'] } })],
      [entry('c', 3, { context: [{ host: 'i' }, { host: 'j', tags: ['b', 'c'] }] })],
      [entry('d', 4)],
    ],
  ],
  [
    'a new field in entries that have a record twice',
    [
      [entry('b', 2, { metadata: [{ level: 'x' }, { level: 'y' }] })],
      [entry('c', 3, { metadata: [{ code: 1 }, { marks: [1, 2] }] })],
    ],
  ],
  [
    'a new field whose type widens',
    [
      [entry('b', 2, { n: 1, m: true })],
      [entry('c', 3, { n: 1.5, m: 'text', metadata: [{ k: 1 }] })],
      [entry('d', 4, { metadata: [{ k: 0.5 }, { k: 2 }] })],
    ],
  ],
  [
    'all types',
    [
      [
        entry('b', 2, {
          count: 5,
          ratio: 0.5,
          ok: true,
          price: '1.50',
          large: 3,
          raw: '//79',
          seen: 1,
          local: '2026-01-02T03:04:05',
          day: '2026-01-02',
          clock: '03:04:05.5',
          doc: { a: [1, { b: null }] },
          tags: ['q'],
          marks: [1],
          owner: { name: 'o' },
        }),
      ],
    ],
  ],
];

describe('what arrives live is right at once', () => {
  const loaded = [
    entry('a', 1, { metadata: [{ level: 'info', request: [{ method: 'PUT', headers: [{ host: 'x' }] }] }] }),
    // It lies in both tables, and what it has once is a column in both.
    entry('t', 0, { metadata: [{ level: 'warn', request: [{ method: 'GET' }, { method: 'PUT' }] }] }),
  ];
  const QUERIES = [
    ALL,
    'SELECT metadata FROM logs.app_logs ORDER BY timestamp DESC LIMIT 3',
    "SELECT id, m.level, r.method FROM logs.app_logs CROSS JOIN UNNEST(metadata) AS m LEFT JOIN UNNEST(m.request) AS r WHERE timestamp > '2000-01-01' ORDER BY timestamp, m.level, r.method",
    'SELECT COUNT(*) AS n, COUNTIF(ARRAY_LENGTH(metadata) = 0) AS empty, MAX(timestamp) AS newest FROM logs.app_logs WHERE timestamp <= CAST("2026-01-01 00:00:01+00" AS TIMESTAMP)',
  ];

  it.each(CHANGES)('with %s: the answers are those of entries that were loaded', async (_, batches) => {
    const whole = await start([...loaded, ...batches.flat()]);
    const asLoaded = [];
    for (const sql of QUERIES) asLoaded.push(await whole.ask(sql));
    const live = await start(loaded);
    for (const batch of batches) {
      await live.live.append('app_logs', batch);
      // Between batches, so that what is known has to change.
      await live.ask(ALL);
    }
    for (const [index, sql] of QUERIES.entries()) {
      expect(await live.ask(sql)).toEqual(asLoaded[index]);
    }
    expect(await live.askIsolated(ALL)).toEqual(asLoaded[0]);
    await stop(live);
    // Each part in a segment, then all merged.
    const sealed = await start(loaded, {
      databaseFile: live.databaseFile,
      limits: { sealEntries: 1, mergeCount: 2 },
    });
    await sealed.live.settle();
    for (const [index, sql] of QUERIES.entries()) expect(await sealed.ask(sql)).toEqual(asLoaded[index]);
  });
});
