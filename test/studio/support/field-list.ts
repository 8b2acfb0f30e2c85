import { loadTableSchemas } from '../../../shared/schema/load-table-schemas.ts';
import type { TableSchema } from '../../../shared/schema/table-schema.ts';
import { fieldsRead, scopeFields } from './fields-read.ts';
import { STUDIO_QUERIES } from './studio-queries.ts';

/** Shown with the rest of an entry, and not read by name. */
const DETAILS = 'details';

/** The page with the fields. */
export const PAGE = 'docs/studio-fields.md';

/** The tables of that page: the fields of the sources, and which of Studio's queries read each. */
export async function fieldTables(): Promise<string> {
  const readers = readersByField();
  const tables = [...(await loadTableSchemas('queries/sources'))].map(([source, schema]) => {
    const rows = leavesOf(schema).map(([path, type]) => {
      const kinds = readers.get(`${source}.${path}`) ?? new Set([DETAILS]);
      return `| \`${path}\` | ${type} | ${[...kinds].sort().join(', ').replaceAll('-', ' ')} |`;
    });
    return [`## ${source}`, '', '| field | type | read by |', '| --- | --- | --- |', ...rows].join('\n');
  });
  return tables.join('\n\n');
}

function readersByField(): ReadonlyMap<string, ReadonlySet<string>> {
  const readers = new Map<string, Set<string>>();
  for (const { kind, sql } of STUDIO_QUERIES) {
    for (const field of fieldsRead(sql)) {
      const kinds = readers.get(field) ?? new Set();
      readers.set(field, kinds.add(kind));
    }
  }
  for (const field of scopeFields()) readers.set(field, (readers.get(field) ?? new Set()).add('scope'));
  return readers;
}

/** Paths with the names of GoogleSQL's types. */
function leavesOf(fields: TableSchema, prefix = ''): readonly (readonly [string, string])[] {
  return fields.flatMap(({ name, type, mode, fields: nested }) =>
    nested.length > 0
      ? leavesOf(nested, `${prefix}${name}.`)
      : [[`${prefix}${name}`, mode === 'REPEATED' ? `ARRAY<${type}>` : type] as const],
  );
}
