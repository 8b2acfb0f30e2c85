import type { ResolvedExpression } from './expression.ts';
import type { ResolvedScan } from './scan.ts';

/** A node of a resolved query, of either kind. */
export type PlanNode = ResolvedExpression | ResolvedScan;

type PartFields<Node extends PlanNode> = {
  readonly [Kind in Node['kind']]: readonly Exclude<keyof Extract<Node, { readonly kind: Kind }>, 'kind'>[];
};

/** The fields of each node that hold its parts, in the order of a visit. The query of a CTE is no part of what reads it. */
const PARTS: PartFields<PlanNode> = {
  literal: [],
  column: [],
  parameter: [],
  call: ['arguments'],
  cast: ['operand'],
  case: ['branches', 'otherwise'],
  field: ['base'],
  array: ['elements'],
  struct: ['fields'],
  subquery: ['scan', 'operand'],
  let: ['variables', 'result'],
  table: [],
  cte: [],
  'working-table': [],
  'single-row': [],
  filter: ['input', 'condition'],
  project: ['input', 'computed'],
  unnest: ['input', 'array'],
  join: ['left', 'right', 'condition'],
  aggregate: ['input', 'keys', 'aggregates'],
  window: ['input', 'windows'],
  order: ['input', 'keys'],
  limit: ['input', 'limit', 'offset'],
  'set-operation': ['inputs'],
};
const PARTS_BY_KIND = new Map<unknown, readonly string[]>(Object.entries(PARTS));

/** The same of what stands between nodes, which its first field tells: a key or column, a branch, a call, and so on. */
const RECORD_PARTS: readonly (readonly [string, ...string[]])[] = [
  ['expression'],
  ['arguments', 'having', 'partitionBy', 'orderBy', 'frame'],
  ['when', 'result'],
  ['value'],
  ['scan'],
  ['start', 'end'],
  ['offset'],
];

type Fields = Readonly<Record<string, unknown>>;
type MapNode = (node: PlanNode) => PlanNode;

/**
 * A node, or a list or record of nodes, with the expressions and scans that it is directly made of mapped; the same
 * object where none changes.
 */
export function mapNodes<T extends object>(whole: T, map: MapNode): T {
  return (Array.isArray(whole) ? mapList(whole, map) : mapFields(whole as Fields, map)) as T;
}

function mapList(list: readonly unknown[], map: MapNode): readonly unknown[] {
  let copy: unknown[] | null = null;
  for (let index = 0; index < list.length; index++) {
    const mapped = mapPart(list[index], map);
    if (mapped === list[index]) continue;
    copy ??= [...list];
    copy[index] = mapped;
  }
  return copy ?? list;
}

function mapFields(whole: Fields, map: MapNode): Fields {
  let copy: Record<string, unknown> | null = null;
  for (const field of PARTS_BY_KIND.get(whole.kind) ?? recordParts(whole)) {
    const mapped = mapPart(whole[field], map);
    if (mapped === whole[field]) continue;
    copy ??= { ...whole };
    copy[field] = mapped;
  }
  return copy ?? whole;
}

function recordParts(whole: Fields): readonly string[] {
  for (const fields of RECORD_PARTS) if (whole[fields[0]] !== undefined) return fields;
  return [];
}

function mapPart(part: unknown, map: MapNode): unknown {
  if (typeof part !== 'object' || part === null) return part;
  return PARTS_BY_KIND.has((part as Fields).kind) ? map(part as PlanNode) : mapNodes(part, map);
}

/** Visits the expressions and scans that a node, or a list or record of nodes, is directly made of. */
export function walkParts(whole: object, visit: (part: PlanNode) => void): void {
  mapNodes(whole, (part) => {
    visit(part);
    return part;
  });
}

/** Whether a part of a plan is an expression, and not a scan. */
export function isExpression(part: PlanNode): part is ResolvedExpression {
  return (part as Partial<ResolvedExpression>).type !== undefined;
}
