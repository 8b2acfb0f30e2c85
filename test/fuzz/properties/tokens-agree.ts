import { tokenize } from '../../../shared/sql/lexer/lexer.ts';
import type { Token } from '../../../shared/sql/lexer/token.ts';
import { children, isNode, type OracleNode } from '../oracle/tree.ts';

interface Leaf {
  readonly kinds: readonly Token['kind'][];
  readonly start: number;
  readonly end: number;
  /** Null where the oracle's tree has no value to compare. */
  readonly value: string | null;
  /** Whether the place is only where the token lies in, as the older oracle tells of some. */
  readonly isVague?: boolean;
}

/**
 * Whether our lexer and the oracle read the same literals, identifiers and parameters at the same places in a text
 * that the oracle accepts. Answers the first difference, or null. Throws what our lexer throws.
 */
export function differingTokens(sql: string, tree: OracleNode): string | null {
  const byteOffset = byteOffsets(sql);
  const tokens = new Map<number, Token>();
  for (const token of tokenize(sql)) if (token.kind !== 'end') tokens.set(byteOffset(token.at), token);
  const met = new Set<number>();
  for (const leaf of leaves(tree)) {
    const start = leaf.isVague === true ? firstOf(leaf, tokens) : leaf.start;
    const token = tokens.get(start);
    met.add(start);
    const isSame =
      token !== undefined &&
      leaf.kinds.includes(token.kind) &&
      (leaf.isVague === true || byteOffset(token.end) === leaf.end) &&
      (leaf.value === null || leaf.value === token.value);
    if (!isSame)
      return `the oracle reads ${JSON.stringify(leaf)} where our lexer has ${JSON.stringify(token)}`;
  }
  for (const [start, token] of tokens) {
    const isLeaf = token.kind !== 'name' && token.kind !== 'symbol' && token.kind !== 'end';
    if (isLeaf && !met.has(start)) return `the oracle does not read our token ${JSON.stringify(token)}`;
  }
  return null;
}

/** The place of the first token of the leaf's kind that begins inside it; -1 where there is none. */
function firstOf(leaf: Leaf, tokens: ReadonlyMap<number, Token>): number {
  for (const [start, { kind }] of tokens)
    if (start >= leaf.start && start < leaf.end && leaf.kinds.includes(kind)) return start;
  return -1;
}

/** UTF-16 offsets as byte offsets of UTF-8. */
export function byteOffsets(text: string): (offset: number) => number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
  if (/^[\x00-\x7f]*$/.test(text)) return (offset) => offset;
  return (offset) => Buffer.byteLength(text.slice(0, offset));
}

function leaves(tree: OracleNode): Leaf[] {
  const found: Leaf[] = [];
  const pending = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const own = leavesOf(node);
    if (own === null) pending.push(...children(node));
    else found.push(...own);
  }
  return found;
}

/** The leaves that a node is, or null for a node that has children to look at. */
function leavesOf({ kind, start, end, fields }: OracleNode): Leaf[] | null {
  if (Array.isArray(fields.components)) {
    const parts = fields.components.filter(isNode);
    if (fields.string_value !== undefined)
      return parts.map((part) => leaf(['string'], part, text(part.fields.string_value)));
    const bytes = Buffer.from((fields.bytes_value as Uint8Array | undefined) ?? []).toString('latin1');
    return parts.map((part) => leaf(['bytes'], part, parts.length === 1 ? bytes : null));
  }
  if (kind === 'ast_parameter_expr_node' && isNode(fields.name))
    return [{ kinds: ['parameter'], start, end, value: text(fields.name.fields.id_string) }];
  if (kind === 'ast_system_variable_expr_node' && isNode(fields.path)) {
    const [first, ...rest] = children(fields.path);
    return [
      { kinds: ['system'], start, end: first?.end ?? end, value: text(first?.fields.id_string) },
      ...rest.map((name) => leaf(['name', 'quoted'], name, text(name.fields.id_string))),
    ];
  }
  if (typeof fields.id_string === 'string')
    return start === end ? [] : [{ kinds: ['name', 'quoted'], start, end, value: fields.id_string }];
  if (typeof fields.image !== 'string') return null;
  const isVague = fields.parenthesized === true || /^ast_(json|numeric|bignumeric)_/.test(kind);
  return imageLeaf(fields.image, fields.string_value, start, end).map((found) => ({ ...found, isVague }));
}

function leaf(kinds: Leaf['kinds'], { start, end }: OracleNode, value: string | null): Leaf {
  return { kinds, start, end, value };
}

function imageLeaf(image: string, stringValue: unknown, start: number, end: number): Leaf[] {
  if (stringValue !== undefined) return [{ kinds: ['string'], start, end, value: text(stringValue) }];
  if (/^0[xX]|^[0-9]+$/.test(image)) return [{ kinds: ['integer'], start, end, value: image }];
  if (/^[0-9.]/.test(image)) return [{ kinds: ['float'], start, end, value: image }];
  if (/^[rR]?['"]/.test(image)) return [{ kinds: ['string'], start, end, value: null }];
  return /^[rRbB]+['"]/.test(image) ? [{ kinds: ['bytes'], start, end, value: null }] : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
