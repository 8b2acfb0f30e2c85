import type { ColumnMatch } from '../ast/query.ts';
import type { ComputedColumn, OutputColumn, ResolvedQuery } from '../resolved/scan.ts';
import { INT64 } from '../types/sql-type.ts';
import { analysisError, type Environment, newColumn } from './environment.ts';

type Mode = NonNullable<ColumnMatch['mode']>;

/**
 * The queries of a set operation by name with the columns of its result, in one order, NULL where a query has none of that name
 * (GoogleSQL reference, "Set operators"). Throws a ServiceError (invalid_argument).
 */
export function matchColumns(
  environment: Environment,
  match: ColumnMatch,
  inputs: readonly ResolvedQuery[],
  at: number,
): readonly ResolvedQuery[] {
  const { syntax } = match;
  const mode = match.mode ?? (syntax === 'BY NAME' ? 'STRICT' : 'INNER');
  const refuse = (message: string, place = at) => analysisError(environment, place, message);
  const queries = inputs.map((input, index): ReadonlyMap<string, OutputColumn> => {
    const complaint = complaintAbout(input, syntax);
    if (complaint !== null) throw refuse(`${complaint} in query ${index + 1}`);
    return new Map(input.columns.map((column) => [column.name.toLowerCase(), column]));
  });
  const names = match.on === null ? namesFor(mode, queries) : listedNames(refuse, match.on, mode, queries);
  const complaint = names.length === 0 ? 'have no column in common' : mismatch(mode, names, queries);
  if (complaint !== null) throw refuse(`The queries of a set operation ${syntax} ${complaint}`);
  const spelled = names.map((name) => queries.find((query) => query.has(name))?.get(name)?.name ?? name);
  return inputs.map((input, index) => padded(environment, input, queries[index], names, spelled));
}

function complaintAbout({ columns, isValueTable }: ResolvedQuery, syntax: string): string | null {
  if (isValueTable) return `Value table type not allowed in set operations ${syntax}:`;
  const anonymous = columns.findIndex(({ name }) => name === '');
  if (anonymous >= 0)
    return `Anonymous columns are not allowed in set operations ${syntax}: column ${anonymous + 1}`;
  const seen = new Set<string>();
  for (const { name } of columns) {
    if (seen.has(name.toLowerCase())) return `Duplicate columns found in set operations ${syntax}: ${name}`;
    seen.add(name.toLowerCase());
  }
  return null;
}

type Columns = readonly ReadonlyMap<string, OutputColumn>[];

/** The names of the result's columns, in lower case: in the order of the first query, and for FULL of all of them. */
function namesFor(mode: Mode, queries: Columns): string[] {
  if (mode === 'FULL') return [...new Set(queries.flatMap((query) => [...query.keys()]))];
  const first = [...(queries[0]?.keys() ?? [])];
  return mode === 'INNER' ? first.filter((name) => queries.every((query) => query.has(name))) : first;
}

function listedNames(
  refuse: (message: string, place: number) => Error,
  on: NonNullable<ColumnMatch['on']>,
  mode: Mode,
  queries: Columns,
): string[] {
  const names = on.map(({ name }) => name.toLowerCase());
  for (const [index, { name, at }] of on.entries()) {
    const key = name.toLowerCase();
    if (names.indexOf(key) < index) throw refuse(`Column ${name} stands twice in the list of names`, at);
    const searched = mode === 'FULL' ? queries.some((query) => query.has(key)) : queries[0]?.has(key);
    const missing = mode === 'INNER' ? queries.findIndex((query) => !query.has(key)) : -1;
    if (!searched)
      throw refuse(`Column ${name} of the list is not in ${mode === 'FULL' ? 'any query' : 'query 1'}`, at);
    if (missing >= 0) throw refuse(`Column ${name} of the list is not in query ${missing + 1}`, at);
  }
  return names;
}

/** What is wrong with the queries for a mode; null where nothing is. */
function mismatch(mode: Mode, names: readonly string[], queries: Columns): string | null {
  if (mode === 'STRICT') {
    const other = queries.findIndex(
      (query) => query.size !== names.length || !names.every((name) => query.has(name)),
    );
    if (other < 0) return null;
    const lists = [names, [...(queries[other]?.keys() ?? [])]].map((list) => `[${list.join(', ')}]`);
    return `must all have the same names, but ${lists[0]} is asked for and query ${other + 1} has ${lists[1]}; FULL, LEFT and INNER before the operator allow others`;
  }
  if (mode !== 'LEFT') return null;
  const [first] = queries;
  const other = queries.findIndex((query) => ![...query.keys()].some((name) => first?.has(name)));
  return other < 0 ? null : `with LEFT need columns in common with query 1, but query ${other + 1} has none`;
}

/** A query with the named columns alone. */
function padded(
  environment: Environment,
  input: ResolvedQuery,
  columns: ReadonlyMap<string, OutputColumn> | undefined,
  names: readonly string[],
  spelled: readonly string[],
): ResolvedQuery {
  const { scan } = input;
  // Literals of the select list stay in the scan on top, where they take the types of other queries.
  const isList = scan.kind === 'project';
  const computed: ComputedColumn[] = [];
  const chosen = names.map((key, index): OutputColumn => {
    const name = spelled[index] ?? key;
    const known = columns?.get(key);
    if (known !== undefined) return isList ? { ...known, name } : { name, column: known.column };
    const column = newColumn(environment, name, INT64);
    const literal = { kind: 'literal', type: INT64, value: null } as const;
    computed.push({ column, expression: literal });
    return { name, column, literal };
  });
  if (computed.length === 0) return { ...input, columns: chosen };
  const all = isList ? [...scan.computed, ...computed] : computed;
  const below = isList ? scan.input : scan;
  return { ...input, scan: { kind: 'project', input: below, computed: all }, columns: chosen };
}
