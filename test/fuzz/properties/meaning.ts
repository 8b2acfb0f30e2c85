import { isNode, type OracleNode, type OracleValue } from '../oracle/tree.ts';

/** A node in a form that has no two ways of saying the same. */
interface Plain {
  readonly kind: string;
  readonly fields: Readonly<Record<string, PlainValue>>;
}
type PlainValue = string | number | boolean | Plain | readonly PlainValue[];

/** Fields of the oracle's nodes that tell of spelling, or follow from other fields. */
const IGNORED = new Set([
  ...['parenthesized', 'join_location', 'operator_location', 'op_location', 'not_location', 'components'],
  ...['is_current_date_time_without_parentheses', 'unmatched_join_count', 'transformation_needed'],
  ...['contains_comma_join', 'is_nested', 'is_pivot_input', 'arrow_location', 'location'],
]);

/** Values that stand for others: the words that may be left out, and the two signs of one operator. */
const SAME: Readonly<Record<string, string>> = {
  UNSPECIFIED: 'ASC',
  DEFAULT_JOIN_TYPE: 'INNER',
  NE2: 'NE',
  SOME: 'ANY',
  kSome: 'kAny',
};

/**
 * What a tree of the oracle means, as a text: the same for queries that differ in what our tree of a query does not
 * keep: parentheses, the case of names, words that may be left out, and the various forms of one operation.
 */
export function meaning(tree: OracleNode): string {
  return JSON.stringify(plain(tree));
}

/** Fields whose text is the query's own. */
const TEXTS = new Set(['id_string', 'string_value', 'image']);

function plain(value: OracleValue): PlainValue {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (!isNode(value)) return typeof value === 'string' ? (SAME[value] ?? value) : value;
  const kept = Object.entries(value.fields).filter(([key]) => !IGNORED.has(key));
  const fields = Object.fromEntries(
    kept.map(([key, field]) => [key, TEXTS.has(key) ? String(field) : plain(field)]),
  );
  const rewrite = REWRITES[value.kind];
  const node = { kind: value.kind, fields };
  return rewrite === undefined ? byFields(node) : rewrite(node);
}

/** Nodes whose field has one class only are known by what they hold. */
function byFields({ kind, fields }: Plain): Plain {
  if (typeof fields.id_string === 'string')
    return { kind: 'identifier', fields: { name: fields.id_string.toLowerCase() } };
  if (typeof fields.image === 'string' && !/^[0-9.]/.test(fields.image)) {
    const { image, ...rest } = fields;
    return { kind, fields: rest };
  }
  // A number may begin with its dot.
  if (typeof fields.image === 'string')
    return { kind, fields: { ...fields, image: fields.image.replace(/^\./, '0.') } };
  return { kind, fields };
}

type Rewrite = (node: Plain) => Plain;

function not(operand: Plain): Plain {
  return { kind: 'ast_unary_expression_node', fields: { operand, op: 'NOT' } };
}

const negate: Rewrite = (node) => {
  const { is_not, ...fields } = node.fields;
  if (is_not !== true) return { kind: node.kind, fields };
  return not({ kind: node.kind, fields });
};

/** IS UNKNOWN is IS NULL of a truth value. */
const unary: Rewrite = (node) => {
  const { op, operand } = node.fields;
  if (op !== 'IS_UNKNOWN' && op !== 'IS_NOT_UNKNOWN') return node;
  const isNull: Plain = {
    kind: 'ast_binary_expression_node',
    fields: { op: 'IS', lhs: operand ?? '', rhs: { kind: 'ast_null_literal_node', fields: {} } },
  };
  return op === 'IS_UNKNOWN' ? isNull : not(isNull);
};

/** AND and OR of more than two, however they are nested. */
const flatten =
  (kind: string, field: string): Rewrite =>
  (node) => {
    const inside = node.fields[field];
    const parts = Array.isArray(inside) ? (inside as readonly PlainValue[]) : [];
    return {
      kind,
      fields: {
        [field]: parts.flatMap((part) => {
          const nested = isPlain(part) && part.kind === kind ? part.fields[field] : undefined;
          return Array.isArray(nested) ? (nested as readonly PlainValue[]) : [part];
        }),
      },
    };
  };

/** A path in parentheses with a field after it is a longer path. */
const joinPath: Rewrite = (node) => {
  const { expr, name } = node.fields;
  if (!isPlain(expr) || expr.kind !== 'ast_path_expression_node' || name === undefined) return node;
  const names = expr.fields.names;
  return {
    kind: expr.kind,
    fields: {
      ...expr.fields,
      names: [...(Array.isArray(names) ? (names as readonly PlainValue[]) : []), name],
    },
  };
};

/** A query that is nothing but another one in parentheses; and ORDER BY and LIMIT before pipes, in its own query. */
const query: Rewrite = (node) => {
  const { with_clause, query_expr, pipe_operator_list, ...around } = node.fields;
  if (query_expr === undefined) return node;
  const isBare =
    with_clause === undefined && pipe_operator_list === undefined && Object.keys(around).length === 0;
  if (isBare && isPlain(query_expr) && QUERIES.has(query_expr.kind)) return { ...query_expr, kind: 'query' };
  const inner =
    pipe_operator_list !== undefined && Object.keys(around).length > 0
      ? { kind: 'query', fields: { query_expr, ...around } }
      : query_expr;
  const outer = pipe_operator_list === undefined ? around : { pipe_operator_list };
  const start = isPlain(inner) && QUERIES.has(inner.kind) ? { ...inner, kind: 'query' } : inner;
  return {
    kind: 'query',
    fields: { ...(with_clause === undefined ? {} : { with_clause }), query_expr: start, ...outer },
  };
};
const QUERIES = new Set(['query', 'ast_query_node']);

const CURRENT_ROW: Plain = { kind: 'end_expr', fields: { boundary_type: 'CURRENT_ROW' } };

const REWRITES: Readonly<Record<string, Rewrite>> = {
  query,
  ast_query_node: query,
  ast_unary_expression_node: unary,
  ast_binary_expression_node: negate,
  ast_between_expression_node: negate,
  ast_in_expression_node: negate,
  ast_like_expression_node: negate,
  ast_and_expr_node: flatten('ast_and_expr_node', 'conjuncts'),
  ast_or_expr_node: flatten('ast_or_expr_node', 'disjuncts'),
  ast_dot_identifier_node: joinPath,
  ast_parenthesized_join_node: (node) =>
    isPlain(node.fields.join) ? { ...node.fields.join, kind: 'ast_join_node' } : node,
  ast_struct_constructor_with_parens_node: (node) => {
    const parts = node.fields.field_expressions;
    const fields = (Array.isArray(parts) ? (parts as readonly PlainValue[]) : []).map(
      (expression): Plain => ({ kind: 'fields', fields: { expression } }),
    );
    return { kind: 'ast_struct_constructor_with_keyword_node', fields: { fields } };
  },
  with_offset: (node) =>
    JSON.stringify(node.fields).includes('"name":"offset"') ? { kind: node.kind, fields: {} } : node,
  window_frame: (node) => ({ ...node, fields: { end_expr: CURRENT_ROW, ...node.fields } }),
};

function isPlain(value: PlainValue | undefined): value is Plain {
  return typeof value === 'object' && !Array.isArray(value) && 'kind' in value;
}
