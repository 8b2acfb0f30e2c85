import type { FieldSchema, TableSchema } from '../../shared/schema/table-schema.ts';

/** What keeps a table from being read with the expected schema: words that follow the table's name, and a remedy. */
export interface SchemaFault {
  /** Whether the column is not there, or is another one. */
  readonly kind: 'missing' | 'different';
  readonly problem: string;
  readonly remedy: string;
}

/**
 * Where a table lacks a column that is expected, or has it with another type or mode. More columns, and REQUIRED for
 * NULLABLE, do no harm. Names are compared without regard to case, as BigQuery does.
 */
export function compareSchema(
  expected: TableSchema,
  actual: TableSchema,
  prefix = '',
): readonly SchemaFault[] {
  return expected.flatMap((column) => {
    const path = `${prefix}${column.name}`;
    const found = actual.find(({ name }) => name.toLowerCase() === column.name.toLowerCase());
    if (found === undefined) {
      return [
        {
          kind: 'missing',
          problem: `lacks the column ${path} (${describe(column)})`,
          remedy: 'add it as in queries/sources, with "terraform apply" or "bq update"',
        },
      ];
    }
    const isSameList = (column.mode === 'REPEATED') === (found.mode === 'REPEATED');
    if (column.type === found.type && isSameList) {
      return compareSchema(column.fields, found.fields, `${path}.`);
    }
    return [
      {
        kind: 'different',
        problem: `has the column ${path} as ${describe(found)} in place of ${describe(column)}`,
        remedy: 'load its logs into a table with the schema of queries/sources',
      },
    ];
  });
}

function describe({ type, mode }: FieldSchema): string {
  return mode === 'REPEATED' ? `ARRAY<${type}>` : type;
}
