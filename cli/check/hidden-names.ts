import type { TableSchema, TableSchemas } from '../../shared/schema/table-schema.ts';
import { SUBJECT } from './bigquery-faults.ts';
import { error, type Finding } from './finding.ts';

/**
 * Which projects and datasets have the name of a source or a column: consumers' queries may not have the names of the inside, and so could not
 * name these either. Names compare without regard to case.
 */
export function hiddenNames(insideNames: readonly string[], schemas: TableSchemas): readonly Finding[] {
  const columns = new Set([...schemas.values()].flatMap((schema) => namesIn(schema)));
  const sources = new Set([...schemas.keys()].map((name) => name.toLowerCase()));
  return insideNames.flatMap((name) => {
    const key = name.toLowerCase();
    const what = sources.has(key) ? 'a source' : columns.has(key) ? 'a column' : null;
    if (what === null) return [];
    return [
      error(
        SUBJECT,
        `the project or dataset ${name} has the name of ${what}, which no query in sql or lql can then name`,
        'use a dataset of another name; one with views is enough',
      ),
    ];
  });
}

function namesIn(schema: TableSchema): string[] {
  return schema.flatMap(({ name, fields }) => [name.toLowerCase(), ...namesIn(fields)]);
}
