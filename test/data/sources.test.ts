import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { formatMicros, parseIsoTimestamp } from '../../shared/time/iso-timestamp.ts';
import { type RealService, rowsOf, startRealService } from './support/real-service.ts';

const FOLDER = '../shared/conformance';

interface Entry {
  readonly id: string;
  readonly micros: bigint;
  readonly project?: string | null;
  readonly metadata: readonly Readonly<Record<string, unknown>>[];
}

/** By source, whether an entry belongs to a project: by its column, or by any element of its metadata. */
const byColumn = (entry: Entry, project: string) => entry.project === project;
const byField = (name: string) => (entry: Entry, project: string) =>
  entry.metadata.some((element) => element[name] === project);
const SOURCES: Readonly<Record<string, (entry: Entry, project: string) => boolean>> = {
  edge_logs: byColumn,
  postgres_logs: byColumn,
  auth_logs: byColumn,
  postgrest_logs: byColumn,
  pgbouncer_logs: byColumn,
  realtime_logs: byField('project'),
  storage_logs: byField('project'),
  function_edge_logs: byField('project_ref'),
  function_logs: byField('project_ref'),
};
const PROJECTS = ['default', 'abcdefghijklmnopqrst', 'tsrqponmlkjihgfedcba', 'nobody'];

function entriesOf(source: string): readonly Entry[] {
  const lines = readFileSync(`${FOLDER}/data/${source}.ndjson`, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const entry = JSON.parse(line) as Entry & { readonly timestamp: string };
    const parsed = parseIsoTimestamp(entry.timestamp);
    if (!('micros' in parsed)) throw new Error(`${source}: ${entry.timestamp}`);
    return { ...entry, metadata: entry.metadata ?? [], micros: parsed.micros };
  });
}

let running: RealService;
beforeAll(async () => {
  running = await startRealService('--logs', `${FOLDER}/data`, '--sources', `${FOLDER}/sources`);
});
afterAll(() => running.close());

async function idsOf(source: string, parameters: Readonly<Record<string, string>>): Promise<string[]> {
  const sql = `select id from ${source}`;
  const answer = await running.ask('logs.all', new URLSearchParams({ ...parameters, sql }));
  return rowsOf<{ id: string }>(answer).map(({ id }) => id);
}

describe.each(Object.entries(SOURCES))('the source %s', (source, belongs) => {
  const entries = entriesOf(source);

  test.each(PROJECTS)('has the entries of %s, each once, newest first', async (project) => {
    const own = entries.filter((entry) => belongs(entry, project));
    const ids = await idsOf(source, { project });
    expect([...ids].sort()).toEqual(own.map(({ id }) => id).sort());
    const times = ids.map((id) => own.find((entry) => entry.id === id)?.micros ?? 0n);
    expect(times).toEqual([...times].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0)));
  });

  test('keeps to both bounds, the start exclusive and the end inclusive', async () => {
    const own = entries.filter((entry) => belongs(entry, 'default'));
    const times = own.map(({ micros }) => micros).sort();
    const [early = 0n, late = 0n] = [
      times[Math.floor(times.length / 4)],
      times[Math.floor((times.length * 3) / 4)],
    ];
    for (const [start, end] of [
      [early, late],
      [early - 1n, late - 1n],
      [late, late],
      [late - 1n, late],
    ] as const) {
      const expected = own.filter(({ micros }) => micros > start && micros <= end).map(({ id }) => id);
      const parameters = {
        project: 'default',
        iso_timestamp_start: formatMicros(start),
        iso_timestamp_end: formatMicros(end),
      };
      expect((await idsOf(source, parameters)).sort()).toEqual(expected.sort());
    }
    expect(early).toBeLessThan(late);
  });
});

test('some entries have several elements that belong to one project', () => {
  const several = Object.keys(SOURCES).flatMap((source) =>
    entriesOf(source).filter(({ metadata }) => metadata.length > 1),
  );
  expect(several.length).toBeGreaterThan(10);
});
