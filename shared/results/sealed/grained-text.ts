import type { FromItem, Query, QueryBody, Select } from '../../sql/ast/query.ts';
import { tokenize } from '../../sql/lexer/lexer.ts';
import type { Token } from '../../sql/lexer/token.ts';
import { parseStatement } from '../../sql/parser/parse-query.ts';
import { COMPOSED_LIMITS } from '../../sql/text/sql-limits.ts';
import { applyEdits, type TextEdit } from '../../sql/text/text-edits.ts';
import { isSymbol, TokenIndex } from '../../sql/text/token-index.ts';
import { STORED_DATASET, TIME_COLUMN } from '../../warehouse/stored-dataset.ts';
import type { Grain } from './grain.ts';
import { notSealable } from './not-sealable.ts';

/** The column that a grained query has besides its own: the TIMESTAMP at which the grain of a row begins. */
export const GRAIN_COLUMN = 'lqe_grain';
/** The parameters that a grained query has besides its own: the first and the last instant that it reads. */
export const FIRST_PARAMETER = 'lqe_first';
export const LAST_PARAMETER = 'lqe_last';

/**
 * The text of a stored query that groups by grains of time as well, and reads its table from one instant up to another:
 * the table gets these bounds and the column, and every SELECT on the way to the answer hands the column on. The rest of
 * the text stays as it is. Throws a ServiceError (invalid_argument) for a query that has another shape.
 */
export function grainedText(sql: string, grain: Grain): string {
  const query = parseStatement(sql, COMPOSED_LIMITS);
  const tokens = tokenize(sql, COMPOSED_LIMITS);
  const taken = new Set(tokens.map(({ value }) => value.toLowerCase()));
  for (const name of [GRAIN_COLUMN, FIRST_PARAMETER, LAST_PARAMETER])
    if (taken.has(name)) throw notSealable(`the name ${name} is the service's own; use another`);
  const index = new TokenIndex(tokens);
  const ctes = new Map(query.ctes.map((cte) => [cte.name.toLowerCase(), cte.query]));
  const edits: TextEdit[] = [];
  let body: QueryBody | null = query;
  while (body !== null) {
    const select = selectOf(body, query);
    const source = firstItem(select.from);
    edits.push(...selectEdits(select, source, tokens));
    body = null;
    if (source.kind === 'table-subquery') body = source.query;
    else if (source.kind === 'table' && source.path.length === 1)
      body = ctes.get(source.path[0]?.toLowerCase() ?? '') ?? null;
    else edits.push(tableEdit(source, index, grain));
  }
  return applyEdits(sql, edits);
}

function selectOf(body: QueryBody, whole: Query): Select {
  if (body.kind === 'select') return body;
  if (body.kind !== 'query') throw notSealable('write it as SELECT … FROM …, without UNION and pipes');
  if (body !== whole && body.ctes.length > 0) throw notSealable('WITH may stand at its beginning only');
  return selectOf(body.body, whole);
}

/** The one that all others are arrays of. */
function firstItem(item: FromItem | null): Exclude<FromItem, { kind: 'join' }> {
  if (item === null) throw notSealable('each SELECT needs a FROM');
  return item.kind === 'join' ? firstItem(item.left) : item;
}

/** Adds the column to a SELECT list, unless a star brings it, and to GROUP BY. */
function selectEdits(select: Select, source: FromItem, tokens: readonly Token[]): TextEdit[] {
  const edits: TextEdit[] = [];
  const start = tokens.findIndex(({ at }) => at === select.at);
  if (!select.items.some((item) => isStarOf(item, source))) {
    const from = wordAfter(tokens, start, 'FROM');
    const last = tokens[from - 1];
    if (last === undefined) throw new TypeError('a SELECT list stands before FROM');
    const comma = isSymbol(last, ',') ? '' : ',';
    edits.push({ from: last.end, to: last.end, text: `${comma} ${GRAIN_COLUMN}` });
  }
  if (select.groupBy?.kind === 'items') {
    const group = tokens.findIndex(({ at }) => at === select.groupBy?.at);
    const { end } = tokens[wordAfter(tokens, group, 'BY')] as Token;
    edits.push({ from: end, to: end, text: ` ${GRAIN_COLUMN},` });
  }
  return edits;
}

function isStarOf(item: Select['items'][number], source: FromItem): boolean {
  if (item.kind === 'star') return true;
  return item.kind === 'dot-star' && item.base.kind === 'name' && isCalled(source, item.base.name);
}

function isCalled(source: FromItem, name: string): boolean {
  if (source.kind === 'join') return false;
  const called = source.alias ?? (source.kind === 'table' ? source.path.at(-1) : undefined);
  return called?.toLowerCase() === name.toLowerCase();
}

/** The position of a word outside of parentheses behind another token. */
function wordAfter(tokens: readonly Token[], start: number, word: string): number {
  let depth = 0;
  for (let position = start; position >= 0 && position < tokens.length; position++) {
    const token = tokens[position] as Token;
    if (isSymbol(token, '(')) depth++;
    if (isSymbol(token, ')')) depth--;
    if (depth === 0 && token.kind === 'name' && token.value.toUpperCase() === word) return position;
  }
  throw new TypeError(`no ${word} behind token ${start}`);
}

function tableEdit(source: FromItem, tokens: TokenIndex, grain: Grain): TextEdit {
  if (source.kind !== 'table' || source.path[0] !== STORED_DATASET || source.path.length !== 2)
    throw notSealable(`it must read a table ${STORED_DATASET}.<source>`);
  const path = source.path.map((name) => `\`${name}\``).join('.');
  const bounds = `${TIME_COLUMN} >= @${FIRST_PARAMETER} AND ${TIME_COLUMN} <= @${LAST_PARAMETER}`;
  const column = `TIMESTAMP_TRUNC(${TIME_COLUMN}, ${grain.toUpperCase()}) AS ${GRAIN_COLUMN}`;
  const alias = source.alias === null ? ` AS \`${source.path[1]}\`` : '';
  return {
    from: source.at,
    to: tokens.at(source.at, 2).end,
    text: `(SELECT *, ${column} FROM ${path} WHERE ${bounds})${alias}`,
  };
}
