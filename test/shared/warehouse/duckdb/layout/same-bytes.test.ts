import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DEMO_SOURCES, demoEntries } from '../../../../../shared/demo-logs/demo-entries.ts';
import { loadTableSchemas } from '../../../../../shared/schema/load-table-schemas.ts';
import { CONFORMANCE_LOGS, CONFORMANCE_SOURCES } from '../../../../conformance/support/cases.ts';
import { CONTRACT_LINES } from '../../contract/contract-logs.ts';
import { type Form, loadedFolder, nestedLines } from './support/forms.ts';

/** One of so many demo entries is enough: they are made by the same few rules. */
const DEMO_PART = 5;

const CONFORMANCE = 'the conformance logs';

type Corpus = ReadonlyMap<string, readonly string[]>;

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '');

/** Entries with fields that the schema lacks, numbers at and beyond 2^53, NULL fields, and records in all numbers. */
const ODD_ENTRIES = [
  '{"id":"1","timestamp":"2024-01-01T00:00:00Z","project":"p","event_message":"none","metadata":[]}',
  '{"id":"2","timestamp":"2024-01-01T00:00:01Z","project":"p","event_message":null}',
  '{"id":"3","timestamp":"2024-01-01T00:00:02Z","project":"p","metadata":[{}]}',
  '{"id":"4","timestamp":"2024-01-01T00:00:03Z","project":"p","metadata":{"request":{}}}',
  '{"id":"5","timestamp":"2024-01-01T00:00:03Z","project":"p","metadata":{"request":[{"path":null,"cf":{"asn":9007199254740993}}]}}',
  '{"id":"6","timestamp":"2024-01-01T00:00:04Z","project":"p","metadata":{"request":[{"path":"/a"},{"path":"/b"}],"added":9007199254740992}}',
  '{"id":"7","timestamp":"2024-01-01T00:00:05Z","project":"p","metadata":[{"added":-9007199254740993,"ratio":1e21},{"ratio":1e-7}]}',
  '{"id":"8","timestamp":"2024-01-01T00:00:06Z","project":"p","metadata":{"also":{"deep":{"ok":true,"texts":["\\u0000","ü\\ud83d\\ude00","\\"\\\\/\\b\\f\\n\\r\\t\\u007f\\u2028"]}}}}',
  '{"id":"9","timestamp":"2024-01-01T00:00:07Z","project":"p","metadata":{"also":{"deep":[{"ok":false},{"ok":null}]},"mixed":1}}',
  '{"id":"10","timestamp":"2024-01-01T00:00:07Z","project":"p","metadata":{"mixed":"NaN","ratio":0.1,"added":null}}',
  '{"id":"11","timestamp":"2024-01-01T00:00:08Z","project":"p","metadata":{"response":[{"status_code":200,"headers":[{"a":"1"},{"a":"2"}]}]}}',
];

const CORPORA: readonly (readonly [string, () => Promise<Corpus>])[] = [
  ['entries with odd values and added fields', async () => new Map([['edge_logs', ODD_ENTRIES]])],
  [
    'the entries of the warehouse contract',
    async () => new Map([['edge_logs', CONTRACT_LINES.map(oneLine)]]),
  ],
  [
    'ten thousand real requests',
    async () => {
      const file = gunzipSync(await readFile('../shared/data/edge_logs.ndjson.gz'));
      return new Map([['edge_logs', linesOf(file.toString('utf8'))]]);
    },
  ],
  [
    CONFORMANCE,
    async () =>
      new Map(
        await Promise.all(
          DEMO_SOURCES.map(async (source) => {
            const file = await readFile(`${CONFORMANCE_LOGS}/${source}.ndjson`, 'utf8');
            return [source, linesOf(file)] as const;
          }),
        ),
      ),
  ],
  [
    'the demo logs',
    async () =>
      new Map(
        DEMO_SOURCES.map((source) => [
          source,
          [...demoEntries(source, 1_767_225_600_000_000n)].filter((_, index) => index % DEMO_PART === 0),
        ]),
      ),
  ],
];

function oneLine(json: string): string {
  return json.replaceAll('\n', ' ');
}

describe.each(CORPORA)('%s', (name, read) => {
  let folder: string;
  let loaded: Form;
  let nested: Form;
  let sources: readonly string[];

  beforeAll(async () => {
    const corpus = await read();
    sources = [...corpus.keys()];
    folder = await mkdtemp(join(tmpdir(), 'same-bytes-'));
    await mkdir(join(folder, 'logs'));
    for (const [source, lines] of corpus) {
      await writeFile(join(folder, 'logs', `${source}.ndjson`), lines.join('\n'));
    }
    loaded = await loadedFolder(
      await loadTableSchemas(name === CONFORMANCE ? CONFORMANCE_SOURCES : 'queries/sources'),
      join(folder, 'logs'),
    );
    nested = await nestedLines(loaded.schemas, corpus);
  });
  afterAll(async () => {
    await loaded.close();
    await nested.close();
    await rm(folder, { recursive: true });
  });

  /** The rows in one order: where times tie, theirs is open. */
  async function rowsOf(form: Form, sql: string): Promise<readonly string[]> {
    const outcome = await form.run(sql);
    if (outcome.kind !== 'rows') throw new Error(`${sql}: ${outcome.message}`);
    return outcome.rows.toSorted();
  }

  test.each([
    'select metadata from logs.SOURCE',
    'select * from logs.SOURCE',
    'select * from logs.SOURCE order by timestamp desc',
    'select id, timestamp, event_message, metadata from logs.SOURCE order by timestamp desc, id limit 10000',
    'select t.timestamp, m as whole from logs.SOURCE as t left join unnest(metadata) as m',
    'select to_json_string(metadata) as text, to_json_string(t) as entry from logs.SOURCE as t',
    'select metadata as one, metadata as other, array_length(metadata) as size from logs.SOURCE',
    'with newest as (select * from logs.SOURCE) select a.metadata, b.metadata as again from newest as a left join newest as b on a.id = b.id and b.event_message is not null',
  ])('%s', async (query) => {
    let rows = 0;
    for (const source of sources) {
      const sql = query.replaceAll('SOURCE', source);
      const expected = await rowsOf(nested, sql);
      expect(await rowsOf(loaded, sql)).toEqual(expected);
      rows += expected.length;
    }
    expect(rows).toBeGreaterThan(0);
  });
});
