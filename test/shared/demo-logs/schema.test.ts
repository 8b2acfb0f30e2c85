import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { DEMO_SOURCES } from '../../../shared/demo-logs/demo-entries.ts';
import { type FieldSchema, type TableSchema, tableSchema } from '../../../shared/schema/table-schema.ts';
import { readEntries } from './read-entries.ts';

const NOW = '2026-03-05T14:37:12.345678Z';
const FOLDER = new URL('../../../queries/sources/', import.meta.url);
const schemaOf = (source: string): TableSchema =>
  tableSchema.parse(JSON.parse(readFileSync(new URL(`${source}.json`, FOLDER), 'utf8')));

const FITS: Partial<Record<FieldSchema['type'], (value: unknown) => boolean>> = {
  STRING: (value) => typeof value === 'string',
  INT64: Number.isSafeInteger,
  FLOAT64: Number.isFinite,
  BOOL: (value) => typeof value === 'boolean',
  TIMESTAMP: (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(String(value)),
};

/** What does not fit, by path; the paths of leaves that have a value are added to `seen`. */
function faults(record: object, fields: TableSchema, path: string, seen: Set<string>): string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    const here = `${path}${name}`;
    const field = fields.find((candidate) => candidate.name === name);
    if (field === undefined) return [`${here} is not in the schema`];
    if ((field.mode === 'REPEATED') !== Array.isArray(value)) return [`${here} is not ${field.mode}`];
    return (Array.isArray(value) ? value : [value]).flatMap((element: unknown) => {
      if (field.type === 'STRUCT') return faults(element as object, field.fields, `${here}.`, seen);
      seen.add(here);
      return FITS[field.type]?.(element) ? [] : [`${here} is no ${field.type}: ${JSON.stringify(element)}`];
    });
  });
}

const leavesOf = (fields: TableSchema, path = ''): string[] =>
  fields.flatMap(({ name, fields: nested }) =>
    nested.length > 0 ? leavesOf(nested, `${path}${name}.`) : [`${path}${name}`],
  );

describe('demo logs and the table schemas', () => {
  test('every table has demo logs', () => {
    expect(DEMO_SOURCES).toEqual(
      readdirSync(FOLDER)
        .filter((file) => file.endsWith('.json'))
        .map((file) => file.replace('.json', ''))
        .sort(),
    );
  });

  test.each(DEMO_SOURCES)(
    'every entry of %s fits its schema, and every field has a value somewhere',
    (source) => {
      const schema = schemaOf(source);
      const seen = new Set<string>();
      expect(readEntries(source, NOW).flatMap((entry) => faults(entry, schema, '', seen))).toEqual([]);
      expect([...seen].sort()).toEqual(leavesOf(schema).sort());
    },
  );

  test.each(DEMO_SOURCES)('the required columns of %s and its project are always there', (source) => {
    const entries = readEntries(source, NOW);
    expect(entries.filter(({ id, timestamp, project }) => !id || !timestamp || !project)).toEqual([]);
  });

  test('a source without a table has no demo logs', () => {
    expect(readEntries('unknown_logs', NOW)).toEqual([]);
  });
});
