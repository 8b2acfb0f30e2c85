import type { SqlType } from '../../shared/sql/types/sql-type.ts';
import type { Answer } from './answer.ts';
import { compareAnswers, type Verdict } from './compare.ts';
import { CATALOGUE } from './generate/calls.ts';
import type { GeneratedQuery } from './generate/query.ts';
import { callsOf, childrenOf, nullOf, printTree, type SqlTree, value } from './generate/sql-tree.ts';

/** What runs a query's text on one side. */
type Run = (sql: string) => Promise<Answer>;
/** What stands for a column's name: its value in one row. */
type Row = ReadonlyMap<string, SqlTree>;

/** Most rows, or pairs of rows, that operands are computed for. */
const MAX_ROWS = 40;
const NOT_SCALAR: ReadonlySet<string> = new Set(
  CATALOGUE.filter(({ kind }) => kind !== 'scalar').map(({ name }) => name),
);

/**
 * Decides about an error that one side has alone (`order` and `noRows` of differences.ts): it is open only where a part of the query is that
 * error by itself, computed for some row, and both sides agree on that part. Without such a part nothing could be left out.
 */
export async function judgeOpenError(
  query: GeneratedQuery,
  how: string,
  { engine, evaluator }: { readonly engine: Run; readonly evaluator: Run },
): Promise<Verdict> {
  const isOurs = how.startsWith('wrong error');
  // The engine checks the constants of aggregate and window functions before it reads rows, and those are no values by themselves.
  if (isOurs && [...callsOf(query.tree)].some((name) => NOT_SCALAR.has(name))) return { kind: 'unjudged' };
  // A column that was set anew has another value than its table says.
  if (printTree(query.tree).includes('|> SET ')) return { kind: 'unjudged' };
  const answers = new Map<string, Promise<Answer>>();
  const answerOf = (sql: string) => {
    const known = answers.get(sql) ?? evaluator(sql);
    answers.set(sql, known);
    return known;
  };
  let hasError = false;
  for (const row of rowsOf(query.tree))
    for (const operand of operandsOf(query.tree)) {
      const small = { tree: asQuery(operand, row), ordered: true, unordered: [] };
      const sql = printTree(small.tree);
      const theirs = await answerOf(sql);
      if (theirs.kind === 'unjudged') hasError = true;
      if (theirs.kind !== 'error') continue;
      hasError = true;
      const within = operandsOf(operand).filter((part) => part !== operand);
      const inner = await Promise.all(within.map((part) => answerOf(printTree(asQuery(part, row)))));
      if (inner.some(({ kind }) => kind === 'error')) continue;
      const verdict = compareAnswers(small, callsOf(operand), await engine(sql), theirs);
      if (verdict.kind === 'open' || verdict.kind === 'differs') return { kind: 'differs', how };
    }
  return hasError ? { kind: 'unjudged' } : { kind: 'differs', how };
}

const asQuery = (operand: SqlTree, row: Row): SqlTree => ({
  kind: 'parts',
  parts: ['SELECT ', withValues(operand, row), ' AS v'],
});

/** The calls, casts and other values in a tree that one row has an answer for. */
function operandsOf(tree: SqlTree): SqlTree[] {
  if (typeof tree === 'string') return [];
  const isOperand =
    tree.kind === 'parts' &&
    tree.type !== undefined &&
    tree.parts.some((part) => typeof part !== 'string') &&
    [...callsOf(tree)].every((name) => !NOT_SCALAR.has(name));
  return [...(isOperand ? [tree] : []), ...childrenOf(tree).flatMap(operandsOf)];
}

/** The tree with values in the places of columns. */
function withValues(tree: SqlTree, row: Row): SqlTree {
  if (typeof tree === 'string') return tree;
  if (tree.kind === 'list') return { ...tree, items: tree.items.map((item) => withValues(item, row)) };
  if (tree.kind === 'table') return tree;
  const [only, ...others] = tree.parts;
  const known = typeof only === 'string' && others.length === 0 ? row.get(only) : undefined;
  return known ?? { ...tree, parts: tree.parts.map((part) => withValues(part, row)) };
}

/** The rows that expressions of the query are computed for: those of its table, or pairs of those of its two tables, also with none. */
function rowsOf(tree: SqlTree): Row[] {
  const tables = tablesOf(tree);
  const [first, second] = tables;
  if (first === undefined) return [new Map()];
  if (second === undefined) return cellsOf(first, '').slice(0, MAX_ROWS);
  const [left, right] = [first, second].map((table) => [...cellsOf(table, `${table.name}.`), noneOf(table)]);
  const pairs = (left ?? []).flatMap((a) => (right ?? []).map((b) => new Map([...a, ...b])));
  return pairs.slice(0, MAX_ROWS);
}

type Table = Extract<SqlTree, { kind: 'table' }>;

function tablesOf(tree: SqlTree): Table[] {
  if (typeof tree === 'string') return [];
  return tree.kind === 'table' ? [tree] : childrenOf(tree).flatMap(tablesOf);
}

/** Each row of a table; an expression without columns is computed for a table without rows, too. */
function cellsOf({ columns, rows }: Table, prefix: string): Row[] {
  if (rows.length === 0) return [new Map()];
  return rows.map((row) => {
    const cells = columns.map(({ type }, at) => notLiteral(row[at] ?? nullOf(type), type));
    return new Map(columns.map(({ name }, at) => [`${prefix}${name}`, cells[at] ?? 'NULL']));
  });
}

/** What an outer join has where a table has no row. */
function noneOf({ columns, name }: Table): Row {
  return new Map(columns.map((column) => [`${name}.${column.name}`, nullOf(column.type)]));
}

/** A cell as a value to which literals' own rules do not apply. */
function notLiteral(cell: SqlTree, type: SqlType): SqlTree {
  const isPlain = type.kind !== 'ARRAY' && type.kind !== 'STRUCT' && type.kind !== 'JSON';
  return isPlain ? value(type, ['CAST(', cell, ` AS ${type.kind})`]) : cell;
}
