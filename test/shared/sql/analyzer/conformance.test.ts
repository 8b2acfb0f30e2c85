import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { loadTableSchemas } from '../../../../shared/schema/load-table-schemas.ts';
import { tableSchema } from '../../../../shared/schema/table-schema.ts';
import { fieldType } from '../../../../shared/sql/analyzer/resolve-table.ts';
import { typeText } from '../../../../shared/sql/types/sql-type.ts';
import { serviceErrorOf } from '../support/service-error.ts';
import { analyzeQuery, columnsOf } from './support/analyze-query.ts';

const FOLDER = '../shared/conformance';
const tables = await loadTableSchemas(`${FOLDER}/sources`);

interface Case {
  readonly id: string;
  readonly sql: string;
  readonly columns: readonly object[];
  readonly class: string;
}

function readCases(file: string): Case[] {
  const lines = readFileSync(`${FOLDER}/${file}`, 'utf8').trim().split('\n');
  return lines.map((line): Case => JSON.parse(line));
}

describe('a query that GoogleSQL answers', () => {
  test.each(readCases('cases-public.jsonl').map((one) => [one.id, one] as const))(
    '%s has exactly its columns, by name and type',
    (_, { sql, columns }) => {
      const expected = columns.map((column) => {
        const [field] = tableSchema.parse([column]);
        if (field === undefined) throw new Error('a column is one field');
        return `${field.name} ${typeText(fieldType(field))}`;
      });
      expect(columnsOf(sql, tables)).toBe(expected.join(', '));
    },
  );
});

describe('a query that GoogleSQL refuses', () => {
  const cases = readCases('cases-errors.jsonl').filter((one) => !one.class.startsWith('runtime:'));

  test.each(cases.map((one) => [one.id, one] as const))('%s is refused with a place', (_, { sql }) => {
    const error = serviceErrorOf(() => analyzeQuery(sql, tables));
    expect(error.kind).toBe('invalid_argument');
    expect(error.details).toEqual([{ line: 1, column: expect.any(Number) }]);
    const column = Number(error.details[0]?.column);
    expect(column).toBeGreaterThanOrEqual(1);
    expect(column).toBeLessThanOrEqual(sql.length + 1);
  });
});
