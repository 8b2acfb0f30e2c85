import type { ServiceError } from '../errors/service-error.ts';
import { didYouMean } from '../sql/text/nearest-names.ts';
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
  /** Of each repeated record on the way, the way from the one before it: `` .`request` ``. */
  readonly levels: readonly string[];
  /** The way from the innermost of them to the field. */
  readonly leaf: string;
  readonly type: SqlType;
}

/** Most places that a hint names. */
const MOST_PLACES = 3;

/**
 * Finds a path in a source, name by name, in the case that they have. Throws a ServiceError (invalid_argument,
 * unknown_field) for the place `at` of the text, with the names nearest to it.
 */
export function resolvePath(text: string, at: number, source: LqlSource, path: string): ResolvedPath {
  const levels: string[] = [];
  let way = '';
  let fields = source.columns;
  let type: SqlType | null = null;
  for (const [index, name] of path.split('.').entries()) {
    if (type !== null && type.kind === 'ARRAY') {
      levels.push(way);
      way = '';
    }
    const field = fields.find((one) => one.name === name);
    if (field === undefined) throw unknownField(text, at, source, path, index, fields);
    way += `.${quoteName(name)}`;
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

/** A name of a source, in the quotes that GoogleSQL has for names. */
export function quoteName(name: string): string {
  return `\`${name.replace(/[`\\]/g, '\\$&')}\``;
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
  const before = names.slice(0, index).map((name) => `${name}.`);
  const siblings = fields.map(({ name }) => `${before.join('')}${name}`);
  const wanted = names.slice(0, index + 1).join('.');
  const near = didYouMean(wanted, nearSiblings(wanted, siblings));
  const hint = near === '' ? elsewhere(source, names.at(-1) ?? '') : near;
  return lqlError(text, at, 'unknown_field', `no field ${path.slice(0, 200)} in ${source.name}${hint}`);
}

/** Siblings whose own name is near: what stands before it is the same and would make all of them near. */
function nearSiblings(wanted: string, siblings: readonly string[]): readonly string[] {
  const own = (path: string) => path.slice(path.lastIndexOf('.') + 1);
  return siblings.filter((sibling) => didYouMean(own(wanted), [own(sibling)]) !== '');
}

/** Where else the source has a field of this name. */
function elsewhere({ columns }: LqlSource, name: string): string {
  const found: string[] = [];
  const walk = (fields: readonly Column[], before: string): void => {
    for (const field of fields) {
      if (found.length === MOST_PLACES) return;
      if (field.name === name) found.push(`${before}${name}`);
      walk(fieldsOf(field.type), `${before}${field.name}.`);
    }
  };
  walk(columns, '');
  return found.length === 0 ? '' : `; did you mean ${found.join(' or ')}?`;
}
