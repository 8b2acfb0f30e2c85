import { compareRows, EvaluationError, evaluate, type Tables, TooManyRows } from './evaluate.ts';
import type { Form, Outcome } from './forms.ts';
import { columnsOf, type Query } from './query.ts';
import { queryText } from './query-text.ts';
import type { NamedType } from './types.ts';
import { matches, type Struct, unknownParts, wire } from './values.ts';

/**
 * A query that was answered as it should be, was refused by all forms alike, fails on a value in all of them, has too many
 * rows to be run here, or is wrong.
 */
export type Verdict =
  | { readonly kind: 'right' | 'refused' | 'failed' | 'large' }
  | { readonly kind: 'wrong'; readonly sql: string; readonly how: string };

export interface Forms {
  readonly nested: Form;
  readonly loaded: Form;
}

/** Runs a query over both forms and compares the rows with each other and with those of the evaluation. */
export async function check(query: Query, forms: Forms, tables: Tables): Promise<Verdict> {
  const sql = queryText(query);
  const wrong = (how: string): Verdict => ({ kind: 'wrong', sql, how });
  const expected = evaluated(query, tables);
  if (expected === 'large') return { kind: 'large' };
  const [nested, loaded] = [await forms.nested.run(sql), await forms.loaded.run(sql)];
  if (nested.kind === 'broken') return wrong(`nested: ${nested.message}`);
  if (nested.kind !== loaded.kind) return wrong(`nested: ${shown(nested)}\nloaded: ${shown(loaded)}`);
  if (nested.kind !== 'rows' || loaded.kind !== 'rows')
    return { kind: nested.kind === 'refused' ? 'refused' : 'failed' };
  if (expected !== 'fails') {
    for (const [name, { rows }] of Object.entries({ nested, loaded })) {
      const problem = difference(query, expected, rows);
      if (problem !== null) return wrong(`${name}: ${problem}`);
    }
  }
  // Which of the rows that tie are kept is open; what the evaluation knows of them holds for both forms.
  if (query.limit !== null) return { kind: 'right' };
  const problem = differentRows(nested.rows, loaded.rows);
  return problem === null ? { kind: 'right' } : wrong(problem);
}

/** Runs the text of a query over both forms and compares the rows with each other. */
export async function checkText(sql: string, forms: Forms): Promise<Verdict> {
  const wrong = (how: string): Verdict => ({ kind: 'wrong', sql, how });
  const [nested, loaded] = [await forms.nested.run(sql), await forms.loaded.run(sql)];
  // What no entry has is not looked at, and so not refused.
  if (nested.kind === 'refused' && loaded.kind === 'rows') return { kind: 'refused' };
  if (nested.kind !== loaded.kind) return wrong(`nested: ${shown(nested)}\nloaded: ${shown(loaded)}`);
  if (nested.kind === 'broken') return isKnown(nested.message) ? { kind: 'refused' } : wrong(nested.message);
  if (nested.kind !== 'rows' || loaded.kind !== 'rows')
    return { kind: nested.kind === 'refused' ? 'refused' : 'failed' };
  const problem = differentRows(nested.rows, loaded.rows);
  return problem === null ? { kind: 'right' } : wrong(problem);
}

/** What DuckDB refuses by its own words, which callers read as a construct that is not supported. */
function isKnown(message: string): boolean {
  return KNOWN.some((known) => message.includes(known));
}

const KNOWN: readonly string[] = ['Cannot perform non-inner join on subquery'];

function differentRows(nested: readonly string[], loaded: readonly string[]): string | null {
  const [one, other] = [nested.toSorted(), loaded.toSorted()];
  const first = Array.from({ length: Math.max(one.length, other.length) }).findIndex(
    (_, index) => one[index] !== other[index],
  );
  return first < 0 ? null : `nested: ${one[first]}\nloaded: ${other[first]}`;
}

/** All rows that the query has without its limit, and how many of them it keeps; or why they are not known. */
interface Expected {
  readonly rows: readonly Struct[];
  readonly count: number;
}

function evaluated(query: Query, tables: Tables): Expected | 'fails' | 'large' {
  try {
    const rows = evaluate({ ...query, limit: null }, tables);
    return { rows, count: Math.min(rows.length, query.limit ?? rows.length) };
  } catch (error) {
    if (error instanceof EvaluationError) return 'fails';
    if (error instanceof TooManyRows) return 'large';
    throw error;
  }
}

/** What is wrong with the rows of an answer; null where nothing is. Rows that tie may come in any order. */
function difference(query: Query, { rows, count }: Expected, answer: readonly string[]): string | null {
  const columns = columnsOf(query);
  if (answer.length !== count) {
    const all = rows
      .slice(0, 5)
      .map((row) => text(row, columns))
      .join('\n  ');
    return `${answer.length} rows, not ${count}:\n  ${answer.slice(0, 5).join('\n  ')}\nexpected:\n  ${all}`;
  }
  // A row of which all is known must not be left for one that anything matches.
  const open = rows.toSorted((a, b) => unknownParts(wireRow(a, columns)) - unknownParts(wireRow(b, columns)));
  for (const [index, actual] of answer.entries()) {
    const cells: unknown = JSON.parse(actual);
    const wanted = rows[index];
    const ties = (row: Struct) => wanted !== undefined && compareRows(row, wanted, query.orderBy) === 0;
    const found = open.findIndex((row) => ties(row) && matches(wireRow(row, columns), cells));
    if (found < 0) {
      const candidates = open
        .filter(ties)
        .slice(0, 5)
        .map((row) => text(row, columns));
      return `row ${index} is ${actual}\nexpected one of:\n  ${candidates.join('\n  ')}`;
    }
    open.splice(found, 1);
  }
  return null;
}

function wireRow(row: Struct, columns: readonly NamedType[]): unknown {
  return wire(row, { kind: 'struct', fields: columns });
}

function text(row: Struct, columns: readonly NamedType[]): string {
  return JSON.stringify(wireRow(row, columns));
}

function shown(outcome: Outcome): string {
  return outcome.kind === 'rows' ? `${outcome.rows.length} rows` : `${outcome.kind}: ${outcome.message}`;
}
