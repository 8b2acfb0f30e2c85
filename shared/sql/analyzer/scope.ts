import type { ResolvedColumn, ResolvedExpression } from '../resolved/expression.ts';
import type { OutputColumn } from '../resolved/scan.ts';

/** A column that an expression can name. */
export type NamedColumn = OutputColumn;

/**
 * What one item of FROM brings into scope: a table's columns, or the elements of an array, of which each row has one
 * value. The alias names the whole row; it is null where the text gives none.
 */
export type RangeVariable = (
  | { readonly kind: 'columns'; readonly alias: string | null; readonly columns: readonly NamedColumn[] }
  | { readonly kind: 'value'; readonly alias: string | null; readonly column: ResolvedColumn }
) & {
  /** Only its alias reaches it: its columns are no columns of the rows any more. */
  readonly isBehind?: true;
};

/** All names that a FROM clause brings, in the order of `SELECT *`. */
export interface FromNames {
  readonly ranges: readonly RangeVariable[];
  /** The columns of JOIN … USING, which stand first and hide those that they are made of. */
  readonly merged: readonly NamedColumn[];
  readonly hidden: ReadonlySet<number>;
}

/** The names of FROM items that are not joined with USING. */
export function namesOf(...ranges: readonly RangeVariable[]): FromNames {
  return { ranges, merged: [], hidden: new Set() };
}

export const NO_NAMES: FromNames = namesOf();

/** What a name means where it stands. */
export type NameTarget =
  | { readonly kind: 'range'; readonly range: RangeVariable }
  | { readonly kind: 'column'; readonly column: ResolvedColumn }
  | { readonly kind: 'field'; readonly base: ResolvedColumn; readonly index: number }
  /** An alias of a select list around a subquery. */
  | { readonly kind: 'alias'; readonly expression: ResolvedExpression }
  | { readonly kind: 'ambiguous' };

/** A select-list alias and the expression that it stands for, for clauses that may name it. */
export type Aliases = ReadonlyMap<string, ResolvedExpression>;

/** The names of one FROM clause, and after them those of the queries around it. */
export interface Scope {
  readonly names: FromNames;
  /** Come before `names`, for subqueries in clauses that may name aliases. */
  readonly aliases?: Aliases;
  readonly outer: Scope | null;
}

/** Joins the names of two FROM items. Merged columns of the right one come behind all columns of the left one. */
export function joinNames(left: FromNames, right: FromNames): FromNames {
  const merged: RangeVariable = { kind: 'columns', alias: null, columns: right.merged };
  return {
    ranges: [...left.ranges, ...(right.merged.length > 0 ? [merged] : []), ...right.ranges],
    merged: left.merged,
    hidden: new Set([...left.hidden, ...right.hidden]),
  };
}

/**
 * Finds what a name means, the innermost query first. In one FROM clause a range variable comes before columns, and
 * columns stand on one level with the fields of unnested records: two of one name are ambiguous.
 */
export function lookUp(scope: Scope | null, name: string): NameTarget | null {
  for (let current = scope; current !== null; current = current.outer) {
    const alias = current.aliases?.get(name.toLowerCase());
    if (alias !== undefined) return { kind: 'alias', expression: alias };
    const target = lookUpHere(current.names, name);
    if (target !== null) return target;
  }
  return null;
}

function lookUpHere(names: FromNames, name: string): NameTarget | null {
  const lowerName = name.toLowerCase();
  const ranges = names.ranges.filter((range) => range.alias?.toLowerCase() === lowerName);
  if (ranges.length > 1) return { kind: 'ambiguous' };
  if (ranges[0] !== undefined) return { kind: 'range', range: ranges[0] };
  const found = [...columnTargets(names, lowerName)];
  if (found.length > 1) return { kind: 'ambiguous' };
  return found[0] ?? null;
}

function* columnTargets(names: FromNames, lowerName: string): Generator<NameTarget> {
  for (const { name, column } of names.merged) {
    if (name.toLowerCase() === lowerName) yield { kind: 'column', column };
  }
  for (const range of names.ranges.filter(({ isBehind }) => !isBehind)) {
    if (range.kind === 'columns') {
      for (const { name, column, row } of range.columns) {
        if (names.hidden.has(column.id)) continue;
        if (name.toLowerCase() === lowerName) yield { kind: 'column', column };
        if (row === 'fields') yield* fieldTargets(column, lowerName);
      }
    } else {
      yield* fieldTargets(range.column, lowerName);
    }
  }
}

function* fieldTargets(base: ResolvedColumn, lowerName: string): Generator<NameTarget> {
  if (base.type.kind !== 'STRUCT') return;
  for (const [index, field] of base.type.fields.entries()) {
    if (field.name.toLowerCase() === lowerName) yield { kind: 'field', base, index };
  }
}

/** The names that could have been meant, for hints. */
export function* namesInScope(scope: Scope | null): Generator<string> {
  for (let current = scope; current !== null; current = current.outer) {
    if (current.aliases !== undefined) yield* current.aliases.keys();
    for (const range of current.names.ranges) {
      if (range.alias !== null) yield range.alias;
      if (range.kind === 'columns') yield* range.columns.map((column) => column.name);
      else if (range.column.type.kind === 'STRUCT')
        yield* range.column.type.fields.map((field) => field.name);
    }
  }
}

/** The ids of the columns that a FROM clause's names stand for. */
export function columnIds(names: FromNames): Set<number> {
  const ids = new Set(names.merged.map(({ column }) => column.id));
  for (const range of names.ranges) {
    if (range.kind === 'value') ids.add(range.column.id);
    else for (const { column } of range.columns) ids.add(column.id);
  }
  return ids;
}
