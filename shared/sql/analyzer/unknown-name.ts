import { didYouMean } from '../text/nearest-names.ts';
import type { SqlType } from '../types/sql-type.ts';
import { namesInScope, type Scope } from './scope.ts';

/** Most names that a message lists. */
const MAX_LISTED = 20;

/**
 * What helps where a name means nothing, to follow a message: names that it may be a slip of; else the record
 * that has a field of the name; else the names that there are. Empty where there is none.
 */
export function hintFor(name: string, scope: Scope): string {
  const slip = didYouMean(name, namesInScope(scope));
  if (slip !== '') return slip;
  const record = recordWith(name.toLowerCase(), scope);
  if (record !== null) return `; ${record} has a field of that name: unnest it first`;
  const names = [...new Set(namesInScope(scope))];
  if (names.length === 0) return '';
  const more = names.length > MAX_LISTED ? ', …' : '';
  return `; there are ${names.slice(0, MAX_LISTED).join(', ')}${more}`;
}

/** The path of the first repeated record in scope that has a field; the ones that lie least deep come first. */
function recordWith(name: string, scope: Scope): string | null {
  let level = [...columnsOf(scope)];
  while (level.length > 0) {
    const inside = level.flatMap(({ path, type }) => fieldsOf(type).map((field) => ({ path, field })));
    const found = inside.find(({ field }) => field.name.toLowerCase() === name);
    if (found !== undefined) return found.path;
    level = inside.map(({ path, field }) => ({ path: `${path}.${field.name}`, type: field.type }));
  }
  return null;
}

function* columnsOf({ names }: Scope): Generator<{ readonly path: string; readonly type: SqlType }> {
  for (const range of names.ranges) {
    if (range.kind === 'columns')
      yield* range.columns.map(({ name, column }) => ({ path: name, type: column.type }));
    else if (range.alias !== null) yield { path: range.alias, type: range.column.type };
  }
}

function fieldsOf(type: SqlType): readonly { readonly name: string; readonly type: SqlType }[] {
  if (type.kind === 'ARRAY') return fieldsOf(type.element);
  return type.kind === 'STRUCT' ? type.fields : [];
}
