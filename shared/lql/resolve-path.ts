import type { ServiceError } from '../errors/service-error.ts';
import { nearestNames } from '../sql/text/nearest-names.ts';
import type { Column, SqlType } from '../sql/types/sql-type.ts';
import { lqlError } from './lql-error.ts';

/** What a query reads: one CTE with its columns. */
export interface LqlSource {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** A path as it lies in a source: through repeated records, one a level, to a field. */
export interface ResolvedPath {
  /** What is written, `metadata.` for `m.`. */
  readonly path: string;
  /** Of each repeated record on the way, the names from the one before it. */
  readonly levels: readonly (readonly string[])[];
  /** The names from the innermost of them to the field. */
  readonly leaf: readonly string[];
  readonly type: SqlType;
}

/** Most places that a hint names. */
const MOST_PLACES = 3;

/**
 * Finds a path in a source, name by name, in the case that they have. Throws a ServiceError (invalid_argument,
 * unknown_field) for the place `at` of the text, with the names nearest to it.
 */
export function resolvePath(text: string, at: number, source: LqlSource, path: string): ResolvedPath {
  const levels: string[][] = [];
  let way: string[] = [];
  let fields = source.columns;
  let type: SqlType | null = null;
  for (const [index, name] of path.split('.').entries()) {
    if (type !== null && type.kind === 'ARRAY') {
      levels.push(way);
      way = [];
    }
    const field = fields.find((one) => one.name === name);
    if (field === undefined) throw unknownField(text, at, source, path, index, fields);
    way.push(name);
    type = field.type;
    fields = fieldsOf(type);
  }
  if (type === null) throw new TypeError('a path has a name');
  return { path, levels, leaf: way, type };
}

/** The fields of a record or of the elements of a repeated one; none of any other type. */
function fieldsOf(type: SqlType): readonly Column[] {
  const element = type.kind === 'ARRAY' ? type.element : type;
  return element.kind === 'STRUCT' ? element.fields : [];
}

/** Whether a path of this type ends at a record. */
export function isRecord(type: SqlType): boolean {
  return (type.kind === 'ARRAY' ? type.element : type).kind === 'STRUCT';
}

function unknownField(
  text: string,
  at: number,
  source: LqlSource,
  path: string,
  index: number,
  fields: readonly Column[],
): ServiceError {
  const names = path.split('.');
  const rest = names.slice(index + 1);
  const near = nearestNames(
    names[index] ?? '',
    fields.map(({ name }) => name),
  ).map((name) => {
    const isAll = hasPath(fields, [name, ...rest]);
    return [...names.slice(0, index), name, ...(isAll ? rest : [])].join('.');
  });
  const meant = near.length === 0 ? elsewhere(source, names.at(-1) ?? '') : near;
  const hint = meant.length === 0 ? '' : `; did you mean ${meant.join(' or ')}?`;
  return lqlError(text, at, 'unknown_field', `no field ${path.slice(0, 200)} in ${source.name}${hint}`);
}

/** Whether the names lead from field to field. */
function hasPath(fields: readonly Column[], [name, ...rest]: readonly string[]): boolean {
  const field = fields.find((one) => one.name === name);
  return field !== undefined && (rest.length === 0 || hasPath(fieldsOf(field.type), rest));
}

/** Where else the source has a field of this name. */
function elsewhere({ columns }: LqlSource, name: string): readonly string[] {
  const found: string[] = [];
  const walk = (fields: readonly Column[], before: string): void => {
    for (const field of fields) {
      if (found.length === MOST_PLACES) return;
      if (field.name === name) found.push(`${before}${name}`);
      walk(fieldsOf(field.type), `${before}${field.name}.`);
    }
  };
  walk(columns, '');
  return found;
}
