import { invalidParameter } from '../errors/service-error.ts';
import { columnName } from '../lql/compile-select.ts';
import { parseLql } from '../lql/parse.ts';
import type { Clause, LqlQuery } from '../lql/tree.ts';
import { findField } from '../sql/sandbox/entry-field.ts';
import { formatMicros } from '../time/iso-timestamp.ts';
import type { Sources, ValueFilter } from './condition.ts';
import { joinClauses, lqlClauses, lqlPath, lqlValue } from './lql-text.ts';

const COMPARED = new Set(['STRING', 'INT64', 'FLOAT64', 'BOOL']);

/**
 * Has a query in LQL ask for one value of a field, or for all others. Throws a ServiceError (invalid_argument) for a text that
 * is not valid, and for a value that no clause can name.
 */
export function filterLql(text: string, filter: ValueFilter, sources: Sources): string {
  const query = parseLql(text);
  const { names, kind } = fieldOf(query, filter, sources);
  const clause = (filter.negated ? '-' : '') + clauseOf(names, kind, filter);
  const clauses = lqlClauses(text);
  if (clauses.includes(clause)) return text;
  const opposite = filter.negated ? clause.slice(1) : `-${clause}`;
  const edited = joinClauses([...clauses.filter((one) => one !== opposite), clause]);
  parseLql(edited);
  return edited;
}

/** Lays a query in LQL out: one space between clauses, or a line for each. Throws a ServiceError (invalid_argument). */
export function formatLql(text: string): string {
  parseLql(text);
  return joinClauses(lqlClauses(text));
}

function fieldOf(
  query: LqlQuery,
  filter: ValueFilter,
  sources: Sources,
): { readonly names: readonly string[]; readonly kind: string } {
  const from = query.clauses.find((clause) => clause.kind === 'from');
  const columns = sources.get(from?.source ?? [...sources.keys()][0] ?? '') ?? [];
  const names = filter.of === 'source' ? filter.path : sourcePath(query.clauses, filter.path);
  const field = names === null ? null : findField(columns, names);
  if (names !== null && field !== null)
    return { names: [...field.levels.flat(), ...field.leaf], kind: field.type.kind };
  throw invalidParameter(
    'path',
    `${filter.path.join('.').slice(0, 200)} is no field of the source, so that LQL cannot ask for it.`,
  );
}

/** Where the values of a column of the result are in the source; null for one that is computed. */
function sourcePath(
  clauses: readonly Clause[],
  [name = '', ...rest]: readonly string[],
): readonly string[] | null {
  if (clauses.some(({ kind }) => kind === 'aggregate' || kind === 'group_by')) return null;
  const selected = clauses.find((clause) => clause.kind === 'select' && columnName(clause) === name);
  return selected?.kind === 'select' ? [...selected.path.split('.'), ...rest] : [name, ...rest];
}

function clauseOf(names: readonly string[], kind: string, { value }: ValueFilter): string {
  const path = lqlPath(names);
  if (kind === 'TIMESTAMP' && path === 'timestamp' && /^-?\d{1,18}$/.test(String(value)))
    return `t:${formatMicros(BigInt(String(value)))}`;
  if (value === null) return `${path}:NULL`;
  if (COMPARED.has(kind)) return `${path}:${lqlValue(String(value))}`;
  throw invalidParameter('value', `LQL has no clause for a value of ${path}, which is a ${kind}.`);
}
