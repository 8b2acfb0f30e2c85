/**
 * A node of the oracle's parse tree, without the layers of its wire format: the fields of its base classes are its
 * own, and the wrappers that name a node's class are its `kind`.
 */
export interface OracleNode {
  /** The class, such as `ast_select_node`; the field's name where the field has one class only. */
  readonly kind: string;
  /** Byte offsets in the text; -1 where the tree has none. */
  readonly start: number;
  readonly end: number;
  readonly fields: Readonly<Record<string, OracleValue>>;
}

export type OracleValue = string | number | boolean | Uint8Array | OracleNode | readonly OracleValue[];

type Message = Record<string, unknown>;

/** Turns a decoded message of the oracle into a tree. */
export function toTree(message: Message, kind: string): OracleNode {
  const wrapped = message.node;
  if (typeof wrapped === 'string') return toTree(message[wrapped] as Message, wrapped);
  const collected = { start: -1, end: -1, fields: {} as Record<string, OracleValue> };
  collect(message, collected);
  return { kind, ...collected };
}

function collect(
  message: Message,
  into: { start: number; end: number; fields: Record<string, OracleValue> },
): void {
  for (const [key, value] of Object.entries(message)) {
    if (key === 'parent') collect(value as Message, into);
    else if (key === 'parse_location_range') {
      const range = value as { start?: number; end?: number };
      into.start = range.start ?? 0;
      into.end = range.end ?? 0;
    } else into.fields[key] = toValue(value, key);
  }
}

function toValue(value: unknown, key: string): OracleValue {
  if (Array.isArray(value)) return value.map((item) => toValue(item, key));
  if (value instanceof Uint8Array) return value;
  if (typeof value === 'object' && value !== null) return toTree(value as Message, key);
  return value as string | number | boolean;
}

/** Every node of the tree, parents before children, in the order of their fields. */
export function* allNodes(node: OracleNode): Generator<OracleNode> {
  const pending: OracleNode[] = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    yield next;
    pending.push(...children(next).reverse());
  }
}

/** A node's children, in the order of its fields. */
export function children(node: OracleNode): OracleNode[] {
  return Object.values(node.fields)
    .flatMap((value) => (Array.isArray(value) ? (value as readonly OracleValue[]) : [value]))
    .filter(isNode);
}

export function isNode(value: OracleValue | undefined): value is OracleNode {
  return typeof value === 'object' && !Array.isArray(value) && 'kind' in value;
}
