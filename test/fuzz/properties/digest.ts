import { isNode, type OracleNode, type OracleValue } from '../oracle/tree.ts';

/** Fields that tell of a text's spelling, not of its meaning. */
const SPELLING = new Set([
  'parenthesized',
  'join_location',
  'operator_location',
  'op_location',
  'not_location',
]);

/**
 * A text that is the same for two trees of the oracle when both read as the same query, however it is spelled:
 * places and images of literals are left out, literals in a row count as one.
 */
export function digest(node: OracleNode): string {
  return JSON.stringify(plain(node));
}

function plain(value: OracleValue): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return isNode(value) ? plainNode(value) : value;
}

function plainNode({ kind, fields }: OracleNode): unknown {
  const hasValue = fields.string_value !== undefined || Array.isArray(fields.components);
  const kept = Object.entries(fields)
    .filter(([key]) => !SPELLING.has(key) && !(hasValue && (key === 'components' || key === 'image')))
    .map(([key, value]): [string, unknown] => [key, plain(value)]);
  // The names of parameters are compared without regard to case.
  if (kind === 'ast_parameter_expr_node') return [kind, JSON.stringify(kept).toLowerCase()];
  // npm's oracle has no values of these to compare, only their spelling.
  if (/^ast_(bytes|json|numeric|bignumeric)_literal_node$/.test(kind))
    return [kind, kept.filter(([key]) => key !== 'image')];
  return [kind, kept];
}
