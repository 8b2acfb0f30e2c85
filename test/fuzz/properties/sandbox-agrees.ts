import { ServiceError } from '../../../shared/errors/service-error.ts';
import { parseStatement } from '../../../shared/sql/parser/parse-query.ts';
import { printQuery } from '../../../shared/sql/print/print-query.ts';
import type { Sandbox, SandboxedQuery } from '../../../shared/sql/sandbox/consumer-query.ts';
import type { QueryParameter } from '../../../shared/sql/types/query-parameter.ts';
import type { Oracle } from '../oracle/oracle.ts';
import { isNode, type OracleNode } from '../oracle/tree.ts';
import { meaning } from './meaning.ts';
import { isNewerThan, NEWER } from './parser-agrees.ts';
import type { Verdict } from './verdict.ts';

/** The names that generated queries use as parameters. */
const REQUEST: ReadonlyMap<string, readonly string[]> = new Map(
  ['x', 'n', 'a', 'b', 'id', 'project'].map((name) => [name, ['5']]),
);

/** The parameters of logs.all. */
const BOUND: ReadonlyMap<string, QueryParameter> = new Map([
  ['project', { type: 'STRING', value: 'demo' }],
  ['iso_timestamp_start', { type: 'TIMESTAMP', value: null }],
  ['iso_timestamp_end', { type: 'TIMESTAMP', value: null }],
]);

/**
 * What the sandbox makes of a text, held against the oracle. Of a query that the sandbox accepts:
 * - the consumer's text by itself reads the endpoint's sources and nothing else;
 * - what goes to the warehouse reads the tables behind the sources that the sandbox names, and nothing else;
 * - the printed text and the consumer's text are the same query, and the composed text ends with that same query, its
 *   own CTEs last in WITH.
 */
export async function sandboxAgrees(sql: string, sandbox: Sandbox, oracle: Oracle): Promise<Verdict> {
  const outcome = compile(sql, sandbox);
  if ('crash' in outcome) return { kind: 'failed', property: 'the sandbox breaks', detail: outcome.crash };
  if ('refusal' in outcome) return { kind: 'refused', reason: outcome.refusal };
  const compiled = outcome.query;
  if (isNewerThan(oracle, sql)) return { kind: 'unjudged', reason: NEWER };
  const canonical = printQuery(parseStatement(sql));
  const [original, plain, composed] = await Promise.all(
    [sql, canonical, compiled.sql].map((text) => oracle.parse(text)),
  );
  for (const reading of [original, plain, composed]) {
    if (reading?.kind === 'failed') return { kind: 'unjudged', reason: reading.message };
    if (reading?.kind !== 'accepted')
      return { kind: 'failed', property: 'sandbox: the oracle refuses', detail: reading?.message ?? '' };
  }
  const trees = [original, plain, composed].map((reading) =>
    reading?.kind === 'accepted' ? reading.tree : null,
  );
  const [consumerTables, canonicalTables, composedTables] = await Promise.all(
    [sql, canonical, compiled.sql].map((text) => oracle.tableNames(text)),
  );
  const escaped = escapes(sandbox, compiled, consumerTables, canonicalTables, composedTables);
  if (escaped !== null) return { kind: 'failed', property: 'sandbox: ESCAPE', detail: escaped };
  const changed = changes(trees[0] ?? null, trees[1] ?? null, trees[2] ?? null);
  if (changed !== null)
    return { kind: 'failed', property: 'sandbox: another query', detail: `${changed}\n  ${compiled.sql}` };
  return { kind: 'passed', accepted: true };
}

type Compiled =
  | { readonly query: SandboxedQuery }
  | { readonly refusal: string }
  /** The sandbox broke instead of refusing. */
  | { readonly crash: string };

function compile(sql: string, sandbox: Sandbox): Compiled {
  try {
    return { query: sandbox.compile(sql, REQUEST, BOUND) };
  } catch (error) {
    return error instanceof ServiceError ? { refusal: error.message } : { crash: String(error) };
  }
}

type Tables = readonly (readonly string[])[] | null | undefined;

function escapes(
  sandbox: Sandbox,
  compiled: SandboxedQuery,
  consumer: Tables,
  canonical: Tables,
  composed: Tables,
): string | null {
  const sources = new Set(sandbox.sources.map((name) => name.toLowerCase()));
  for (const tables of [consumer, canonical]) {
    const outside = spell(tables).filter((name) => !sources.has(name));
    if (outside.length > 0) return `the query reads ${outside.join(', ')}`;
  }
  if (spell(consumer).join() !== spell(canonical).join())
    return `${spell(consumer)} became ${spell(canonical)}`;
  const read = spell(composed).join();
  const told = spell(compiled.sources.map((name) => ['logs', name])).join();
  return read === told ? null : `the warehouse would read ${read}, the sandbox tells ${told}`;
}

function spell(tables: Tables): string[] {
  return (tables ?? [['nothing that parses']]).map((path) => path.join('.').toLowerCase()).sort();
}

function changes(
  original: OracleNode | null,
  canonical: OracleNode | null,
  composed: OracleNode | null,
): string | null {
  if (original === null || canonical === null || composed === null) return 'a text that does not parse';
  if (meaning(original) !== meaning(canonical)) return 'printed, it is another query';
  const [consumer, whole] = [partsOf(original), partsOf(composed)];
  if (consumer.rest !== whole.rest) return 'behind WITH, the composed text is another query';
  const own = whole.ctes.slice(whole.ctes.length - consumer.ctes.length);
  return own.join('\n') === consumer.ctes.join('\n') ? null : 'the composed text has other CTEs';
}

/** A statement's CTEs, and what follows WITH. */
function partsOf(statement: OracleNode): { readonly ctes: readonly string[]; readonly rest: string } {
  const query = statement.fields.query;
  if (!isNode(query)) return { ctes: [], rest: meaning(statement) };
  if (query.fields.parenthesized === true) {
    // The oracle's tree of a statement has no node for parentheses around all of it; after WITH they have one.
    const { is_nested = false, is_pivot_input = false } = query.fields;
    const inside = { ...query, kind: 'ast_query_node' };
    const around = { ...query, fields: { query_expr: inside, is_nested, is_pivot_input } };
    return { ctes: [], rest: meaning(around) };
  }
  const { with_clause, ...rest } = query.fields;
  const entries =
    isNode(with_clause) && Array.isArray(with_clause.fields.with) ? with_clause.fields.with : [];
  return { ctes: entries.filter(isNode).map(meaning), rest: meaning({ ...query, fields: rest }) };
}
