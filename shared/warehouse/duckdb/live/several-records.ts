import type { TableSchema } from '../../../schema/table-schema.ts';
import { columnOfLists, valueOfLists } from '../loading/column-of-lists.ts';
import type { PhysicalColumn } from '../store/layout.ts';
import type { TableShape } from './table-shape.ts';

/*
 * Expressions over entries whose records are lists in the columns of a shape's schema, of which a flat one may have
 * several elements.
 */

/** SQL for a column of a source's own table, which has nothing of a flat record that is there several times. */
export function columnOfSeveral(shape: TableShape, column: PhysicalColumn): string {
  const { kind, path } = column;
  if (kind === 'repeated') return hasTwice(shape);
  const all = columnOfLists(shape.schema, column);
  if (kind === 'text') return all;
  const single = singleAbove(shape.schema, kind === 'presence' ? [...path, ''] : path);
  if (single.length === 0) return all;
  const within = single.join(' AND ');
  return kind === 'presence'
    ? `coalesce(${within} AND ${all}, FALSE)`
    : `CASE WHEN ${within} THEN ${all} END`;
}

/** SQL for whether an entry has a flat record several times. */
export function hasTwice({ schema, flat }: TableShape): string {
  const several = flat.flatMap((record) => {
    const path = record.split('.');
    const list = lists(schema, [...path, '']).at(-1);
    if (list === undefined || list.depth !== path.length) return [];
    return [[...singleAbove(schema, path), `len(${list.sql}) > 1`].join(' AND ')];
  });
  if (several.length === 0) return 'FALSE';
  return `coalesce(${several.map((one) => `(${one})`).join(' OR ')}, FALSE)`;
}

/** Conditions under which each list above the end of a path has one element. */
function singleAbove(schema: TableSchema, path: readonly string[]): readonly string[] {
  return lists(schema, path).map(({ sql }) => `len(${sql}) = 1`);
}

/** The repeated records above the end of a path, from the outermost on. */
function lists(
  schema: TableSchema,
  path: readonly string[],
): readonly { readonly sql: string; readonly depth: number }[] {
  let fields = schema;
  return path.slice(0, -1).flatMap((name, index) => {
    const field = fields.find((one) => one.name === name);
    if (field === undefined) throw new TypeError(`no field ${name}`);
    fields = field.fields;
    const depth = index + 1;
    return field.mode === 'REPEATED' ? [{ sql: valueOfLists(schema, path.slice(0, depth)), depth }] : [];
  });
}
