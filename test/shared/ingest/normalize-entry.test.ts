import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { entryNormalizer } from '../../../shared/ingest/normalize-entry.ts';
import { type TableSchema, tableSchema } from '../../../shared/schema/table-schema.ts';

const SCHEMA = tableSchema.parse([
  { name: 'id', type: 'STRING', mode: 'REQUIRED' },
  { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
  { name: 'event_message', type: 'STRING' },
  { name: 'project', type: 'STRING' },
  { name: 'metadata', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'host', type: 'STRING' }] },
]);

function normalize(
  entry: string,
  schema: TableSchema = SCHEMA,
  projects: readonly string[] | null = null,
  defaultProject: string | null = null,
): unknown {
  const normalizer = entryNormalizer({
    schema,
    projects,
    defaultProject,
    nowMicros: () => 1_767_225_600_000_000n,
    newId: () => 'new',
  });
  return JSON.parse(normalizer(entry, 7));
}

const BASE = { id: 'a', timestamp: '2026-01-01' };
const NOW = { id: 'new', timestamp: 1_767_225_600_000_000 };

describe('entryNormalizer', () => {
  test.each<[string, object, object]>([
    ['an entry in the form of log files', { ...BASE, event_message: 'm', metadata: [{ host: 'h' }] }, {}],
    ['metadata that is an object', { ...BASE, metadata: { host: 'h', a: { b: 1 } } }, {}],
    ['metadata of two records', { ...BASE, metadata: [{ host: 'h' }, { host: 'i' }] }, {}],
    ['message', { ...BASE, message: 'm' }, { ...BASE, event_message: 'm' }],
    [
      'message before event_message',
      { ...BASE, event_message: 'e', message: 'm' },
      { ...BASE, event_message: 'm' },
    ],
    [
      'event_message where message is null',
      { ...BASE, event_message: 'e', message: null },
      { ...BASE, event_message: 'e' },
    ],
    ['an empty message', { ...BASE, message: '' }, { ...BASE, event_message: '' }],
    ['nothing', {}, NOW],
    ['nulls', { id: null, timestamp: null, project: null, metadata: null, x: null }, NOW],
    ['seconds', { ...BASE, timestamp: 1_767_225_600 }, { ...BASE, timestamp: 1_767_225_600_000_000 }],
    [
      'other fields',
      { ...BASE, level: 'info', project: 'p' },
      { ...BASE, project: 'p', metadata: { level: 'info' } },
    ],
    [
      'other fields beside metadata',
      { ...BASE, appname: 'kong', metadata: { host: 'h' } },
      { ...BASE, metadata: { host: 'h', appname: 'kong' } },
    ],
    [
      'other fields beside one record',
      { ...BASE, appname: 'kong', metadata: [{ host: 'h' }] },
      { ...BASE, metadata: { host: 'h', appname: 'kong' } },
    ],
    ['other fields beside no record', { ...BASE, a: 1, metadata: [] }, { ...BASE, metadata: { a: 1 } }],
    [
      'a field that metadata has as well',
      { ...BASE, a: 1, metadata: { a: 1 } },
      { ...BASE, metadata: { a: 1 } },
    ],
    ['a column in another case', { ...BASE, Project: 'p' }, { ...BASE, project: 'p' }],
  ])('takes %s', (_, entry, expected) => {
    expect(normalize(JSON.stringify(entry))).toEqual(Object.keys(expected).length === 0 ? entry : expected);
  });

  test.each<[string, object, readonly string[], unknown]>([
    ['of the only project where it names none', {}, ['a"b'], 'a"b'],
    ['of the only project where it names null', { project: null }, ['a'], 'a'],
    ['of the project that it names', { project: 'b' }, ['a', 'b'], 'b'],
    ['of the project that it names in another case', { PROJECT: 'b' }, ['a', 'b'], 'b'],
  ])('makes an entry one %s', (_, entry, projects, project) => {
    expect(normalize(JSON.stringify({ ...BASE, ...entry }), SCHEMA, projects)).toEqual({ ...BASE, project });
  });

  test.each<[string, object, readonly string[]]>([
    ['of another project', { project: 'b' }, ['a']],
    ['of another project in another case', { Project: 'b' }, ['a']],
    ['of a project that differs in case', { project: 'A' }, ['a']],
    ['of no project where there are several', {}, ['a', 'b']],
    ['of a project that is no text', { project: ['a'] }, ['a']],
    ['of any project where none is allowed', { project: 'a' }, []],
  ])('refuses an entry %s', (_, entry, projects) => {
    expect(() => normalize(JSON.stringify({ ...BASE, ...entry }), SCHEMA, projects)).toThrow(
      expect.objectContaining({
        kind: 'permission_denied',
        details: [expect.objectContaining({ entry: 7, field: 'project' })],
      }),
    );
  });

  test('leaves other fields where they are when the table has no metadata', () => {
    const schema = SCHEMA.filter(({ name }) => name === 'timestamp');
    const entry = { timestamp: '2026-01-01', message: 'm', id: 1 };
    expect(normalize(JSON.stringify(entry), schema)).toEqual(entry);
  });

  test.each([
    ['names none, of the default project', {}, null, 'home'],
    ['names null, of the default project', { project: null }, null, 'home'],
    ['names one, of that', { project: 'p' }, null, 'p'],
    ["names none, of the token's only project", {}, ['own'], 'own'],
  ])('says that an entry is, where it %s', (_, given, projects, project) => {
    expect(normalize(JSON.stringify({ ...BASE, ...given }), SCHEMA, projects, 'home')).toEqual({
      ...BASE,
      project,
    });
  });

  test('does not widen a token of several projects by the default one', () => {
    expect(() => normalize(JSON.stringify(BASE), SCHEMA, ['a', 'home'], 'home')).toThrow(
      expect.objectContaining({ kind: 'permission_denied' }),
    );
  });

  test('names no project where the table has no such column', () => {
    const schema = SCHEMA.filter(({ name }) => name !== 'project');
    expect(normalize(JSON.stringify(BASE), schema, null, 'home')).toEqual(BASE);
  });

  test('keeps every digit and names of prototypes', () => {
    const normalizer = entryNormalizer({
      schema: SCHEMA,
      projects: null,
      defaultProject: null,
      nowMicros: () => 0n,
      newId: () => 'new',
    });
    const text = normalizer(
      '{"id":12345678901234567890,"timestamp":1,"a":1.00,"__proto__":{"constructor":1e400}}',
      0,
    );
    expect(text).toBe(
      '{"timestamp":1,"id":12345678901234567890,"metadata":{"a":1.00,"__proto__":{"constructor":1e400}}}',
    );
  });

  test.each([
    ['a field twice', '{"timestamp":1,"timestamp":2}', 'timestamp'],
    ['a field twice in two cases', '{"project":"a","PROJECT":"b"}', 'PROJECT'],
    ['a field twice, once escaped', String.raw`{"id":"a","\u0069d":"b"}`, 'id'],
    ['a message that is no text', '{"message":{"a":1}}', 'message'],
    ['an event message that is no text', '{"event_message":5}', 'event_message'],
    ['a field that metadata has otherwise', '{"a":1,"metadata":{"A":2}}', 'a'],
    ['a field beside two records', '{"a":1,"metadata":[{},{}]}', 'a'],
    ['a field beside metadata that is no record', '{"a":1,"metadata":"x"}', 'a'],
    ['more after the object', '{"a":1} {"b":2}', undefined],
    ['a missing comma', '{"a":1 "b":2}', undefined],
    ['a raw line break in a name', '{"a\nb":1}', undefined],
  ])('refuses %s and names the entry and field', (_, text, field) => {
    expect(() => normalize(text)).toThrow(
      expect.objectContaining({
        kind: 'invalid_argument',
        details: [{ entry: 7, ...(field === undefined ? {} : { field }), reason: expect.any(String) }],
      }),
    );
  });

  test('answers JSON for any JSON object, with all of its values, or refuses it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), (entry) => {
        const names = Object.keys(entry).map((name) => name.toLowerCase());
        fc.pre(new Set(names).size === names.length);
        fc.pre(
          !names.some((name) => ['message', 'event_message', 'metadata', 'id', 'timestamp'].includes(name)),
        );
        const { metadata = {}, ...rest } = normalize(JSON.stringify(entry)) as Record<string, object>;
        const given = Object.entries(JSON.parse(JSON.stringify(entry))).filter(([, value]) => value !== null);
        const all = { ...metadata, ...rest, ...NOW };
        expect(all).toEqual({ ...Object.fromEntries(given), ...NOW });
      }),
    );
  });
});
