import * as z from 'zod';
import { ConfigurationError } from '../../../errors/configuration-error.ts';
import type { FieldSchema, FieldType, TableSchema } from '../../../schema/table-schema.ts';
import {
  type ColumnTree,
  flatRecords,
  knownTree,
  type RecordNode,
  treeSchema,
} from '../loading/column-tree.ts';
import { valueColumn } from '../store/layout.ts';
import { storedTableSchema } from '../store/stored-schemas.ts';

/** How a part of a source's entries is stored. Parts that were written at different times may differ. */
export interface TableShape {
  readonly schema: TableSchema;
  /** The flat records by their path. */
  readonly flat: readonly string[];
  /** The fields that entries brought and the schema of the source lacks, by their path; their types may widen. */
  readonly added: readonly string[];
}

/** A shape as manifests and logs of records have it. */
export const tableShape: z.ZodType<TableShape> = z.strictObject({
  schema: storedTableSchema,
  flat: z.array(z.string()),
  added: z.array(z.string()),
});

/** Whether two shapes are equal, the order of their fields and paths included. */
export function isSameShape(a: TableShape, b: TableShape): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The columns that entries are written against. */
export function treeOf({ schema, flat, added }: TableShape): ColumnTree {
  const [flatPaths, addedPaths] = [new Set(flat), new Set(added)];
  return knownTree(schema, {
    isFlat: (path) => path === '' || flatPaths.has(path),
    isDeclared: (path) => !addedPaths.has(path),
  });
}

/** The shape of what was written against a tree's columns. */
export function shapeOf(tree: ColumnTree): TableShape {
  const schema = treeSchema(tree.root);
  return { schema, flat: [...flatRecords(tree.root).keys()], added: addedPaths(tree.root, []) };
}

function addedPaths(node: RecordNode, parent: readonly string[]): readonly string[] {
  return node.columns.flatMap(({ name, declared, record }) => {
    const path = [...parent, name];
    const below = record === null ? [] : addedPaths(record, path);
    return declared ? below : [valueColumn(path), ...below];
  });
}

/** The paths of the fields that a schema has and another lacks. */
export function fieldsBeyond(
  schema: TableSchema,
  known: TableSchema,
  parent: readonly string[] = [],
): readonly string[] {
  return schema.flatMap((field) => {
    const path = [...parent, field.name];
    const same = fieldNamed(known, field.name);
    const below = fieldsBeyond(field.fields, same?.fields ?? [], path);
    return same === undefined ? [valueColumn(path), ...below] : below;
  });
}

/** BigQuery compares names of fields without regard to case. */
export function fieldNamed(fields: TableSchema, name: string): FieldSchema | undefined {
  const lower = name.toLowerCase();
  return fields.find((field) => field.name.toLowerCase() === lower);
}

/**
 * The shape that can hold the entries of both: all fields, the wider types, and what both have flat. Throws a
 * ConfigurationError where one has a record or an array and the other has not.
 */
export function mergeShapes(a: TableShape, b: TableShape): TableShape {
  const schema = mergeFields(a.schema, b.schema, []);
  const [missingInA, missingInB] = [fieldsBeyond(schema, a.schema), fieldsBeyond(schema, b.schema)];
  const isFlatIn = ({ flat }: TableShape, missing: readonly string[]) => {
    const paths = new Set([...flat, ...missing]);
    return (path: string) => paths.has(path);
  };
  const [inA, inB] = [isFlatIn(a, missingInA), isFlatIn(b, missingInB)];
  const isFlat = (path: string): boolean => {
    const names = path.split('.');
    return names.every((_, index) => {
      const above = valueColumn(names.slice(0, index + 1));
      return inA(above) && inB(above);
    });
  };
  return {
    schema,
    flat: [...new Set([...a.flat, ...b.flat])].filter(isFlat),
    added: [...new Set([...a.added, ...b.added])],
  };
}

function mergeFields(a: TableSchema, b: TableSchema, parent: readonly string[]): TableSchema {
  const merged = a.map((field): FieldSchema => {
    const other = fieldNamed(b, field.name);
    if (other === undefined) return field;
    const path = [...parent, field.name];
    const isRecord = field.type === 'STRUCT';
    if (isRecord !== (other.type === 'STRUCT') || isArray(field) !== isArray(other)) {
      throw new ConfigurationError(
        `the entries that arrived earlier have another kind of field ${valueColumn(path)} than the loaded ones; load the logs into another database file (--database), or give the field one kind in the files. Moving the folder <database>.live away leaves out all entries that arrived`,
      );
    }
    const fields = mergeFields(field.fields, other.fields, path);
    return { ...field, type: widerType(field.type, other.type), fields };
  });
  return [...merged, ...b.filter(({ name }) => fieldNamed(a, name) === undefined).map(optional)];
}

/** Entries that lack a field are there already. */
function optional(field: FieldSchema): FieldSchema {
  return field.mode === 'REQUIRED' ? { ...field, mode: 'NULLABLE' } : field;
}

const isArray = ({ mode }: FieldSchema): boolean => mode === 'REPEATED';

function widerType(a: FieldType, b: FieldType): FieldType {
  if (a === b) return a;
  const isNumber = (type: FieldType) => type === 'INT64' || type === 'FLOAT64';
  return isNumber(a) && isNumber(b) ? 'FLOAT64' : 'STRING';
}
