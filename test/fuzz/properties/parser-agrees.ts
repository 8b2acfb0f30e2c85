import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { Expression } from '../../../shared/sql/ast/expression.ts';
import type { Query } from '../../../shared/sql/ast/query.ts';
import { walkQuery } from '../../../shared/sql/ast/walk-query.ts';
import { tokenize } from '../../../shared/sql/lexer/lexer.ts';
import { parseStatement } from '../../../shared/sql/parser/parse-query.ts';
import { printQuery } from '../../../shared/sql/print/print-query.ts';
import type { Oracle } from '../oracle/oracle.ts';
import { allNodes, type OracleNode } from '../oracle/tree.ts';
import { meaning } from './meaning.ts';
import { oracleReferences, ourReferences } from './table-references.ts';
import { byteOffsets, differingTokens } from './tokens-agree.ts';
import type { Verdict } from './verdict.ts';

/** Why the older oracle cannot judge a query. */
export const NEWER = 'newer than this oracle';

/** Kinds of the oracle's nodes that no query which we accept may hold, by parts of their names. */
const NEVER =
  /tvf|hint|system_variable|for_system_time|sample|match_recognize|graph|connection|model|descriptor|script|export|insert|update|delete|merge|create|call_stmt|call_statement|recursion|braced|proto|new_constructor|anonymization|differential|aggregation_threshold|with_report|options|collate|macro|lateral|repeatable|group_rows|slash|dashed/;

/**
 * What our lexer and parser make of a text, held against the oracle: a text that we accept is a query to the oracle
 * too, of the same literals, names and parameters, and with the same names in FROM; and our tree, printed with all
 * its parentheses, is the same query to the oracle.
 */
export async function parserAgrees(sql: string, oracle: Oracle): Promise<Verdict> {
  const ours = readOurs(sql);
  if ('crash' in ours) return { kind: 'failed', property: 'our parser breaks', detail: ours.crash };
  const theirs = await oracle.parse(sql);
  if (theirs.kind === 'failed') return { kind: 'unjudged', reason: theirs.message };
  if ('refusal' in ours)
    return theirs.kind === 'accepted'
      ? { kind: 'refused', reason: ours.refusal }
      : { kind: 'passed', accepted: false };
  if (isNewerThan(oracle, sql)) return { kind: 'unjudged', reason: NEWER };
  if (theirs.kind === 'refused')
    return { kind: 'failed', property: 'only ours accepts', detail: theirs.message };
  const tokens = differingTokens(sql, theirs.tree);
  if (tokens !== null) return { kind: 'failed', property: 'tokens differ', detail: tokens };
  const references = [ourReferences(ours.query, byteOffsets(sql)), oracleReferences(theirs.tree)].map(
    (list) => JSON.stringify(list),
  );
  if (references[0] !== references[1])
    return {
      kind: 'failed',
      property: 'tables differ',
      detail: `ours ${references[0]}, oracle ${references[1]}`,
    };
  const printed = printQuery(ours.query, 'explicit');
  const again = await oracle.parse(printed);
  if (again.kind === 'failed') return { kind: 'unjudged', reason: again.message };
  if (again.kind === 'refused')
    return { kind: 'failed', property: 'our tree is no query', detail: `${again.message}\n  ${printed}` };
  if (meaning(theirs.tree) !== meaning(again.tree))
    return { kind: 'failed', property: 'our tree is another query', detail: printed };
  const never = forbiddenKind(theirs.tree, ours.query.recursive === true);
  if (never !== null) return { kind: 'failed', property: 'forbidden construct', detail: never };
  return { kind: 'passed', accepted: true };
}

type Ours =
  | { readonly query: Query }
  | { readonly refusal: string }
  /** The parser broke instead of refusing. */
  | { readonly crash: string };

function readOurs(sql: string): Ours {
  try {
    return { query: parseStatement(sql) };
  } catch (error) {
    return error instanceof ServiceError ? { refusal: error.message } : { crash: String(error) };
  }
}

/** A node of a kind, or a flag, that the parser must never let through. */
function forbiddenKind(tree: OracleNode, isRecursive: boolean): string | null {
  let recursive = 0;
  for (const { kind, fields } of allNodes(tree)) {
    if (NEVER.test(kind)) return kind;
    if (fields.recursive === true) recursive++;
    if (fields.natural === true) return 'natural';
  }
  // One WITH RECURSIVE, the outermost, is all that there may be.
  return recursive === (isRecursive ? 1 : 0) ? null : 'recursive';
}

/**
 * Pipe syntax, literals in a row and expressions after LIMIT came to GoogleSQL after the oracle of npm was made, WITH in pipes after
 * both.
 */
export function isNewerThan(oracle: Oracle, sql: string): boolean {
  if (oracle.version !== 'npm') return hasPipedWith(sql);
  const tokens = tokenize(sql);
  return (
    hasNewerNode(sql) ||
    tokens.some((token, index) => {
      if (token.kind === 'symbol') return token.value === '|>';
      if (token.kind !== 'string' && token.kind !== 'bytes') return false;
      return tokens[index + 1]?.kind === token.kind;
    })
  );
}

/**
 * FROM by itself, the start of pipe syntax, also after WITH and in set operations; set operations by name; LIMIT or OFFSET with anything but a
 * number or a parameter; and INTERVAL of `a AND b`, which the older oracle cannot distinguish from BETWEEN's AND.
 */
function hasNewerNode(sql: string): boolean {
  try {
    return walkQuery(parseStatement(sql)).some(
      ({ node }) =>
        node.kind === 'from-query' ||
        (node.kind === 'set-operation' && node.match !== null) ||
        (node.kind === 'interval' && node.value.kind === 'binary' && node.value.operator === 'AND') ||
        // The list of IN has the kind of a query, too, and holds one.
        (node.kind === 'query' && 'limit' in node && [node.limit, node.offset].some(isNewerCount)) ||
        (node.kind === 'call' && isNewerCount(node.limit)),
    );
  } catch {
    return false;
  }
}

function hasPipedWith(sql: string): boolean {
  try {
    return walkQuery(parseStatement(sql)).some(({ node }) => node.kind === 'with');
  } catch {
    return false;
  }
}

function isNewerCount(count: Expression | null): boolean {
  if (count === null || count.kind === 'parameter') return false;
  return !(count.kind === 'literal' && count.type === 'INT64');
}
